import CAllocations
import Testing

@testable import Sound

@Suite("The timeline of a held stream")
struct TimelineTests {
  private func samples(_ timeline: Timeline, from frame: Int, frames: Int) -> [Float] {
    var samples = [Float](repeating: .nan, count: frames * timeline.channels)
    var span = samples.mutableSpan
    timeline.fill(&span, from: frame)
    return samples
  }

  @Test("is silent before, between and after")
  func silence() {
    var timeline = Timeline(channels: 2)
    #expect(samples(timeline, from: 7, frames: 2) == [0, 0, 0, 0])
    timeline.place([1, 2, 3, 4], at: 10)
    #expect(samples(timeline, from: 9, frames: 4) == [0, 0, 1, 2, 3, 4, 0, 0])
    timeline.clear()
    #expect(samples(timeline, from: 9, frames: 4) == [0, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test("says the same in whatever pieces it is asked for", arguments: [1, 2, 3, 5, 7, 64])
  func pieces(size: Int) {
    var timeline = Timeline(channels: 1)
    timeline.place((1...20).map(Float.init), at: 5)
    timeline.cut(at: 12, over: 6)
    let whole = samples(timeline, from: 0, frames: 40)
    let parts = stride(from: 0, to: 40, by: size).flatMap { start in
      samples(timeline, from: start, frames: min(size, 40 - start))
    }
    #expect(parts == whole)
  }

  @Test("falls along half a cosine and stays silent")
  func fade() {
    var timeline = Timeline(channels: 1)
    timeline.place([Float](repeating: 1, count: 100), at: 0)
    timeline.cut(at: 10, over: 4)
    let heard = samples(timeline, from: 8, frames: 10)
    // (1 + cos(π (k + ½) / 4)) / 2 for k = 0…3.
    let expected: [Float] = [1, 1, 0.961_939_8, 0.691_341_7, 0.308_658_3, 0.038_060_2, 0, 0, 0, 0]
    #expect(zip(heard, expected).allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(timeline.stimulus == 0..<14)
  }

  @Test("a cut outside the stimulus leaves nothing odd", arguments: [
    (at: 3, stimulus: 10..<10), (at: 10, stimulus: 10..<10), (at: 11, stimulus: 10..<13), (at: 19, stimulus: 10..<20),
    (at: 20, stimulus: 10..<20), (at: 99, stimulus: 10..<20),
  ])
  func cuts(at frame: Int, stimulus: Range<Int>) {
    var timeline = Timeline(channels: 1)
    timeline.place([Float](repeating: 1, count: 10), at: 10)
    timeline.cut(at: frame, over: 2)
    #expect(timeline.stimulus == stimulus)
  }

  @Test("asks the heap for nothing when PulseAudio wants samples")
  func allocations() {
    var timeline = Timeline(channels: 2)
    timeline.place([Float](repeating: 0.5, count: 96_000), at: 1000)
    timeline.cut(at: 30_000, over: 2000)
    var buffer = [Float](repeating: 0, count: 2048)
    let control = allocations_of_this_thread()
    _ = [Float](repeating: 0, count: Int.random(in: 100...200)).reversed().first
    var span = buffer.mutableSpan
    // The first call of all lets Swift look its types up.
    timeline.fill(&span, from: 0)
    timeline.fill(&span, from: 30_000)
    let before = allocations_of_this_thread()
    for start in stride(from: 0, to: 64_000, by: 1024) { timeline.fill(&span, from: start) }
    let after = allocations_of_this_thread()
    #expect(before > control, "the counter counts")
    #expect(after == before)
  }
}
