import Analysis
import Basics
import Quantities
import Study
import TestSupport
import Testing

@testable import Bundles
@testable import Recordings
@testable import Sensors

/// What one heart file's beats are to those who read it.
@Suite("The beats of one heart file")
struct SameBeatsTests {
  /// How a trial's items differ from a plain one's.
  enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case plain, jitter, lost, lateForAWhile, withoutContact, inTurn, atOnce, twice, backwards, besideIntervals

    var testDescription: String { rawValue }
  }

  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func items(_ kind: Kind) -> [JSONValue] {
    var trial = MadeTrial()
    trial.intervals = (0..<200).map { 800 + Double($0 * 37 % 100) / 8 }
    if kind == .inTurn { trial.recorder = { $0 <= 60 ? "rest" : "music" } }
    if kind == .withoutContact { trial.changes = { (80..<85).contains($0) ? ["contact": false] : [:] } }
    func delayed(_ delay: (Int) -> Double) -> [JSONValue] {
      trial.items.enumerated().map { place, item in
        changed(item, ["t_ns": .number((item["t_ns"]?.number ?? 0) + (delay(place) * 1e9).rounded())])
      }
    }
    let plain = trial.items
    switch kind {
    case .plain, .inTurn, .withoutContact: return plain
    // More than a sensor's own inaccuracy, less than a beat.
    case .jitter: return delayed { Double($0 * 7 % 10) * 0.018 }
    case .lost: return delayed { $0 >= 120 ? 1.7 : $0 >= 40 ? 0.4 : 0 }
    case .lateForAWhile: return delayed { (50..<54).contains($0) ? Double(54 - $0) : 0 }
    case .atOnce: return plain.flatMap { [$0, changed($0, ["recorder": "music"])] }
    case .twice: return plain.flatMap { [$0, $0] }
    case .backwards: return plain.reversed()
    case .besideIntervals:
      return plain.flatMap { item in
        [
          item,
          changed(
            item,
            [
              "recorder": "intervals", "type": "StationQuantityTypeIdentifierRRInterval", "unit": "ms",
              "value": item["rr_ms"]?.array?.first, "rr_ms": nil,
            ]),
        ]
      }
    }
  }

  private func changed(_ item: JSONValue, _ changes: [String: JSONValue?]) -> JSONValue {
    var members = item.object ?? [:]
    for (key, value) in changes { members[key] = value }
    return .object(members)
  }

  /// When each beat came, in nanoseconds, and before which ones others are lacking.
  private struct Beats: Equatable {
    var times: [Int64] = []
    var gaps: Set<Int64> = []
  }

  private func analysed(_ items: [JSONValue]) throws -> Beats {
    try analysed(JSONValue.object(["items": .array(items)]).encoded())
  }

  private func analysed(_ text: [UInt8]) throws -> Beats {
    let path = scratch["analysed"]
    try File.create(path, text)
    let recordings = try Recording.read(path: path)
    #expect(recordings.count == 1)
    let series = try #require(recordings.first?.beats)
    let times = series.ends.map { Duration(seconds: $0).nanoseconds }
    return Beats(times: times, gaps: Set(series.breaks.map { times[$0] }))
  }

  private static let zero = WallTime("2026-11-20T10:00:00.000Z")

  /// The series of each recorder that has any.
  private func stored(_ items: [JSONValue]) throws -> [String: Beats] {
    let recorders = ["heartRate", "rest", "music", "intervals"].map { name in
      let type = name == "intervals" ? QuantityType.rrInterval : .heartRate
      return TrialRecorder(
        step: "music",
        configuration: RecorderConfiguration(identifier: name, quantityType: type, unit: type.defaultUnit),
        sensor: SensorSource(name: "strap"))
    }
    let head = TrialHead(
      trial: "t", studyProtocol: ProtocolReference(identifier: "p", version: "1", sha256: ""), participant: "p",
      session: "1", seed: 1,
      zero: CalendarReading(wall: try #require(Self.zero), uncertainty: .zero, isSynchronized: nil),
      station: StationFacts(identifier: "booth", version: "0", system: "Debian"), speaker: nil, isUnattended: true)
    let account = TrialAccount(opening: TrialOpening(head: head, recorders: recorders))
    let record = TrialRecord(of: account, cuts: recorders.map { RecorderCut($0, in: account) }, embeddedClip: nil)
    let read = try BundleSamples(record: record, heart: JSONValue.object(["items": .array(items)]).encoded())
    #expect(read.problems == [])
    #expect(read.samples.count == items.count)
    #expect(Set(read.series.map(\.uuid)).count == read.series.count)
    var beats: [String: Beats] = [:]
    for series in read.series {
      guard case .string(let recorder) = series.metadata[BundleSamples.Key.recorder] else { continue }
      let start = try #require(Self.zero).duration(to: series.start)
      for beat in series.beats {
        let time = (start + beat.timeSinceStart).nanoseconds
        beats[recorder, default: Beats()].times.append(time)
        if beat.isPrecededByGap { beats[recorder, default: Beats()].gaps.insert(time) }
      }
    }
    return beats
  }

  /// Whether two say the same; a series begins at a microsecond of the calendar.
  private func areSame(_ one: Beats, _ other: Beats) -> Bool {
    func near(_ one: [Int64], _ other: [Int64]) -> Bool {
      one.count == other.count && zip(one, other).allSatisfy { abs($0 - $1) <= 1000 }
    }
    return near(one.times, other.times) && near(one.gaps.sorted(), other.gaps.sorted())
  }

  @Test("are the same, with the same gaps, in an analysis and in the store", arguments: Kind.allCases)
  func store(kind: Kind) throws {
    let items = items(kind)
    let analysed = try analysed(items)
    let stored = try stored(items)
    let expected: (beats: Int, gaps: Int) =
      switch kind {
      case .lost: (200, 2)
      case .withoutContact: (195, 1)
      default: (200, 0)
      }
    #expect(analysed.times.count == expected.beats && analysed.gaps.count == expected.gaps)
    switch kind {
    case .inTurn:
      let (rest, music) = (try #require(stored["rest"]), try #require(stored["music"]))
      let together = Beats(times: rest.times + music.times, gaps: rest.gaps.union(music.gaps))
      #expect(stored.count == 2 && areSame(analysed, together))
    case .atOnce:
      #expect(stored.count == 2)
      for beats in stored.values { #expect(areSame(analysed, beats)) }
    default:
      let beats = try #require(stored["heartRate"])
      #expect(stored.count == 1 && areSame(analysed, beats))
    }
  }

  /// What a replay delivers, placed as an analysis of it would be; its times count from its first reading.
  private func replayed(_ items: [JSONValue]) async throws -> Beats {
    try await replayed(JSONValue.object(["items": .array(items)]).encoded())
  }

  private func replayed(_ text: [UInt8]) async throws -> Beats {
    let path = scratch["replayed"]
    try File.create(path, text)
    let clock = HandClock()
    let start = clock.now
    let stream = try ReplaySensor(path).events(on: clock)
    clock.advance(by: .seconds(10_000))
    var placement = BeatPlacement()
    for await event in stream {
      guard case .readings(let readings) = event else { continue }
      for reading in readings where reading.contact != false {
        placement.take(reading.rrIntervals, end: start.duration(to: reading.happened).seconds)
      }
    }
    let counted = placement.series.counted
    let times = counted.map { Duration(seconds: $0.end).nanoseconds }
    return Beats(times: times, gaps: Set(zip(times, counted).filter { $1.joint == .afterGap }.map(\.0)))
  }

  @Test("are the same, with the same gaps, where the file is replayed", arguments: Kind.allCases)
  func replay(kind: Kind) async throws {
    let items = items(kind)
    let (analysed, replayed) = (try analysed(items), try await replayed(items))
    let shift = (analysed.times.first ?? 0) - (replayed.times.first ?? 0)
    let shifted = Beats(times: replayed.times.map { $0 + shift }, gaps: Set(replayed.gaps.map { $0 + shift }))
    #expect(areSame(analysed, shifted))
  }

  @Test(
    "are the same where they stand in a table",
    arguments: [
      (header: "time;HR (bpm);IBI", separator: ";", perSecond: 1.0), ("t (ms),hr,rr_s", ",", 1000),
      ("seconds\tRR (ms)\tpulse", "\t", 1),
    ])
  func table(header: String, separator: String, perSecond: Double) async throws {
    var time = 0.0
    let names = header.split(separator: Character(separator))
    let rows = (0..<60).map { place -> String in
      let interval = 800 + Double(place * 37 % 100)
      time += interval / 1000 + (place == 30 ? 2 : 0)
      return names.map { name in
        switch name {
        case "rr_s": "\(interval / 1000)"
        case "IBI", "RR (ms)": "\(interval)"
        case "HR (bpm)", "hr", "pulse": "\((600_000 / interval).rounded() / 10)"
        default: "\((time * 1000).rounded() / 1000 * perSecond)"
        }
      }.joined(separator: separator)
    }
    let text = Array(([header] + rows).joined(separator: "\n").utf8)
    let (analysed, replayed) = (try analysed(text), try await replayed(text))
    #expect(analysed.times.count == 60 && analysed.gaps.count == 1)
    let shift = (analysed.times.first ?? 0) - (replayed.times.first ?? 0)
    let shifted = Beats(times: replayed.times.map { $0 + shift }, gaps: Set(replayed.gaps.map { $0 + shift }))
    #expect(areSame(analysed, shifted))
  }

  @Test("are the same where intervals stand alone and only their dates say when they were")
  func dates() async throws {
    let items = (0..<30).map { place -> JSONValue in
      let date = Self.zero?.advanced(by: .milliseconds(place * 850))
      return [
        "type": "StationQuantityTypeIdentifierRRInterval", "unit": "s", "value": 0.85,
        "startDate": .string("\(date ?? .earliest)"),
      ]
    }
    let (analysed, replayed) = (try analysed(items), try await replayed(items))
    #expect(analysed.times.first == 850_000_000 && analysed.times.count == 30 && analysed.gaps == [])
    #expect(areSame(analysed, Beats(times: replayed.times.map { $0 + 850_000_000 }, gaps: replayed.gaps)))
  }
}
