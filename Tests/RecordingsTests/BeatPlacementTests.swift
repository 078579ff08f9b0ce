import Analysis
import Basics
import Testing

@testable import Recordings

@Suite("Times of beats")
struct BeatPlacementTests {
  /// Beats a second apart, delivered one at a time, each as late as told.
  private func beats(_ lateness: [Double], lostBefore: [Int: Double] = [:]) -> BeatPlacement {
    var placement = BeatPlacement()
    var time = 10.0
    for (place, late) in lateness.enumerated() {
      time += 1 + (lostBefore[place] ?? 0)
      placement.take([1000], end: time + late)
    }
    return placement
  }

  @Test(
    "are those of the least late deliveries, however late others are",
    arguments: [
      "all at once": (0..<20).map { Double(20 - 1 - $0) }, "one": [0, 0, 0, 0.6, 0, 0], "none": [0, 0, 0],
      "a radio's turns": [0, 0.03, 0.01, 0.05, 0, 0.02], "the first": [2, 0, 0, 0],
      "a stall": [0, 0, 0, 4, 3, 2, 1, 0, 0],
    ])
  func latePutRight(_ name: String, _ lateness: [Double]) throws {
    let placement = beats(lateness)
    #expect(placement.gaps == [])
    #expect(placement.intervals.count == lateness.count)
    for (place, end) in placement.times.enumerated() { #expect((end - 11 - Double(place)).magnitude < 1e-9) }
  }

  @Test("have a gap where a beat was lost, and none elsewhere", arguments: [0.4, 1, 7, 3600])
  func lost(seconds: Double) throws {
    let late = (0..<200).map { $0 % 7 == 3 ? 0.2 : 0.0 }
    let placement = beats(late, lostBefore: [100: seconds])
    #expect(placement.gaps == [100])
    #expect((placement.times[100] - placement.times[99] - 1 - seconds).magnitude < 1e-9)
  }

  @Test("follow a sensor's clock that goes wrong by less than a beat in an hour", arguments: [-1e-4, 1e-4])
  func drift(rate: Double) throws {
    var placement = BeatPlacement()
    for beat in 1...36_000 { placement.take([1000], end: Double(beat) * (1 + rate)) }
    #expect(placement.gaps == [])
    #expect((placement.times[35_999] - 36_000 * (1 + rate)).magnitude < 0.01)
  }

  @Test("are none without intervals, or with none that lasts", arguments: [[], [0], [-5, .nan]])
  func nothing(intervals: [Double]) {
    var placement = BeatPlacement()
    placement.take(intervals, end: 3)
    #expect(placement.intervals == [] && placement.times == [])
    #expect(placement.series.counted == [] && placement.series.overlapping == [])
  }

  @Test("leave out what is longer than an hour, and have a gap there as analyses do", arguments: [3_600_001, 1e308])
  func tooLong(interval: Double) throws {
    var placement = BeatPlacement()
    placement.take([900, 800], end: 5)
    placement.take([interval], end: 5.8)
    placement.take([800, interval, 700], end: 7.3)
    let series = IntervalSeries(placement.intervals, ends: placement.times, gapTolerance: placement.tolerance)
    let (counted, overlapping) = placement.series
    #expect(series.intervals == [900, 800, 800, 700] && series.tooLong == 2 && overlapping == [])
    #expect(counted.map(\.interval) == series.intervals && counted.map(\.end) == series.ends)
    #expect(counted.map(\.delivery) == [0, 0, 2, 2])
    #expect(counted.indices.filter { counted[$0].joint == .afterGap } == series.breaks && series.breaks == [2, 3])
    #expect((try #require(series.ends.last) - 7.3).magnitude < 1e-9)
    #expect(IntervalSeries.maxLength == BeatPlacement.maxInterval)
  }

  @Test("keep several intervals of one delivery in their order")
  func several() throws {
    var placement = BeatPlacement()
    placement.take([900, 800, 700], end: 5)
    placement.take([600], end: 5.6)
    #expect(placement.intervals == [900, 800, 700, 600])
    #expect(placement.gaps == [])
    #expect(zip(placement.times, [3.5, 4.3, 5, 5.6]).allSatisfy { ($0 - $1).magnitude < 1e-9 })
  }

  @Test("have a gap from a quarter of a second on, or from that and what their times are rounded to")
  func threshold() {
    for (lost, resolution, gaps) in [(0.24, 0.0, [Int]()), (0.26, 0, [30]), (0.9, 1, []), (1.3, 1, [30])] {
      var placement = BeatPlacement(resolution: resolution)
      for beat in 1...60 { placement.take([1000], end: Double(beat) + (beat > 30 ? lost : 0)) }
      #expect(placement.gaps == gaps, "\(lost) s lost, times in \(resolution) s")
    }
  }

  @Test("that begin before others have ended are told apart from those that count")
  func overlapping() {
    var placement = BeatPlacement()
    for beat in 1...40 {
      placement.take([1000], end: Double(beat))
      // A bridge that says every beat twice.
      placement.take([1000], end: Double(beat))
    }
    let (counted, overlapping) = placement.series
    #expect(counted.count + overlapping.count == 80 && counted.count >= 40)
    #expect(zip(counted, counted.dropFirst()).allSatisfy { $1.end - $1.interval / 1000 >= $0.end - 0.25 })
    #expect(counted.allSatisfy { $0.joint != .overlaps })
  }

  @Test("are those that an analysis counts, with its gaps, whatever was delivered", arguments: 0..<200 as Range<UInt64>)
  func analysed(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func chance(_ share: Double) -> Bool { random.uniform() < share }
    func between(_ least: Double, _ most: Double) -> Double { least + random.uniform() * (most - least) }
    var placement = BeatPlacement()
    var time = 0.0
    for _ in 0..<300 {
      var delivered: [Double] = []
      while delivered.isEmpty || chance(0.2) {
        delivered.append(between(300, 1400).rounded())
        time += (delivered.last ?? 0) / 1000
      }
      if chance(0.02) { time += between(0.1, 9) }
      let late = chance(0.1) ? between(0, 4) : between(0, 0.1)
      placement.take(delivered, end: time + late)
      if chance(0.03) { placement.take(delivered, end: time + late) }
    }
    let counted = placement.series.counted
    let series = IntervalSeries(placement.intervals, ends: placement.times, gapTolerance: placement.tolerance)
    #expect(counted.map(\.end) == series.ends)
    #expect(counted.map(\.interval) == series.intervals)
    #expect(placement.gaps == series.breaks)
    #expect(placement.series.overlapping.count == series.omitted.count)
  }
}

extension BeatPlacement {
  /// The beats that count before which others are lacking, by their place.
  fileprivate var gaps: [Int] {
    series.counted.enumerated().filter { $0.element.joint == .afterGap }.map(\.offset)
  }
}
