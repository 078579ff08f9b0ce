import Basics
import Testing

@testable import Analysis
@testable import Recordings

@Suite("Artefacts")
struct ArtefactsTests {
  private func correction(_ name: String) throws -> (faulty: [Double], peer: JSONValue) {
    let peer = try #require(try Reference.peers(name)["correction"])
    return (try #require(peer["intervals"]).numbers, peer)
  }

  private func rmssd(_ series: IntervalSeries) throws -> Double {
    try #require(HeartAnalysis(series).measurement(.rmssd).value)
  }

  /// NeuroKit2 names the interval after a beat that came early or late, and often that beat as long or short besides.
  @Test(
    "are classified as NeuroKit2 classifies them in its first pass, but that the beat at fault is the ectopic one",
    arguments: Reference.correctedNames)
  func classification(name: String) throws {
    let (faulty, peer) = try correction(name)
    let chain = BeatSequence(IntervalSeries(faulty), 0..<faulty.count)
    let kinds = Classification(of: chain.intervals, in: 0..<faulty.count + 1, LipponenTarvainen()).kinds
    func ours(_ kind: Artefact.Kind) -> Set<Int> { Set(kinds.filter { $0.kind == kind }.map(\.beat)) }
    func peers(_ key: String) throws -> Set<Int> { Set(try #require(peer["found"]?[key]).numbers.map { Int($0) }) }
    #expect(ours(.missed) == (try peers("missed")))
    #expect(ours(.extra) == (try peers("extra")))
    // NeuroKit2 does not look at the last two beats; of its ectopic beats in a row every other one is ours.
    let (ectopic, before) = (ours(.ectopic), Set(try peers("ectopic").map { $0 - 1 }))
    #expect(ectopic.filter { $0 < faulty.count - 2 }.isSubset(of: before) && !ectopic.isEmpty)
    #expect(before.allSatisfy { ectopic.contains($0) != (ectopic.contains($0 - 1) || ectopic.contains($0 + 1)) })
    // What is long or short to NeuroKit2 and not to us is a beat at fault, or stands out only from one.
    #expect(ours(.longOrShort).isSubset(of: try peers("longshort")))
    #expect(
      try peers("longshort").subtracting(ours(.longOrShort)).allSatisfy {
        ectopic.contains($0) || ectopic.contains($0 + 1)
      }
    )
  }

  @Test(
    "that were put in on purpose are all found, and RMSSD is within a tenth of the clean one",
    arguments: Reference.correctedNames)
  func faults(name: String) throws {
    let (faulty, peer) = try correction(name)
    let raw = IntervalSeries(faulty)
    let corrected = LipponenTarvainen().correct(raw)
    // Two beats that come early, one that is lacking and one too many; an early beat shows at its two intervals.
    for (kinds, indices) in [
      ([Artefact.Kind.ectopic, .longOrShort], 48...51), ([.missed], 98...100),
      ([.ectopic, .longOrShort], 147...150), ([.extra], 198...200),
    ] {
      #expect(corrected.artefacts.contains { kinds.contains($0.kind) && indices.contains($0.index) }, "\(indices)")
    }
    let clean = try #require(peer["cleanRMSSD"]?.number)
    #expect(relativeError(try rmssd(raw), try #require(peer["faultyRMSSD"]?.number)) < 1e-9)
    #expect(relativeError(try rmssd(corrected.corrected), clean) < 0.1)
    #expect(corrected.raw == raw)
    #expect(corrected.corrected.start == raw.start && abs(corrected.corrected.end - raw.end) < 1e-9)
    #expect(HeartAnalysis(corrected).measurement(.rmssd).artefactShare == corrected.artefactShare)
    #expect(corrected.artefactShare > 0)
  }

  @Test("every change is reported with the recorded interval that it was made at")
  func changes() throws {
    let (faulty, _) = try correction("nsrdb-short")
    let corrected = LipponenTarvainen().correct(IntervalSeries(faulty))
    var (inserted, removed) = (0, 0)
    for artefact in corrected.artefacts {
      #expect(artefact.interval == faulty[artefact.index])
      switch artefact.change {
      case .inserted(let time):
        inserted += 1
        #expect(time < artefact.time && time > artefact.time - artefact.interval / 1000)
      case .removed: removed += 1
      case .moved(let seconds): #expect(abs(seconds) < 1)
      case .leftOut: Issue.record("\(artefact) is not at an edge")
      }
    }
    #expect(corrected.corrected.count == faulty.count + inserted - removed)
    #expect(corrected.method.hasPrefix("Lipponen and Tarvainen 2019: alpha 5.2"))
  }

  @Test("intervals between beats that were not touched stay exactly as they were")
  func untouched() throws {
    let intervals = try Reference.intervals("nsrdb-short").map { $0 / 1.024 }
    let raw = IntervalSeries(intervals)
    let corrected = LipponenTarvainen().correct(raw)
    let recorded = Set(intervals)
    let changed = corrected.corrected.intervals.count { !recorded.contains($0) }
    #expect(changed <= 2 * corrected.artefacts.count)
  }

  @Test("are not found where there are none: constant, alternating by a step of the sensor, and slowly rising")
  func none() {
    let alternating = (0..<300).map { 800 + ($0.isMultiple(of: 2) ? 0 : 1000.0 / 1024) }
    for intervals in [
      [Double](repeating: 800, count: 300), alternating, (0..<300).map { 700 + Double($0) }, [800, 900], [], [1000],
    ] {
      let raw = IntervalSeries(intervals)
      let corrected = LipponenTarvainen().correct(raw)
      #expect(corrected.artefacts.isEmpty)
      #expect(corrected.corrected == raw)
      #expect(corrected.artefactShare == 0)
    }
  }

  @Test("a beat missed in a series that does not vary is put back")
  func missedInConstant() {
    var intervals = [Double](repeating: 800, count: 200)
    intervals[100] = 1600
    let corrected = LipponenTarvainen().correct(IntervalSeries(intervals))
    #expect(corrected.artefacts.contains { $0.index == 100 && $0.kind == .missed })
    #expect(corrected.corrected.count == 201)
    #expect(corrected.corrected.intervals.allSatisfy { abs($0 - 800) < 1e-9 })
  }

  @Test("stretches are corrected each by itself, and their gaps stay")
  func stretches() throws {
    let (faulty, _) = try correction("nsrdb-short")
    let whole = IntervalSeries(faulty)
    let ends = whole.ends.enumerated().map { $0.offset < 160 ? $0.element : $0.element + 60 }
    let raw = IntervalSeries(faulty, ends: ends)
    #expect(raw.breaks == [160])
    let corrected = LipponenTarvainen().correct(raw).corrected
    #expect(corrected.breaks.count == 1)
    #expect(corrected.end == raw.end)
    #expect(abs(corrected.duration - raw.duration) < 1e-9)
    for (index, stretch) in corrected.stretches.enumerated() {
      let sum = corrected.intervals[stretch].reduce(0, +)
      #expect(abs(sum - raw.intervals[raw.stretches[index]].reduce(0, +)) < 1e-6)
    }
  }

  @Test(
    "many faults, some close together, leave a series of the same duration but for what is left out at its ends",
    arguments: 1...20 as ClosedRange<UInt64>)
  func manyFaults(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let intervals = (0..<600).flatMap { _ in
      let interval = 800 + 40 * random.normal()
      return switch random.next() % 60 {
      case 0: [2 * interval]
      case 1: [interval / 2, interval / 2]
      case 2: [interval * 0.6, interval * 1.4]
      case 3: [interval * 1.8]
      default: [interval]
      }
    }
    let raw = IntervalSeries(intervals)
    let corrected = LipponenTarvainen().correct(raw)
    #expect(corrected.artefacts.count > 15)
    let leftOut = corrected.artefacts.filter { $0.change == .leftOut }.reduce(0) { $0 + $1.interval }
    #expect(abs(corrected.corrected.intervals.reduce(0, +) + leftOut - intervals.reduce(0, +)) < 1e-6)
    #expect(corrected.corrected.intervals.allSatisfy { $0 > 0 })
    #expect(zip(corrected.corrected.ends, corrected.corrected.ends.dropFirst()).allSatisfy { $0 < $1 })
    #expect(corrected.artefactShare <= 1)
  }

  @Test("a range filter leaves out what lies beyond its limits, and a gap in its place")
  func rangeFilter() {
    let raw = IntervalSeries([800, 2500, 810, 805, 250, 790, 800])
    let filtered = RangeFilter().correct(raw)
    #expect(filtered.corrected.intervals == [800, 810, 805, 790, 800])
    #expect(filtered.corrected.breaks == [1, 3])
    #expect(filtered.artefacts.map(\.index) == [1, 4])
    #expect(filtered.artefacts.allSatisfy { $0.kind == .outOfRange && $0.change == .leftOut })
    #expect(filtered.artefactShare == 2.0 / 7)
    #expect(filtered.corrected.ends == [0.8, 4.11, 4.915, 5.955, 6.755])
  }

  @Test("a range filter can ask intervals to be near their neighbours' median")
  func deviation() {
    var intervals = [Double](repeating: 800, count: 30)
    intervals[10] = 1100
    let filtered = RangeFilter(greatestDeviation: 0.2).correct(IntervalSeries(intervals))
    #expect(filtered.artefacts.map(\.index) == [10])
    #expect(RangeFilter().correct(IntervalSeries(intervals)).artefacts.isEmpty)
  }

  @Test("several beats lacking in a row are put back, each with its entry", arguments: [(2, 2400.0), (3, 3200)])
  func severalMissed(count: Int, interval: Double) throws {
    var intervals = [Double](repeating: 800, count: 200)
    intervals[100] = interval
    let corrected = LipponenTarvainen().correct(IntervalSeries(intervals))
    #expect(corrected.corrected.count == 200 + count)
    #expect(corrected.corrected.intervals.allSatisfy { abs($0 - 800) < 1e-9 })
    #expect(corrected.artefacts.count == count)
    for (place, artefact) in corrected.artefacts.enumerated() {
      guard case .inserted(let time) = artefact.change else {
        Issue.record("\(artefact)")
        continue
      }
      #expect(artefact.index == 100 && artefact.kind == .missed && artefact.interval == interval)
      #expect(abs(time - (80 + 0.8 * Double(place + 1))) < 1e-9)
    }
    #expect(corrected.artefactShare == 1.0 / 200)
  }

  @Test("beats lacking among beats that vary leave RMSSD within a tenth of the clean one", arguments: [2, 3])
  func severalMissedOfMany(count: Int) throws {
    let clean = try Reference.intervals("generated")
    var beats = IntervalSeries(clean).ends
    for place in [500, 300, 120] { beats.removeSubrange(place..<place + count) }
    let intervals = [clean[0]] + zip(beats, beats.dropFirst()).map { ($1 - $0) * 1000 }
    let corrected = LipponenTarvainen().correct(IntervalSeries(intervals))
    #expect(corrected.corrected.count == clean.count && corrected.corrected.breaks.isEmpty)
    #expect(relativeError(try rmssd(corrected.corrected), try rmssd(IntervalSeries(clean))) < 0.1)
  }

  @Test("a drop-out within a series is left out as a gap, and nothing else changes", arguments: [5200.0, 20_000])
  func dropOut(interval: Double) {
    let raw = IntervalSeries([Double](repeating: 800, count: 100) + [interval] + [Double](repeating: 800, count: 99))
    let corrected = LipponenTarvainen().correct(raw)
    #expect(corrected.corrected.intervals == [Double](repeating: 800, count: 199))
    #expect(corrected.corrected.breaks == [100])
    #expect(corrected.artefacts.map(\.index) == [100])
    #expect(corrected.artefacts.allSatisfy { $0.kind == .missed && $0.change == .leftOut && $0.interval == interval })
    #expect(corrected.corrected.end == raw.end)
  }

  @Test("where clocks drift, corrected beats stay among those that were recorded")
  func drift() throws {
    var intervals = [Double](repeating: 800, count: 200)
    intervals[149] = 1600
    // Each interval is 800 ms by the sensor's clock, and 850 by the recorder's.
    var ends: [Double] = []
    for interval in intervals { ends.append((ends.last ?? 0) + interval / 1000 + 0.05) }
    let raw = IntervalSeries(intervals, ends: ends)
    #expect(raw.breaks.isEmpty)
    let corrected = LipponenTarvainen().correct(raw)
    #expect(corrected.corrected.count == 201)
    #expect(zip(corrected.corrected.ends, corrected.corrected.ends.dropFirst()).allSatisfy { $0 < $1 })
    let artefact = try #require(corrected.artefacts.first)
    guard case .inserted(let time) = artefact.change else {
      Issue.record("\(artefact)")
      return
    }
    #expect(abs(time - (ends[148] + ends[149]) / 2) < 1e-9)
    #expect(corrected.corrected.ends[149] == time)
  }

  @Test(
    "what is told is what differs from the recording, once for each beat and in the order of time",
    arguments: 1...20 as ClosedRange<UInt64>)
  func ledger(seed: UInt64) {
    var random = SplitMix64(seed: 100 + seed)
    let intervals = (0..<500).flatMap { _ in
      let interval = 800 + 50 * random.normal()
      return switch random.next() % 25 {
      case 0: [2 * interval]
      case 1: [interval / 2, interval / 2]
      case 2: [interval * 0.6, interval * 1.4]
      case 3: [interval * 1.7]
      case 4: [interval * 0.3, interval * 0.3, interval * 0.4]
      default: [interval]
      }
    }
    let raw = IntervalSeries(intervals)
    let corrected = LipponenTarvainen().correct(raw)
    // The recording, changed as told, has the corrected series' beats.
    var beats = raw.ends.map { Double?.some($0) }
    var inserted: [Double] = []
    var told: [Int] = []
    for artefact in corrected.artefacts {
      #expect(artefact.interval == intervals[artefact.index] && artefact.time == raw.ends[artefact.index])
      switch artefact.change {
      case .inserted(let time):
        inserted.append(time)
        continue
      case .moved(let seconds): beats[artefact.index] = raw.ends[artefact.index] + seconds
      case .removed, .leftOut: beats[artefact.index] = nil
      }
      told.append(artefact.index)
    }
    #expect(Set(told).count == told.count)
    #expect(corrected.artefacts.map(\.index) == corrected.artefacts.map(\.index).sorted())
    let expected = (beats.compactMap { $0 } + inserted).sorted()
    #expect(expected.count == corrected.corrected.count)
    #expect(zip(expected, corrected.corrected.ends).allSatisfy { abs($0 - $1) < 1e-9 })
    // An interval is found again where both its beats are.
    let remaining = Set(zip(corrected.corrected.intervals, corrected.corrected.ends).map { [$0, $1] })
    let changed = raw.intervals.indices.filter { !remaining.contains([raw.intervals[$0], raw.ends[$0]]) }
    #expect(corrected.altered == changed)
    #expect(corrected.artefactShare == Double(corrected.altered.count) / Double(raw.count))
  }

  @Test(
    "what NeuroKit2 finds in one pass is moved, put in and taken out as it does", arguments: Reference.correctedNames)
  func singlePass(name: String) throws {
    let (faulty, peer) = try correction(name)
    let expected = try #require(peer["onceIntervals"]).numbers
    var sequence = BeatSequence(IntervalSeries(faulty), 0..<faulty.count)
    var found = [Artefact.Kind?](repeating: nil, count: sequence.beats.count)
    for (kind, key) in [
      (Artefact.Kind.ectopic, "ectopic"), (.missed, "missed"), (.extra, "extra"), (.longOrShort, "longshort"),
    ] {
      for beat in try #require(peer["found"]?[key]).numbers { found[Int(beat)] = kind }
    }
    _ = sequence.change(found)
    let times = sequence.beats.map(\.time)
    var peerTimes = [0.0]
    for interval in expected { peerTimes.append((peerTimes.last ?? 0) + interval) }
    // NeuroKit2 cuts times off to whole samples, here milliseconds, each time that it moves beats.
    #expect(times.count == peerTimes.count)
    for (time, peerTime) in zip(times, peerTimes) { #expect(time - peerTime >= -1e-6 && time - peerTime < 2) }
  }
}
