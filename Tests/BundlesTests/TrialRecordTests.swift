import Quantities
import TestSupport
import Testing

@testable import Basics
@testable import Bundles
@testable import Sound
@testable import Study

@Suite("A trial's record")
struct TrialRecordTests {
  /// A trial of which everything is known that a result can say.
  private static var full: TrialRecord {
    get throws {
      var opening = TrialStory.opening(inZone: "Europe/Amsterdam", on: .chest, .sedentary)
      opening.speaker?.timing = SpeakerTiming(basis: .cycle, granularity: .milliseconds(5))
      opening.speaker?.quantum = 1024
      opening.speaker?.isNamed = true
      opening.speaker?.outputLatencyBasis = .loopback
      opening.recorders[0].nominalRate = 1
      let type = try #require(QuantityType(channel: "electrocardiogram"))
      opening.recorders[0].configuration.scope = .trial
      opening.recorders.append(
        TrialRecorder(
          step: "music", configuration: .init(identifier: "ecg", quantityType: type, unit: type.defaultUnit),
          sensor: SensorSource(name: "lines:exec:ecg")))
      let device = Device(
        name: "n", manufacturer: "m", model: "o", hardwareVersion: "h", firmwareVersion: "f", softwareVersion: "s",
        localIdentifier: "l", udiDeviceIdentifier: "u")
      opening.design = TrialPlacement(
        step: "pieces", condition: "calm", factors: ["tempo": "slow"], block: 2, position: 3, silentStep: "music")
      opening.group = "a"
      opening.monitor = MonitorFacts(
        delay: .init(.milliseconds(20), uncertainty: .milliseconds(5)), width: 527.5)
      opening.simulation = .sensors(["simulated"])
      var story = TrialStory.good()
      story.chosen.warnings = ["it ends early"]
      story.chosen.clip.annotation.tags = ["slow"]
      story.opening = opening
      story.events[0].event = .trialOpened(opening)
      let head = WaveformHead(
        file: "ecg", sensor: "lines:exec:ecg", quantityType: type.identifier, unit: "mV", rate: 250, channels: ["I"])
      story.insert(1000, .waveformOpened(head))
      story.ask(for: LoudnessTarget(integrated: -20, truePeakLimit: -3))
      story.insert(2600, .sensorLost(sensor: "simulated", reason: "out of range", isFinal: false))
      story.insert(3000, .sensorConnected(sensor: "simulated", device: device))
      let measured = MeasuredTime(time: .seconds(5), uncertainty: .microseconds(40))
      story.insert(
        5500,
        .answered(
          step: "music", question: "music", value: .integer(7), shown: .milliseconds(5200),
          input: TrialRecord.Input(
            painted: measured, made: measured, device: .touch, firstContact: .milliseconds(5300), changes: 2)))
      story.insert(
        5505,
        .noted(
          step: "consent",
          NotedValue(Consent(version: "1.0", sha256: String(repeating: "0", count: 64), isGiven: true))))
      story.insert(
        5501, .speechScheduled(step: "rest", utterance: .finished, segment: 0, at: .seconds(5), TrialStory.speech))
      story.insert(5502, .speechStarted(step: "rest", utterance: .finished, segment: 0, onset: measured))
      story.insert(5503, .speechEnded(step: "rest", utterance: .finished, segment: 0, offset: measured))
      story.insert(
        900, .soundLevelled(step: "music", PlayedLevel(volume: -3, chosen: 2.5, unclipped: 1, level: 85, maximum: 85)))
      let lock = OnsetLock(beat: .predicted, delay: .milliseconds(250))
      for peak in [2000, 2500, 9000] {
        story.insert(899, .beatTriggered(sensor: "simulated", peak: .milliseconds(peak)))
      }
      story.insert(
        900,
        .soundLocked(
          step: "music", LockedBeat(sensor: "simulated", lock: lock, expected: .milliseconds(3000), predictor: "ar-4")))
      story.insert(901, .noted(step: "volume", NotedValue(ChosenVolume(gain: 2.5))))
      story.insert(902, .toneStarted(step: "sides", tone: .noise, number: 1, onset: measured))
      story.insert(903, .toneEnded(step: "sides", tone: .noise, number: 1, offset: measured))
      story.insert(
        905,
        .marked(
          SentMarker(
            output: "serial:/dev/ttyUSB0", event: .onset, code: 11, text: "onset/calm", step: "music", segment: 0,
            intended: .seconds(1), sent: measured, failure: "the code was not reset")))
      let picture = TrialRecord.Picture(
        file: "faces/1.png", sha256: String(repeating: "0", count: 64),
        size: PictureSize(width: 320, height: 240.5, widthInMillimetres: 80))
      story.insert(
        5499, .painted(TrialRecord.Screen(step: "music", question: "music", painted: measured, pictures: [picture])))
      story.insert(5504, .annotated(text: "a door slammed"))
      story.insert(5506, .keyPressed(step: "music", key: "space", made: measured))
      for (number, value) in [
        AnswerValue.integer(-7), .decimal(1.75), .boolean(false), .text("\u{202E}\u{1B}[2J"), .choices(["a", "b"]),
        .choices([]),
      ].enumerated() {
        story.insert(
          5510 + number, .answered(step: "music", question: "q\(number)", value: value, shown: .milliseconds(5500)))
      }
      story.close(.stopped, reason: "by the operator")
      return try record(of: story, embedding: "data/clip/chill_preview_4.mp3")
    }
  }

