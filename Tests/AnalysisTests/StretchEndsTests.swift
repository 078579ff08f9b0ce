import Basics
import Testing

@testable import Analysis
@testable import Recordings

/// Artefacts beside a gap, and at the beginning and the end of a recording.
@Suite("Artefacts at the ends of stretches")
struct StretchEndsTests {
  /// A fault of one or two beats.
  enum Fault: CaseIterable {
    case missed, twoMissed, extra, unevenExtra, early, late, short, long

    /// The number of intervals with the fault, and of those without it.
    var width: (faulty: Int, clean: Int) {
      switch self {
      case .missed: (1, 2)
      case .twoMissed: (1, 3)
      case .extra, .unevenExtra: (2, 1)
      case .early, .late: (2, 2)
      case .short, .long: (1, 1)
      }
    }

    /// Whether the paper's correction restores it within a stretch; a long or short interval is only shared out.
    var isRestoredWithin: Bool { self != .short && self != .long }

    /// Puts the fault into intervals; its first faulty interval is at a place.
    func put(into intervals: [Double], at place: Int) -> [Double] {
      let old = Array(intervals[place..<place + width.clean])
      let new =
        switch self {
        case .missed, .twoMissed: [old.reduce(0, +)]
        case .extra: [old[0] / 2, old[0] / 2]
        case .unevenExtra: [0.3 * old[0], 0.7 * old[0]]
        case .early: [0.65 * old[0], old[1] + 0.35 * old[0]]
        case .late: [1.35 * old[0], old[1] - 0.35 * old[0]]
        case .short: [0.6 * old[0]]
        case .long: [1.5 * old[0]]
        }
      return intervals[..<place] + new + intervals[(place + width.clean)...]
    }
  }

