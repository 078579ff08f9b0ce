import Basics
import Study
import TestSupport
import Testing

@testable import Bundles
@testable import Quantities

@Suite("A bundle's samples")
struct BundleSamplesTests {
  private static let fixture = "\(Repository.root)/Tests/BundlesTests/Fixtures/bundle"

  @Test("Every item is a sample with its trial, clip, sensor and device")
  func fixture() throws {
    let bundle = try Bundle(Self.fixture)
    let all = try bundle.readSamples()
    #expect(all.problems == [])
    let items = try #require(JSONReader.read(try bundle.heart()).value["items"]?.array)
    #expect(all.samples.count == items.count)
    #expect(all.samples.count == bundle.record.samples)
    for (sample, item) in zip(all.samples, items) {
      #expect(sample.type.healthKitIdentifier == item["type"]?.string)
      let value = try sample.value(in: Unit(try #require(item["unit"]?.string)))
      #expect(abs(value - (try #require(item["value"]?.number))) < 1e-9)
      #expect(sample.start.description == item["startDate"]?.string)
      #expect(sample.end.description == item["endDate"]?.string)
      #expect(sample.metadata[BundleSamples.Key.recorder] == item["recorder"]?.string.map { .string($0) })
      #expect(sample.metadata[BundleSamples.Key.late] == item["late"]?.bool.map { .bool($0) })
      #expect(sample.metadata[BundleSamples.Key.contact] == item["contact"]?.bool.map { .bool($0) })
      #expect(sample.metadata[BundleSamples.Key.trial] == .string(bundle.record.trial))
      #expect(sample.metadata[Metadata.Key.participant] == .string("P01"))
      #expect(sample.metadata[BundleSamples.Key.clip] == bundle.record.clip.map { .string($0.clip.name) })
      #expect(sample.metadata[BundleSamples.Key.clipSHA256] == bundle.record.clip.map { .string($0.clip.sha256) })
      #expect(sample.sourceRevision.source == Source(name: "simulated", bundleIdentifier: "station.simulated"))
      #expect(sample.device == Device(name: "Simulated heart"))
    }
    #expect(Set(all.samples.map(\.uuid)).count == all.samples.count)
    #expect(try bundle.readSamples() == all)
  }

  @Test("Time zone, sensor location and motion context stand in every sample of a trial that knew them")
  func context() throws {
    let fields: [String: JSONValue] = ["timeZone": "Europe/Amsterdam", "location": "chest", "motion": "sedentary"]
    let known = try Self.read([(1000, [800])], fields)
    let none = try Self.read([(1000, [800])])
    for metadata in known.samples.map(\.metadata) + known.series.map(\.metadata) {
      #expect(metadata.timeZone == "Europe/Amsterdam")
      #expect(metadata.sensorLocation == .chest)
      #expect(metadata.motionContext == .sedentary)
    }
    for metadata in none.samples.map(\.metadata) + none.series.map(\.metadata) {
      #expect(metadata.timeZone == nil && metadata.sensorLocation == nil)
      #expect(metadata[Metadata.Key.heartRateMotionContext] == nil)
    }
    #expect(known.samples.map(\.uuid) == none.samples.map(\.uuid))
  }

  @Test("The intervals that came with heart rates are a series of beats, and no beat is in two series")
  func series() throws {
    let bundle = try Bundle(Self.fixture)
    let all = try bundle.readSamples()
    let items = try #require(JSONReader.read(try bundle.heart()).value["items"]?.array)
    let beats = items.reduce(0) { $0 + ($1["rr_ms"]?.array?.count ?? 0) }
    #expect(beats > 0)
    #expect(all.series.reduce(0) { $0 + $1.beats.count } == beats)
  }

  private static func document(_ items: [JSONValue]) -> [UInt8] {
    JSONValue.object(["items": .array(items)]).encoded()
  }

  /// A result with one heart-rate recorder whose items have these intervals, each ending at a time in milliseconds.
  private static func read(
    _ readings: [(end: Double, intervals: [Double])], _ known: [String: JSONValue] = [:], trial: String = "t"
  ) throws -> BundleSamples {
    var opening = TrialStory.opening
    opening.trial = trial
    opening.zero.wall = try #require(WallTime("2026-11-20T10:00:00Z"))
    opening.station.timeZone = known["timeZone"]?.string
    var recorder = opening.recorders[0]
    recorder.configuration.identifier = "heart"
    recorder.configuration.motionContext = known["motion"]?.string.flatMap { .init(name: $0) } ?? .notSet
    recorder.sensor.location = known["location"]?.string.flatMap { .init(name: $0) }
    opening.recorders = [recorder]
    let account = TrialAccount(opening: opening)
    let record = TrialRecord(of: account, cuts: [RecorderCut(recorder, in: account)], embeddedClip: nil)
    let items = readings.enumerated().map { index, reading -> JSONValue in
      [
        "recorder": "heart", "seq": .integer(index), "t_ns": .number(reading.end * 1e6), "type": "heartRate",
        "unit": "count/min", "value": 60, "rr_ms": .array(reading.intervals.map(JSONValue.number)),
      ]
    }
    return try BundleSamples(record: record, heart: Self.document(items))
  }

  @Test("Beats between which time is missing have a gap, in the order of time, as an analysis finds them")
  func chains() throws {
    let all = try Self.read([(1000, [1000]), (2990, [1000, 990]), (9000, [1000]), (8000, [900]), (10_000, [0, 1000])])
    #expect(all.problems == [])
    #expect(all.samples.count == 5)
    #expect(all.series.count == 1)
    let series = try #require(all.series.first)
    #expect(series.start == WallTime("2026-11-20T10:00:00Z"))
    let times = [1000, 2000, 2990, 8000, 9000, 10_000].map { Duration.milliseconds($0) }
    #expect(series.beats.map(\.timeSinceStart) == times)
    #expect(series.beats.map(\.isPrecededByGap) == [false, false, false, true, false, false])
  }

  @Test("Beats that begin before others have ended are series of their own, each with its own UUID")
  func overlapping() throws {
    let all = try Self.read((1...200).map { (Double($0) * 1000, [1000, 1000]) })
    #expect(all.problems == [])
    #expect(all.series.count > 1)
    #expect(all.series.reduce(0) { $0 + $1.beats.count } == 400)
    #expect(Set(all.series.map(\.uuid)).count == all.series.count)
  }

  @Test("Beats that last longer than the longest series are several, all kept and reported")
  func long() throws {
    // A quarter of a million intervals of 1.5 s are a little more than four days.
    let lines = (1...50).map { (end: Double($0) * 7_500_000, intervals: [Double](repeating: 1500, count: 5000)) }
    let all = try Self.read(lines)
    #expect(all.series.count == 2 && all.problems.count == 1)
    #expect(all.series.reduce(0) { $0 + $1.beats.count } == 250_000)
    #expect(all.series.allSatisfy { Storable.problem(with: $0) == nil })
    #expect(Set(all.series.map(\.uuid)).count == 2)
    #expect(all.series[1].start == all.series[0].end)
  }

  @Test("A bundle read piece by piece is what it is as a whole")
  func pieces() throws {
    let bundle = try Bundle(Self.fixture)
    let reader = try BundleSampleReader(bundle)
    var samples: [QuantitySample] = []
    var series: [HeartbeatSeries] = []
    while let piece = try reader.next() {
      samples += piece.samples
      series += piece.series
    }
    let all = try BundleSamples(record: bundle.record, heart: bundle.heart())
    #expect(samples == all.samples && series == all.series && reader.problems == all.problems)
    #expect(samples.allSatisfy { $0.metadata[BundleSamples.Key.step] != nil })
  }

  @Test(
    "A heart file without items is refused",
    arguments: ["", " \n", "{}", "{\"items\":3}", "{\"items\":[{},", "{\"items\":[,]}"])
  func refused(text: String) throws {
    let record = try Bundle(Self.fixture).record
    #expect(throws: FieldProblem.self) { try BundleSamples(record: record, heart: Array(text.utf8)) }
  }

  @Test("The same record of another trial is another sample")
  func trials() throws {
    let (one, other) = (try Self.read([(1000, [800])]), try Self.read([(1000, [800])], trial: "u"))
    #expect(one.samples.first?.uuid != other.samples.first?.uuid)
    #expect(one.series.first?.uuid != other.series.first?.uuid)
    #expect(try Self.read([(1000, [800])]) == one)
  }

  @Test("An item that is not a sample is reported and costs no other")
  func problems() throws {
    let record = try Bundle(Self.fixture).record
    let good: JSONValue = [
      "recorder": "heartRateConfig", "seq": 1, "t_ns": 0, "type": "heartRate", "unit": "count/min", "value": 60,
    ]
    let changes: [[String: JSONValue]] = [
      ["recorder": "other"], ["recorder": .null], ["unit": "kg"], ["value": .null], ["seq": 1.5], ["seq": -1],
      ["t_ns": .null], ["t_ns": 1e300], ["rr_ms": "none"], ["rr_ms": [-1]], ["type": "stepCount"],
    ]
    let bad = [3] + changes.map { JSONValue.object((good.object ?? [:]).merging($0) { $1 }) }
    let all = try BundleSamples(record: record, heart: Self.document([good] + bad + [good]))
    #expect(all.samples.count == 2)
    #expect(all.problems.count == bad.count)
    #expect(all.problems.first?.hasPrefix("item 2: ") == true)
  }
}