  private static func record(of story: TrialStory, embedding clip: String? = nil) throws -> TrialRecord {
    let scratch = try ScratchFolder()
    try File.create(scratch["journal"], story.journal)
    let account = try TrialAccount(of: .file(scratch["journal"]))
    var cuts = account.opening.recorders.map { RecorderCut($0, in: account) }
    for (time, event) in story.events {
      guard case .reading(let reading) = event else { continue }
      for index in cuts.indices { _ = cuts[index].take(reading, at: time) }
    }
    if let place = cuts.firstIndex(where: { $0.waveformFile != nil }) {
      cuts[place].sound = RecordedSound(
        rate: 48_000, channels: 2, frames: 960_000,
        firstFrame: MeasuredTime(time: .milliseconds(5), uncertainty: .microseconds(20)), measuredRate: 48_000.125,
        framesLost: 64, gaps: [.init(frame: 4800, frames: 64)], gapCount: 1, samplesClipped: 3, level: -41.25,
        peak: -3.5)
    }
    return TrialRecord(of: account, cuts: cuts, embeddedClip: clip)
  }

  private static func written(_ record: TrialRecord) throws -> JSONValue {
    try JSONValue(encoding: record, writesNull: true)
  }

  @Test("Every result reads back as it was written, and none of its members is unknown", arguments: StoryVariant.all)
  func roundTrip(variant: StoryVariant) throws {
    let record = try Self.record(of: variant.story)
    let text = try Self.written(record).encoded(pretty: true)
    let read = try JSONReader.read(text).value
    // The folder of the clip is no one else's, and not written.
    #expect(try Self.written(read.decoded(as: TrialRecord.self)) == Self.written(record))
    #expect(try read.unknownMembers(of: TrialRecord.self) == [])
  }

  @Test("What is written has the members that the schema lists, all of them, down to the last")
  func schema() throws {
    let schema = try JSONReader.read(File.contents(of: "\(Repository.root)/protocols/result.schema.json")).value
    var differences: [String] = []
    Self.compare(try Self.written(try Self.full), schema, in: schema, at: "", &differences)
    #expect(differences == [])
  }

  private static func compare(
    _ value: JSONValue, _ form: JSONValue, in schema: JSONValue, at path: String, _ differences: inout [String]
  ) {
    if let reference = form["$ref"]?.string {
      let name = String(reference.split(separator: "/").last ?? "")
      return compare(value, schema["$defs"]?[name] ?? .null, in: schema, at: path, &differences)
    }
    if let forms = form["anyOf"]?.array, let first = forms.first {
      return compare(value, first, in: schema, at: path, &differences)
    }
    // Caveats are compared one by one, by their own test.
    if path.hasSuffix("/caveats/0") { return }
    switch value {
    case .null: differences.append("\(path) is null, and is to be known here")
    case .object(let members):
      // Thresholds are the protocol's.
      guard let properties = form["properties"]?.object else { return }
      let required = Set((form["required"]?.array ?? []).compactMap(\.string))
      if Set(members.keys) != Set(properties.keys) || required != Set(properties.keys) {
        differences.append("\(path): \(members.keys.sorted()), \(properties.keys.sorted()), \(required.sorted())")
      }
      for (key, member) in members {
        compare(member, properties[key] ?? .null, in: schema, at: "\(path)/\(key)", &differences)
      }
    case .array(let elements):
      if elements.isEmpty { differences.append("\(path) is empty, and is to be known here") }
      // What one element does not say, another one may.
      let whole = elements.compactMap(\.object).reduce(into: [String: JSONValue]()) { whole, members in
        whole.merge(members) { $0 == .null ? $1 : $0 }
      }
      compare(.object(whole), form["items"] ?? .null, in: schema, at: "\(path)/0", &differences)
    default: break
    }
  }

  @Test("Members that a newer station has written are skipped, and named")
  func newer() throws {
    var result = try #require(try Self.written(Self.full).object)
    result["gazes"] = [["question": "valence"]]
    var clip = try #require(result["clip"]?.object)
    clip["genres"] = ["jazz"]
    result["clip"] = .object(clip)
    let newer = JSONValue.object(result)
    #expect(try newer.unknownMembers(of: TrialRecord.self) == ["/clip/genres", "/gazes"])
    #expect(try Self.written(newer.decoded(as: TrialRecord.self)) == Self.written(Self.full))
  }

  @Test(
    "A result that is damaged is refused, with the place",
    arguments: [
      ("format", "station.result/2", ""), ("seed", -1, "/seed"), ("seed", nil, ""), ("outcome", "lost", "/outcome"),
      ("startDate", "yesterday", "/startDate"), ("steps", 7, "/steps"), ("steps", [["identifier": "a"]], "/steps/0"),
      ("recordings", nil, ""), ("verdict", "fine", "/verdict"),
      ("caveats", [["caveat": "underruns", "count": -1, "verdict": "bad"]], "/caveats/0/count"),
      ("caveats", [["count": 1, "verdict": "bad"]], "/caveats/0"),
      ("playback", ["segments": []], "/playback"),
    ] as [(String, JSONValue, String)])
  func damaged(member: String, value: JSONValue, path: String) throws {
    var result = try #require(try Self.written(Self.full).object)
    result[member] = value
    let error = #expect(throws: JSONCodingError.self) { try JSONValue.object(result).decoded(as: TrialRecord.self) }
    #expect("\(error?.path ?? .root)" == path)
  }

  @Test("A recording knows how long it is and how much of it is missing")
  func gaps() throws {
    let record = try Self.record(of: .good().recording(for: 20, withoutContact: [5..<9, 15..<18]))
    for recording in record.recordings {
      #expect(
        recording.gaps.map(\.span)
          == [.init(.seconds(4)..<(.seconds(8))), .init(.seconds(14)..<(.seconds(17)))])
      #expect(recording.missing == .seconds(7) && recording.length == .seconds(20))
    }
  }
}
