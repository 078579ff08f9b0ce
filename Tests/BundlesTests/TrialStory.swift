import Basics
import Quantities
import Testing

@testable import Bundles
@testable import Sound
@testable import Study

/// A trial as it might have happened, for tests: events with their times, in the order of the journal.
struct TrialStory {
  static let trial = "019a9c2e-5d42-7cc3-98c4-dc0c0c07398f"
  static let protocolBytes = Array("{\"format\": \"station.protocol/1\", \"identifier\": \"MusicTask\"}\n".utf8)
  static let clipBytes = Array("not really an mp3, but the station only copies it".utf8)

  var opening: TrialOpening
  var chosen: ChosenClip
  var events: [(time: Duration, event: JournalEvent)] = []

  /// A good trial: a clip of three seconds, a sensor that delivers once a second, two recorders.
  static func good(clipPath: String = "chill_preview_4.mp3") -> TrialStory {
    var story = TrialStory(opening: opening, chosen: chosen(clipPath))
    story.add(.zero, .trialOpened(story.opening))
    story.add(.milliseconds(1), .sensorConnected(sensor: "simulated", device: Device(name: "Simulated heart")))
    story.add(.milliseconds(2), .stepStarted(step: "instruction"))
    story.add(.milliseconds(400), .reading(reading(61, [980], at: 400)))
    story.add(.milliseconds(900), .stepEnded(step: "instruction", reason: .finished))
    story.add(.milliseconds(905), .stepStarted(step: "music"))
    story.add(.milliseconds(950), .clipChosen(story.chosen))
    story.add(
      .milliseconds(951), .soundScheduled(step: "music", segment: 0, at: .milliseconds(1000), frames: 132_300))
    story.add(.milliseconds(1000), .stepBegan(step: "music"))
    for recorder in ["heartRateConfig", "rrConfig"] {
      story.add(.milliseconds(1000), .recorderStarted(recorder: recorder, step: "music", segment: 0))
    }
    story.add(
      .milliseconds(1001),
      .soundStarted(
        step: "music", segment: 0,
        onset: MeasuredTime(time: .microseconds(1_000_020), uncertainty: .microseconds(40))))
    story.add(.milliseconds(1380), .reading(reading(61.5, [980], at: 1380)))
    story.add(.milliseconds(2355), .reading(reading(62, [488.28125, 486.71875], at: 2355)))
    story.add(.milliseconds(3330), .reading(reading(62.25, [975], at: 3330)))
    story.add(
      .milliseconds(4001),
      .soundEnded(
        step: "music", segment: 0, offset: MeasuredTime(time: .microseconds(4_000_020), uncertainty: .microseconds(40)),
        frames: 132_300))
    story.add(.milliseconds(4000), .stepFinished(step: "music"))
    for recorder in ["heartRateConfig", "rrConfig"] {
      story.add(.milliseconds(4000), .recorderStopped(recorder: recorder, step: "music", segment: 0))
    }
    story.add(.milliseconds(3990), .reading(reading(63, [660], at: 3990, arriving: 4100)))
    story.add(.milliseconds(4950), .reading(reading(63, [960], at: 4950)))
    story.add(.milliseconds(5000), .stepEnded(step: "music", reason: .finished))
    story.add(.milliseconds(5001), .stepStarted(step: "SummaryStep"))
    story.add(.milliseconds(6000), .stepEnded(step: "SummaryStep", reason: .finished))
    story.add(.milliseconds(6001), .trialClosed(story.closing(.completed)))
    return story
  }

  mutating func add(_ time: Duration, _ event: JournalEvent) { events.append((time, event)) }

  func closing(_ outcome: Outcome, reason: String? = nil) -> TrialClosing {
    TrialClosing(
      outcome: outcome, reason: reason,
      calendar: CalendarReading(
        wall: opening.zero.wall.advanced(by: .milliseconds(6002)), time: .microseconds(6_000_500),
        uncertainty: .nanoseconds(300), isSynchronized: false))
  }

  static func reading(_ rate: Double?, _ intervals: [Double], at time: Int, arriving: Int? = nil) -> SensorReading {
    SensorReading(
      sensor: "simulated", heartRate: rate, rrIntervals: intervals, contact: true,
      arrived: .milliseconds(arriving ?? time))
  }

  /// What a sensor of the skin's conductance delivers.
  static let skinConductance = QuantityType(channel: "skinConductance") ?? .bodyMass

  /// The good trial with a recorder of skin conductance, whose sensor delivers a value every quarter of a second.
  static func withSkinConductance(value: (Int) -> Double? = { 2 + Double($0) / 10 }) -> TrialStory {
    var story = good()
    let sensor = SensorSource(name: "lines:exec:eda")
    let configuration = RecorderConfiguration(
      identifier: "skin", quantityType: skinConductance, unit: skinConductance.defaultUnit)
    story.opening.recorders.append(
      TrialRecorder(step: "music", configuration: configuration, sensor: sensor, nominalRate: 4))
    story.events[0].event = .trialOpened(story.opening)
    story.insert(1000, .recorderStarted(recorder: "skin", step: "music", segment: 0))
    story.insert(4000, .recorderStopped(recorder: "skin", step: "music", segment: 0))
    for number in 0..<20 {
      guard let value = value(number) else { continue }
      let time = 500 + number * 250
      story.insert(
        time,
        .sample(
          SensorSample(
            sensor: sensor.name, channel: skinConductance, value: value, unit: skinConductance.defaultUnit,
            arrived: .milliseconds(time + 5), senderTime: Double(time) / 1000)))
    }
    return story
  }

