import Analysis
import Bundles
import Files
import JSON
import TestSupport
import Testing

@testable import Recordings

@Suite("A heart file")
struct HeartFileTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func read(_ bytes: [UInt8], by grouping: Recording.Grouping = .sensor) throws -> [Recording] {
    let path = scratch["heart-\(bytes.count)-\(UInt32.random(in: 0 ... .max)).json"]
    try File.create(path, bytes)
    return try Recording.read(path: path, ReadingOptions(grouping: grouping))
  }

  private func document(_ items: [JSONValue]) -> JSONValue { ["items": .array(items)] }

  @Test("says the same plain, pretty, on one line, as an array and one item a line")
  func shapes() throws {
    var trial = MadeTrial()
    trial.intervals = (0..<300).map { 800 + Double($0 * 37 % 100) / 8 }
    let expected = try #require(read(trial.heart).first)
    #expect(expected.beats?.intervals == trial.intervals)
    #expect(expected.beats?.breaks == [])
    let items = trial.items
    let shapes: [[UInt8]] = [
      document(items).encoded(pretty: true), document(items).encoded(), JSONValue.array(items).encoded(),
      Array(items.map { $0.text() }.joined(separator: "\n").utf8),
    ]
    for shape in shapes {
      let recording = try #require(read(shape).first)
      #expect(recording.beats == expected.beats)
      #expect(recording.rates == expected.rates)
      #expect(recording.sensor == "strap" && recording.recorder == "heartRate")
    }
  }

  @Test("of ResearchKit, with dates and without the station's members, has rates at their times")
  func researchKit() throws {
    let items = (0..<30).map { second -> JSONValue in
      let date = "2026-11-20T10:00:\(second < 10 ? "0" : "")\(second).500+0100"
      return [
        "type": "HKQuantityTypeIdentifierHeartRate", "startDate": .string(date), "endDate": .string(date),
        "unit": "count/s", "value": 1.25, "source": "Watch “ü” \\ 1",
      ]
    }
    let recording = try #require(read(document(items).encoded(pretty: true)).first)
    #expect(recording.sensor == "Watch “ü” \\ 1")
    #expect(recording.beats == nil)
    #expect(recording.rates.values == Array(repeating: 75, count: 30))
    #expect(recording.rates.times == (0..<30).map(Double.init))
  }

  @Test("counts a reading that several recorders have once, and joins those of one sensor")
  func recorders() throws {
    var trial = MadeTrial()
    trial.recorder = { $0 <= 20.5 ? "rest" : "music" }
    let items = trial.items.flatMap { item -> [JSONValue] in
      guard var members = item.object else { return [] }
      members["recorder"] = .string("\(members["recorder"]?.string ?? "") intervals")
      members["type"] = "StationQuantityTypeIdentifierRRInterval"
      members["unit"] = "s"
      members["value"] = .number((members["rr_ms"]?.array?.first?.number ?? 0) / 1000)
      members["rr_ms"] = nil
      return [item, .object(members)]
    }
    let joined = try read(document(items).encoded())
    #expect(joined.count == 1)
    #expect(joined[0].beats?.intervals == trial.intervals)
    #expect(joined[0].beats?.breaks == [])
    #expect(joined[0].recorder == "rest+rest intervals+music+music intervals")
    let apart = try read(document(items).encoded(), by: .recorder)
    #expect(apart.map(\.recorder) == ["rest", "rest intervals", "music", "music intervals"])
    #expect(apart.map { $0.beats?.count } == [20, 20, 45, 45])
    #expect(joined[0].rates.values == apart[0].rates.values + apart[2].rates.values)
    for reversed in [items.reversed().sorted { ($0["seq"]?.number ?? 0) < ($1["seq"]?.number ?? 0) }] {
      #expect(try read(document(reversed).encoded())[0].beats?.intervals == trial.intervals)
    }
  }

  @Test("tells what was left out, and what contradicts itself, in plain sentences")
  func remarks() throws {
    var trial = MadeTrial()
    trial.changes = { number in
      switch number {
      case 3: ["contact": false]
      case 5: ["unit": "kg"]
      case 6: ["type": "HKQuantityTypeIdentifierStepCount"]
      case 7: ["t_ns": .some(nil), "endDate": .some(nil), "startDate": "yesterday"]
      case 8: ["late": true]
      default: ["value": 150]
      }
    }
    let recording = try #require(read(trial.heart).first)
    let text = recording.remarks.joined(separator: "\n")
    for sentence in [
      "Item 6 is left out: “kg” is no unit of heartRate.", "Item 7 is left out: “HKQuantityTypeIdentifierStepCount” is",
      "Item 8 is left out: it has no time.", "One reading is left out: the sensor did not touch the skin.",
      "The sensor's heart rates and its intervals contradict each other: the rates are 250 %",
      "There are 2 gaps between beats, 3.0 s at most.",
    ] { #expect(text.contains(sentence), "\(text)") }
    // That a reading came within the settle window is usual, and changes nothing.
    #expect(!text.contains("arrived"), "\(text)")
  }

  @Test(
    "that is broken is refused with its place",
    arguments: [
      ("{\"items\":[\n{\"type\":\"a\",}]}", "line 2: a comma before }"),
      ("{\"items\":[{\"type\":1", "the file ends in the middle"),
      ("{\"items\":[\n\n{\"a\":1,\n\"a\":2}]}", "line 4: the key “a” stands twice"), ("{\"items\":[{},]}", "line 1"),
      ("", "there is nothing in it"),
      ("{\"format\":\"x\",\"steps\":[]}", "it holds nothing of a heart: Item 1 is left out: it has no time."),
      ("\n # only words\n", "there is nothing in it"), ("<HealthData/>", "station store import"),
      ("PK\u{3}\u{4}x", "unpack it"),
      ("\u{0}\u{1}", "no UTF-8"),
    ])
  func broken(text: String, reason: String) throws {
    let path = scratch["broken.json"]
    try File.create(path, Array(text.utf8))
    let error = try #require(throws: RecordingError.self) { try Recording.read(path: path) }
    #expect("\(error)".contains(reason), "\(error)")
    #expect("\(error)".contains(path))
  }

  @Test("without samples is an empty recording", arguments: ["{\"items\":[]}", "{\"items\": [\n]}\n", "[]"])
  func empty(text: String) throws {
    let recordings = try read(Array(text.utf8))
    #expect(recordings.count == 1)
    #expect(recordings[0].isEmpty)
    #expect(recordings[0].remarks == ["It holds no samples."])
  }

  @Test("of a bundle knows its trial; a folder that is none is refused")
  func bundle() throws {
    let fixture = "\(Repository.root)/Tests/BundlesTests/Fixtures/bundle"
    let recording = try #require(Recording.read(path: fixture).first)
    #expect(recording.trial?.participant == "P01")
    #expect(recording.trial?.stimulus == 1.00002...4.00002)
    #expect(recording.beats?.intervals == [980, 488.28125, 486.71875, 975, 660])
    #expect(try Recording.read(Bundle(fixture), by: .recorder).map(\.recorder) == ["heartRateConfig", "rrConfig"])
    let error = try #require(throws: RecordingError.self) { try Recording.read(path: scratch.path) }
    #expect("\(error)".contains("it has no “data/result.json”"))
    let pipe = try #require(throws: RecordingError.self) { try Recording.read(path: "/dev/null") }
    #expect("\(pipe)".contains("it is a pipe or a device"))
    let missing = try #require(throws: RecordingError.self) { try Recording.read(path: scratch["nothing"]) }
    #expect("\(missing)".contains("there is no such file or folder"))
  }
}
