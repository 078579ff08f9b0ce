import Analysis
import Basics
import Bundles
import TestSupport
import Testing

@testable import Recordings

@Suite("A heart file")
struct HeartFileTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func read(_ bytes: [UInt8], by grouping: HeartRecording.Grouping = .sensor) throws -> [Recording] {
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
    // Each recorder's items one after the other's.
    let names = ["music intervals", "rest", "rest intervals", "music"]
    let apartInFile = names.flatMap { name in items.filter { $0["recorder"]?.string == name } }
    let inTurn = try #require(read(document(apartInFile).encoded()).first)
    #expect(inTurn.beats == joined[0].beats)
    #expect(inTurn.rates == joined[0].rates)
  }

  private func without(_ key: String, _ item: JSONValue) -> JSONValue {
    var members = item.object ?? [:]
    members[key] = nil
    return .object(members)
  }

  @Test(
    "has rates between two beats by their arrival, which are in order within the next beat's interval",
    arguments: [(0.04, 0), (0.7, 0), (1.5, 1)])
  func ratesBetweenBeats(late: Double, backwards: Int) throws {
    let items = MadeTrial().items
    // A rate without intervals that arrived after the time of the next beat.
    let next = try #require(items[10]["t_ns"]?.number)
    var rate = try #require(without("rr_ms", items[9]).object)
    (rate["seq"], rate["t_ns"]) = (.number(19.5), .number(next + late * 1e9))
    let all = Array(items[..<10]) + [.object(rate)] + Array(items[10...])
    let recording = try #require(read(document(all).encoded()).first)
    #expect(recording.caveats == (backwards == 0 ? [] : [.outOfOrder(count: backwards, entry: .reading)]))
  }

  @Test("in another order than that of time is put in order, and that is reported", arguments: [true, false])
  func backwards(areNumbered: Bool) throws {
    var trial = MadeTrial()
    trial.intervals = (0..<100).map { 800 + Double($0 * 37 % 100) }
    let items = areNumbered ? trial.items : trial.items.map { without("seq", $0) }
    let expected = try #require(read(document(items).encoded()).first)
    let recording = try #require(read(document(items.reversed()).encoded()).first)
    #expect(recording.beats == expected.beats)
    #expect(recording.beats?.breaks == [])
    #expect(recording.rates == expected.rates)
    #expect(
      recording.caveats == [.outOfOrder(count: 99, entry: .reading)])
    // Dates alone count from the earliest, wherever it stands.
    let dated = try #require(read(document(items.reversed().map { without("t_ns", $0) }).encoded()).first)
    #expect(dated.beats?.start.magnitude ?? 1 < 0.002)
  }

  @Test("has each reading once, though it stands there twice, and that is reported", arguments: [true, false])
  func twice(areNumbered: Bool) throws {
    let items = areNumbered ? MadeTrial().items : MadeTrial().items.map { without("seq", $0) }
    let expected = try #require(read(document(items).encoded()).first)
    for doubled in [items + items, items.flatMap { [$0, $0] }] {
      let recording = try #require(read(document(doubled).encoded()).first)
      #expect(recording.beats == expected.beats)
      #expect(recording.rates == expected.rates)
      #expect(recording.caveats.contains(.repeated(count: 65, entry: .reading)))
    }
  }

  @Test("keeps two beats of one length that were delivered at once, and readings whose numbers begin anew")
  func deliveredTogether() throws {
    func interval(_ time: Double, _ value: Double) -> JSONValue {
      [
        "type": "StationQuantityTypeIdentifierRRInterval", "unit": "ms", "value": .number(value),
        "t_ns": .number(time * 1e9),
      ]
    }
    let pairs = (1...20).flatMap { [interval(Double($0), 500), interval(Double($0), 500)] }
    #expect(try read(document(pairs).encoded()).first?.beats?.count == 40)
    var second = MadeTrial()
    second.changes = { ["t_ns": .number(Double(100 + $0) * 1e9), "value": 60, "rr_ms": [1000]] }
    let both = try #require(read(document(MadeTrial().items + second.items).encoded()).first)
    #expect(both.beats?.count == 130)
    #expect(both.rates.values.count == 130)
  }

  @Test(
    "whose numbers are in another unit is refused, and a trial's has a caveat",
    arguments: [
      (["rr_ms": [0.8]], .implausibleIntervals(median_ms: 0.8)),
      (["value": 1.25, "rr_ms": .some(nil)], .implausibleRates(median: 1.25)),
    ] as [([String: JSONValue?], RecordingCaveat)])
  func implausible(changes: [String: JSONValue?], caveat: RecordingCaveat) throws {
    var trial = MadeTrial()
    trial.changes = { _ in changes }
    let error = try #require(throws: RecordingError.self) { try read(trial.heart) }
    #expect("\(error)".contains("\(caveat.implausibility ?? ""); correct the unit"), "\(error)")
    try trial.write(to: scratch["trial"])
    let recording = try #require(Recording.read(path: scratch["trial"]).first)
    #expect(recording.caveats.contains(caveat), "\(recording.caveats)")
  }

  @Test("tells how many rates and intervals are not above zero")
  func notAboveZero() throws {
    var trial = MadeTrial()
    trial.changes = { $0 == 7 ? ["value": 0] : [9, 12].contains($0) ? ["rr_ms": [-5]] : [:] }
    let recording = try #require(read(trial.heart).first)
    #expect(recording.rates.values.count == 64)
    #expect(recording.beats?.count == 63)
    #expect(recording.caveats.contains(.notAboveZero(count: 1, entry: .rate)))
    #expect(recording.caveats.contains(.notAboveZero(count: 2, entry: .interval)))
  }

  @Test("with rates and intervals in items of their own tells where these contradict each other")
  func contradiction() throws {
    let items = MadeTrial().items.flatMap { item -> [JSONValue] in
      var (rate, interval) = (item.object ?? [:], item.object ?? [:])
      rate["rr_ms"] = nil
      rate["value"] = 150
      interval["type"] = "StationQuantityTypeIdentifierRRInterval"
      interval["unit"] = "ms"
      interval["value"] = interval["rr_ms"]?.array?.first
      interval["rr_ms"] = nil
      return [.object(rate), .object(interval)]
    }
    let recording = try #require(read(document(items).encoded()).first)
    #expect(
      recording.caveats.contains {
        if case .ratesContradictIntervals(let ratio) = $0 { (ratio - 2.5).magnitude < 1e-9 } else { false }
      })
  }

  @Test("has a caveat for everything that was dropped, and for what contradicts itself")
  func caveats() throws {
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
    let caveats = recording.caveats
    // That a reading came within the settle window is usual, and changes nothing.
    try #require(caveats.count == 6, "\(caveats)")
    #expect(caveats[0] == .itemDropped(item: 6, reason: "“kg” is not a unit of heartRate"))
    #expect(caveats[1].description.hasPrefix("Dropped item 7: “count/min” is not a unit of stepCount"), "\(caveats[1])")
    #expect(caveats[2] == .itemDropped(item: 8, reason: "it has no time"))
    #expect(caveats[3] == .noSkinContact(count: 1, entry: .reading))
    #expect(caveats[4].description == "There are 2 gaps between beats, 3.0 s at most.")
    #expect(caveats[5].description.contains("they are 250 % of those computed from the intervals"), "\(caveats[5])")
  }

  @Test(
    "that is broken is refused with its place",
    arguments: [
      ("{\"items\":[\n{\"type\":\"a\",}]}", "line 2: a comma before }"),
      ("{\"items\":[{\"type\":1", "the file ends in the middle"),
      ("{\"items\":[\n\n{\"a\":1,\n\"a\":2}]}", "line 4: the key “a” is given twice"), ("{\"items\":[{},]}", "line 1"),
      ("", "there is nothing in it"),
      ("{\"format\":\"x\",\"steps\":[]}", "it contains no heart data: Dropped item 1: it has no time."),
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
    #expect(recordings[0].caveats == [.noSamples])
  }

  @Test("of a bundle knows its trial; a folder that is none is refused")
  func bundle() throws {
    let fixture = "\(Repository.root)/Tests/BundlesTests/Fixtures/bundle"
    let recording = try #require(Recording.read(path: fixture).first)
    #expect(recording.trial?.participant == "P01")
    #expect(recording.event?.window == 1.00002...4.00002)
    #expect(recording.beats?.intervals == [980, 488.28125, 486.71875, 975, 660])
    #expect(
      try Recording.read(Bundle(fixture), ReadingOptions(grouping: .recorder)).map(\.recorder) == [
        "heartRateConfig", "rrConfig",
      ])
    let error = try #require(throws: RecordingError.self) { try Recording.read(path: scratch.path) }
    #expect("\(error)".contains("it has no “data/result.json”"))
    let device = try #require(throws: RecordingError.self) { try Recording.read(path: "/dev/null") }
    #expect("\(device)".contains("there is nothing in it"))
    let missing = try #require(throws: RecordingError.self) { try Recording.read(path: scratch["nothing"]) }
    #expect("\(missing)".contains("there is no such file or folder"))
  }

  /// A copy of a bundle with its manifest, and a heart file that somebody has changed.
  private func bundle(heart change: (String) -> String) throws -> Bundle {
    let fixture = "\(Repository.root)/Tests/BundlesTests/Fixtures/bundle"
    let copy = scratch["bundle-\(UInt32.random(in: 0 ... .max))"]
    try Folder.ensure("\(copy)/data")
    for file in ["manifest-sha256.txt", "data/result.json"] {
      try File.create("\(copy)/\(file)", File.contents(of: "\(fixture)/\(file)"))
    }
    let heart = try String(decoding: File.contents(of: "\(fixture)/data/heart.json"), as: UTF8.self)
    try File.create("\(copy)/data/heart.json", Array(change(heart).utf8))
    return try Bundle(copy)
  }

  @Test("of a bundle is compared with the manifest while it is read")
  func changed() throws {
    let same = try Recording.read(bundle { $0 })
    #expect(same.allSatisfy { !$0.caveats.contains(.heartFileChanged) })
    let changed = try Recording.read(bundle { $0.replacing("980", with: "981") })
    #expect(changed.first?.beats?.intervals.first == 981)
    #expect(!changed.isEmpty)
    #expect(changed.allSatisfy { $0.caveats.contains(.heartFileChanged) })
    let emptied = try Recording.read(bundle { _ in "{\"items\":[]}\n" })
    #expect(emptied.count == 1)
    #expect(emptied.first?.caveats.contains(.heartFileChanged) == true)
    let caveats = emptied.first?.caveats ?? []
    #expect(caveats.contains { if case .samplesMissing(found: 0, _) = $0 { true } else { false } }, "\(caveats)")
  }

  @Test(
    "of a bundle that is empty or torn is refused",
    arguments: [(0, "its “data/heart.json” is empty"), (1000, "the file ends in the middle")])
  func torn(length: Int, reason: String) throws {
    let torn = try bundle { String($0.prefix(length)) }
    let error = try #require(throws: RecordingError.self) { try Recording.read(torn) }
    #expect("\(error)".contains(reason), "\(error)")
  }

  @Test("says by the name of its sensor whether it is simulated", arguments: [true, false])
  func simulated(isSimulated: Bool) throws {
    var trial = MadeTrial()
    trial.changes = { _ in ["source": isSimulated ? "simulated:seed=7" : "simulated annealing laboratory"] }
    for grouping in [HeartRecording.Grouping.sensor, .recorder] {
      let recording = try #require(read(trial.heart, by: grouping).first)
      #expect(recording.isSimulated == isSimulated && (recording.simulationSentence != nil) == isSimulated)
    }
  }
}
