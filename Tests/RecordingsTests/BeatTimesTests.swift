import Analysis
import Testing

@testable import Recordings

@Suite("Times of beats")
struct BeatTimesTests {
  /// Beats a second apart, delivered one at a time, each as late as told.
  private func beats(_ lateness: [Double], lostBefore: [Int: Double] = [:]) -> BeatTimes {
    var times = BeatTimes()
    var time = 10.0
    for (place, late) in lateness.enumerated() {
      time += 1 + (lostBefore[place] ?? 0)
      times.take([1000], end: time + late)
    }
    return times
  }

  @Test(
    "are those of the least late deliveries, however late others are",
    arguments: [
      "all at once": (0..<20).map { Double(20 - 1 - $0) }, "one": [0, 0, 0, 0.6, 0, 0], "none": [0, 0, 0],
      "a radio's turns": [0, 0.03, 0.01, 0.05, 0, 0.02], "the first": [2, 0, 0, 0],
      "a stall": [0, 0, 0, 4, 3, 2, 1, 0, 0],
    ])
  func latePutRight(_ name: String, _ lateness: [Double]) throws {
    let series = try #require(beats(lateness).series)
    #expect(series.breaks == [])
    #expect(series.count == lateness.count)
    for (place, end) in series.ends.enumerated() { #expect((end - 11 - Double(place)).magnitude < 1e-9) }
  }

  @Test("have a gap where a beat was lost, and none elsewhere", arguments: [0.4, 1, 7, 3600])
  func lost(seconds: Double) throws {
    let late = (0..<200).map { $0 % 7 == 3 ? 0.2 : 0.0 }
    let series = try #require(beats(late, lostBefore: [100: seconds]).series)
    #expect(series.breaks == [100])
    #expect((series.ends[100] - series.ends[99] - 1 - seconds).magnitude < 1e-9)
  }

  @Test("follow a sensor's clock that goes wrong by less than a beat in an hour", arguments: [-1e-4, 1e-4])
  func drift(rate: Double) throws {
    var times = BeatTimes()
    for beat in 1...36_000 { times.take([1000], end: Double(beat) * (1 + rate)) }
    let series = try #require(times.series)
    #expect(series.breaks == [])
    #expect((series.end - 36_000 * (1 + rate)).magnitude < 0.01)
  }

  @Test("are none without intervals, or with none that lasts", arguments: [[], [0], [-5, .nan]])
  func nothing(intervals: [Double]) {
    var times = BeatTimes()
    times.take(intervals, end: 3)
    #expect(times.series == nil)
  }

  @Test("have a gap where an interval is longer than an hour", arguments: [3_600_001, 1e308])
  func tooLong(interval: Double) throws {
    var times = BeatTimes()
    times.take([900, 800], end: 5)
    times.take([800, interval, 700], end: 7.3)
    let series = try #require(times.series)
    #expect(series.intervals == [900, 800, 800, 700] && series.tooLong == 1 && series.breaks.contains(3))
    #expect((series.end - 7.3).magnitude < 1e-9)
  }

  @Test("keep several intervals of one delivery in their order")
  func several() throws {
    var times = BeatTimes()
    times.take([900, 800, 700], end: 5)
    times.take([600], end: 5.6)
    let series = try #require(times.series)
    #expect(series.intervals == [900, 800, 700, 600])
    #expect(series.breaks == [])
    #expect(zip(series.ends, [3.5, 4.3, 5, 5.6]).allSatisfy { ($0 - $1).magnitude < 1e-9 })
  }
}