  static var opening: TrialOpening {
    let source = SensorSource(name: "simulated", latency: .milliseconds(120))
    let head = TrialHead(
      trial: trial,
      studyProtocol: ProtocolReference(
        identifier: "MusicTask", version: "1.0", sha256: "\(SHA256.digest(of: protocolBytes))"),
      participant: "P01", session: "1",
      place: SessionPlace(
        run: "0193482c-0000-7000-8000-000000000001", trial: 2, trials: 8,
        boot: "5d0e6b5c-7a44-4f51-9f0c-3a1c6e1d2b77", zero: .seconds(86_400)), language: "en", seed: 7,
      zero: CalendarReading(
        wall: WallTime(milliseconds: 1_763_636_911_250), uncertainty: .nanoseconds(210), isSynchronized: true),
      station: StationFacts(identifier: "booth", version: "0.1.0", system: "Debian GNU/Linux 12 (bookworm)"),
      speaker: SpeakerFacts(
        kind: "pulseaudio", server: "pulseaudio 16.1", sink: "booth", sinkRate: 44_100, isAudible: true,
        outputLatency: .zero,
        volume: SpeakerVolume(sink: [100, 100], isSinkMuted: false, stream: [100, 100], isStreamMuted: false)),
      isUnattended: true)
    return TrialOpening(
      head: head,
      recorders: [
        TrialRecorder(
          step: "music",
          configuration: RecorderConfiguration(
            identifier: "heartRateConfig", quantityType: .heartRate, unit: .countPerMinute), sensor: source),
        TrialRecorder(
          step: "music",
          configuration: RecorderConfiguration(identifier: "rrConfig", quantityType: .rrInterval, unit: .millisecond),
          sensor: source),
      ])
  }

  /// The opening where the time zone, the sensor's place and the participant's motion are known.
  static func opening(
    inZone zone: String, on location: Metadata.SensorLocation, _ motion: Metadata.MotionContext
  ) -> TrialOpening {
    var opening = Self.opening
    opening.station.timeZone = zone
    for index in opening.recorders.indices {
      opening.recorders[index].sensor.location = location
      opening.recorders[index].configuration.motionContext = motion
    }
    return opening
  }

  /// A text that a program has spoken.
  static let speech = SpeechFacts(
    text: "Close your eyes.", language: "en", program: "espeak-ng", version: "1.51", duration: .milliseconds(1250),
    gain: -4.5, loudness: -23)

  static func chosen(_ path: String) -> ChosenClip {
    ChosenClip(
      step: "music",
      clip: Clip(
        name: "chill_preview_4", path: path, bytes: clipBytes.count, sha256: "\(SHA256.digest(of: clipBytes))",
        frames: 2_000_000, sampleRate: 44_100, channels: 2,
        annotation: ClipAnnotation(title: "Slow tide", mood: "chill", tempo: 72, licence: "CC0-1.0")),
      draw: Draw(
        purpose: "music", candidates: ["chill_preview_3", "chill_preview_4"], index: 1, seed: 7,
        generator: "xoshiro256**"),
      requested: .seconds(3), gain: -2.5, loudness: -18.25, truePeak: -0.75, warnings: [])
  }

  /// The records, numbered.
  var records: [JournalRecord] {
    events.enumerated().map { JournalRecord(sequence: $0, time: $1.time, event: $1.event) }
  }

  /// The journal's bytes.
  var journal: [UInt8] { records.flatMap { $0.line() } }

  /// Opens the trial in a results folder and appends what happened.
  func record(in results: ResultsFolder, clipToEmbed: Clip? = nil) throws -> OpenTrial {
    let open = try self.open(in: results, clipToEmbed: clipToEmbed)
    append(to: open.journal)
    return open
  }

  func open(in results: ResultsFolder, clipToEmbed: Clip? = nil) throws -> OpenTrial {
    try results.openTrial(
      identifier: try #require(TrialIdentifier(opening.trial)), protocolBytes: Self.protocolBytes,
      clipToEmbed: clipToEmbed)
  }

  func append(to journal: JournalWriter) {
    for (time, event) in events { journal.append(time: time, event: event) }
  }

  /// Lays an open trial down as a crash would have left it.
  func leave(in results: ResultsFolder, journal: [UInt8]) throws {
    let folder = "\(results.path)/open/\(opening.trial)"
    try Folder.ensure(folder)
    try File.create("\(folder)/protocol.json", Self.protocolBytes)
    try File.create("\(folder)/journal.jsonl", journal)
  }
}
