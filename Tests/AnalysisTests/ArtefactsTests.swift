import JSON
import Randomness
import Testing

@testable import Analysis

@Suite("Artefacts")
struct ArtefactsTests {
  private func correction(_ name: String) throws -> (faulty: [Double], peer: JSONValue) {
    let peer = try #require(try Reference.peers(name)["correction"])
    return (try #require(peer["intervals"]).numbers, peer)
  }

  private func rmssd(_ series: IntervalSeries) throws -> Double {
    try #require(HeartAnalysis(series).measurement(.rmssd).value)
  }

  @Test("are classified as NeuroKit2 classifies them in its first pass", arguments: Reference.names)
  func classification(name: String) throws {
    let (faulty, peer) = try correction(name)
    let chain = BeatChain(IntervalSeries(faulty), 0..<faulty.count)
    let kinds = Classification(of: chain.intervals, in: 0..<faulty.count + 1, LipponenTarvainen()).kinds
    for (kind, key) in [
      (Artefact.Kind.ectopic, "ectopic"), (.missed, "missed"), (.extra, "extra"), (.longOrShort, "longshort"),
    ] {
      let expected = try #require(peer["found"]?[key]).numbers.map { Int($0) }
      #expect(kinds.filter { $0.kind == kind }.map(\.beat) == expected, "\(key)")
    }
  }

  @Test(
    "that were put in on purpose are all found, and RMSSD is within a tenth of the clean one",
    arguments: Reference.names)
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

  @Test("every change is told with the recorded interval that it was made at")
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
      case .kept, .leftOut: Issue.record("\(artefact) is not at an edge")
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
    "many faults, some close together, leave a series of the same duration", arguments: 1...20 as ClosedRange<UInt64>)
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
    #expect(abs(corrected.corrected.intervals.reduce(0, +) - intervals.reduce(0, +)) < 1e-6)
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
}