  /// Intervals with breathing, something slower, and noise; the breathing is from small to as large as an athlete's.
  private func clean(_ breathing: Double, seed: UInt64, count: Int) -> [Double] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { index in
      let breath: Double = breathing * sine(Double(index) * 2 * .pi / 4.5 + Double(seed))
      let drift: Double = 15 * sine(Double(index) / 40)
      return 820 + breath + drift + (2 + breathing / 3) * random.normal()
    }
  }

  private func series(_ stretches: [[Double]]) -> IntervalSeries {
    var (intervals, ends, time) = ([Double](), [Double](), 0.0)
    for stretch in stretches {
      for interval in stretch {
        time += interval / 1000
        intervals.append(interval)
        ends.append(time)
      }
      time += 7.3
    }
    return IntervalSeries(intervals, ends: ends)
  }

  private func rmssd(_ series: IntervalSeries) throws -> Double {
    try #require(HeartAnalysis(series).measurement(.rmssd).value)
  }

  /// Puts a fault into one of several stretches and corrects it.
  private func check(_ fault: Fault, at place: Int, of stretch: Int, in clean: [[Double]], _ name: String) throws {
    var faulty = clean
    faulty[stretch] = fault.put(into: clean[stretch], at: place)
    let start = clean[..<stretch].reduce(0) { $0 + $1.count }
    let corrected = LipponenTarvainen().correct(series(faulty))
    let places = start + place - 1...start + place + fault.width.faulty
    #expect(corrected.artefacts.contains { places.contains($0.index) }, "\(name) is listed")
    let error = relativeError(try rmssd(corrected.corrected), try rmssd(series(clean)))
    #expect(error < 0.15, "\(name): RMSSD is off by \(error)")
    #expect(corrected.corrected.stretches.count <= corrected.raw.stretches.count)
  }

  @Test(
    "are found and corrected at the beginning and at the end of a recording, and on both sides of a gap",
    arguments: Fault.allCases, [5.0, 20, 40])
  func places(fault: Fault, breathing: Double) throws {
    for seed in 1...8 as ClosedRange<UInt64> {
      let all = clean(breathing, seed: seed, count: 240)
      let stretches = [Array(all[..<90]), Array(all[90..<170]), Array(all[170...])]
      for stretch in stretches.indices {
        let last = stretches[stretch].count - fault.width.clean
        for place in [0, 1, last - 1, last] where fault.isRestoredWithin || place == 0 || place == last {
          try check(fault, at: place, of: stretch, in: stretches, "\(fault) at \(place) of \(stretch), seed \(seed)")
        }
      }
    }
  }

  @Test("are found in stretches of one to five intervals", arguments: Fault.allCases, [5.0, 20, 40])
  func shortStretches(fault: Fault, breathing: Double) throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      for count in 1...5 {
        let all = clean(breathing, seed: seed, count: 240)
        let width = count - fault.width.faulty + fault.width.clean
        guard width >= fault.width.clean else { continue }
        let stretches = [Array(all[..<100]), Array(all[100..<100 + width]), Array(all[120...])]
        let last = width - fault.width.clean
        for place in 0...last where fault.isRestoredWithin || place == 0 || place == last {
          try check(fault, at: place, of: 1, in: stretches, "\(fault) at \(place) of \(count), seed \(seed)")
        }
      }
    }
  }

  @Test("a faulty interval at an end is left out, and counts as one that was corrected")
  func leftOut() {
    let clean = (0..<60).map { 800 + 10 * sine(Double($0)) }
    for (place, interval, kind) in [
      (0, 400.0, Artefact.Kind.longOrShort), (59, 400, .longOrShort), (59, 1600, .missed), (0, 1610, .missed),
      (0, 2400, .missed), (59, 9000, .missed),
    ] {
      var intervals = clean
      intervals[place] = interval
      let raw = IntervalSeries(intervals)
      let corrected = LipponenTarvainen().correct(raw)
      #expect(
        corrected.artefacts == [
          Artefact(index: place, time: raw.ends[place], interval: interval, kind: kind, change: .leftOut)
        ])
      #expect(corrected.altered == [place] && corrected.artefactShare == 1.0 / 60)
      #expect(corrected.corrected.intervals == (place == 0 ? Array(intervals.dropFirst()) : intervals.dropLast()))
      #expect(corrected.corrected.breaks.isEmpty)
    }
  }

  @Test("several in a row before a gap are all left out")
  func several() {
    let clean = (0..<60).map { 800 + 10 * sine(Double($0)) }
    for bad in [[500.0], [1600, 400], [2400, 2400, 5000]] {
      let corrected = LipponenTarvainen().correct(series([clean + bad, clean]))
      #expect(corrected.corrected.intervals == clean + clean)
      #expect(corrected.artefacts.map(\.index) == Array(60..<60 + bad.count))
      #expect(corrected.artefacts.allSatisfy { $0.change == .leftOut })
      #expect(corrected.corrected.breaks == [60])
    }
  }

  @Test("of a healthy heart hardly anything is left out, also in short stretches", arguments: [5.0, 20, 40, 60])
  func healthy(breathing: Double) {
    var (leftOut, all) = (0, 0)
    for seed in 1...40 as ClosedRange<UInt64> {
      let intervals = clean(breathing, seed: seed, count: 240)
      for length in [2, 5, 12, 60, 240] {
        let stretches = stride(from: 0, to: 240, by: length).map { Array(intervals[$0..<$0 + length]) }
        let corrected = LipponenTarvainen().correct(series(stretches))
        leftOut += corrected.artefacts.count { $0.change == .leftOut }
        all += corrected.raw.count
      }
    }
    #expect(Double(leftOut) < 0.01 * Double(all), "\(leftOut) of \(all)")
  }

  @Test("of a recording of a few intervals nothing is invented", arguments: 1...6)
  func few(count: Int) {
    for place in 0..<count {
      for interval in [1e-9, 400, 1600, 2400, 20_000] {
        var intervals = [Double](repeating: 800, count: count)
        intervals[place] = interval
        let corrected = LipponenTarvainen().correct(IntervalSeries(intervals))
        #expect((0...1).contains(corrected.artefactShare))
        #expect(corrected.corrected.intervals.allSatisfy { $0 > 0 })
        if count < 5 { #expect(corrected.artefacts.isEmpty && corrected.corrected == corrected.raw) }
      }
    }
  }
}
