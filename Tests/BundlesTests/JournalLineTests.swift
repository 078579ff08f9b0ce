import Basics
import Testing

@testable import Bundles
@testable import Quantities
@testable import Sound
@testable import Study

@Suite("Lines of the journal")
struct JournalLineTests {
  static let events: [JournalEvent] = [
    .trialOpened(TrialStory.opening),
    .trialOpened(
      {
        var opening = TrialStory.opening
        opening.seed = .max
        opening.speaker = nil
        opening.zero.isSynchronized = nil
        opening.recorders = []
        return opening
      }()),
    .trialOpened(TrialStory.opening(inZone: "Europe/Amsterdam", on: .earLobe, .active)),
    .stepStarted(step: "instruction"),
    .stepBegan(step: "music"),
    .stepFinished(step: "music"),
    .stepEnded(step: "a “b” \\ \n \u{1F3B5} \u{0}", reason: .skipped),
    .asked(step: "valence", question: "valence"),
    .answered(step: "valence", question: "valence", value: .integer(7), shown: .milliseconds(1500)),
    .answered(step: "valence", question: "valence", value: nil, shown: .milliseconds(1500)),
    .withdrawn(step: "you", question: "change"),
    .painted(
      TrialRecord.Screen(
        step: "you", question: nil, painted: MeasuredTime(time: .seconds(2), uncertainty: .milliseconds(17)),
        pictures: [])),
    .answered(step: "you", question: "change", value: .integer(-7), shown: .zero),
    .answered(step: "you", question: "height", value: .decimal(1.75), shown: .zero),
    .answered(step: "you", question: "plays", value: .boolean(false), shown: .zero),
    .answered(step: "you", question: "words", value: .text("\u{202E}\u{1B}[2J \n\u{0} “ü” \u{1F3B5}"), shown: .zero),
    .answered(step: "you", question: "what", value: .choices(["piano", "drums"]), shown: .zero),
    .answered(step: "you", question: "what", value: .choices([]), shown: .zero),
    .annotated(text: "a door slammed \u{202E}"), .commanded(command: "pause"),
    .keyPressed(step: "music", key: "ü", made: MeasuredTime(time: .seconds(2), uncertainty: .milliseconds(20))),
    .pageChanged(what: .hidden), .pageChanged(what: .browserRestarted),
    .noted(
      step: "consent",
      NotedValue(Consent(version: "1.0", sha256: String(repeating: "0", count: 64), isGiven: true))),
    .clipChosen(TrialStory.chosen("a\nb.mp3")),
    .clipChosen(
      {
        var chosen = TrialStory.chosen("x.mp3")
        chosen.draw = nil
        chosen.loudness = nil
        chosen.truePeak = nil
        chosen.clip.annotation = ClipAnnotation()
        chosen.warnings = ["it ends early", ""]
        chosen.target = LoudnessTarget(integrated: -23.5, truePeakLimit: -1)
        return chosen
      }()),
    .noted(
      step: "sides", NotedValue(HeadphoneRound(attempt: 1, round: 2, side: .left, answer: .right, tone: 2))),
    .noted(step: "sides", NotedValue(HeadphoneRound(attempt: 3, round: 1, side: .right, answer: nil, tone: 5))),
    .noted(step: "sides", NotedValue(HeadphoneAttempt(attempt: 1, errors: 1, rounds: 2, isPassed: false))),
    .noted(step: "volume", NotedValue(ChosenVolume(gain: -12.5))),
    .answered(
      step: "valence", question: "valence", value: .integer(7), shown: .milliseconds(1500),
      input: TrialRecord.Input(
        painted: MeasuredTime(time: .milliseconds(1500), uncertainty: .milliseconds(17)),
        made: MeasuredTime(time: .milliseconds(2100), uncertainty: .milliseconds(5)), device: .touch,
        firstContact: .milliseconds(1800), changes: 3)),
    .answered(
      step: "valence", question: "valence", value: .integer(7), shown: .milliseconds(1500),
      input: TrialRecord.Input(
        painted: nil, made: MeasuredTime(time: .milliseconds(2100), uncertainty: .zero), device: .line,
        firstContact: nil, changes: 0)),
    .toneStarted(
      step: "sides", tone: .noise, number: 2, onset: MeasuredTime(time: .seconds(1), uncertainty: .microseconds(40))),
    .soundLevelled(
      step: "music", PlayedLevel(volume: -3, chosen: 2.5, unclipped: 1, level: 85, maximum: 85)),
    .soundLevelled(
      step: "music", PlayedLevel(volume: 0, chosen: nil, unclipped: 0, level: nil, maximum: 85)),
    .beatTriggered(sensor: "ecg", peak: .milliseconds(1234)),
    .soundLocked(
      step: "music",
      LockedBeat(
        sensor: "ecg", lock: OnsetLock(beat: .predicted, delay: .milliseconds(250)), expected: .seconds(1),
        predictor: "ar-4")),
    .soundScheduled(step: "music", segment: 1, at: .seconds(1), frames: 44_100),
    .soundStarted(step: "music", segment: 0, onset: MeasuredTime(time: .nanoseconds(-3), uncertainty: .nanoseconds(7))),
    .soundEnded(
      step: "music", segment: 0, offset: MeasuredTime(time: .seconds(30), uncertainty: .microseconds(40)), frames: 3),
    .soundDisturbed(step: "music", segment: 0, .underrun(at: nil)),
    .soundDisturbed(step: "music", segment: 0, .moved(to: "another sink")),
    .soundDisturbed(step: "music", segment: 0, .shifted(by: .microseconds(12_500))),
    .soundDisturbed(step: "music", segment: 0, .underrun(at: .nanoseconds(1_500_250_001))),
    .soundDisturbed(
      step: "music", segment: 0,
      .volumeChanged(to: SpeakerVolume(sink: [40.5, 100], isSinkMuted: false, stream: [], isStreamMuted: true))),
    .soundDisturbed(step: "music", segment: 0, .other("hummed")),
    .trialOpened(
      {
        var opening = TrialStory.opening
        opening.speaker?.volume = SpeakerVolume(sink: [40.5], isSinkMuted: true, stream: [], isStreamMuted: true)
        return opening
      }()),
    .soundFailed(step: "music", segment: 0, reason: "Connection terminated"),
    .soundFailed(step: "music", segment: 2, reason: "Connection terminated"),
    .soundDisturbed(step: "music", segment: 1, .moved(to: "another sink")),
    .toneStarted(step: "rest", tone: .start, onset: MeasuredTime(time: .seconds(1), uncertainty: .microseconds(40))),
    .toneEnded(step: "rest", tone: .start, offset: MeasuredTime(time: .seconds(2), uncertainty: .microseconds(40))),
    .toneDisturbed(step: "rest", tone: .finish, .underrun(at: .nanoseconds(1_500_250_001))),
    .toneFailed(step: "volume", tone: .noise, reason: "the sink is busy"),
    .toneFailed(step: "rest", tone: .finish, reason: "the sink is busy"),
    .speechScheduled(step: "rest", utterance: .instruction, segment: 0, at: .seconds(1), TrialStory.speech),
    .speechScheduled(
      step: "rest", utterance: .three, segment: 1, at: .nanoseconds(-5),
      SpeechFacts(
        text: "\u{202E}3 <b>", language: "pt-BR", program: nil, version: nil, duration: .zero, gain: 0, loudness: nil)),
    .speechStarted(
      step: "rest", utterance: .finished, segment: 0,
      onset: MeasuredTime(time: .seconds(1), uncertainty: .microseconds(40))),
    .speechEnded(
      step: "rest", utterance: .remaining, segment: 0,
      offset: MeasuredTime(time: .seconds(2), uncertainty: .microseconds(40))),
    .speechDisturbed(step: "rest", utterance: .two, segment: 2, .underrun(at: .nanoseconds(1_500_250_001))),
    .speechFailed(step: "rest", utterance: .one, segment: 0, reason: "the sink is busy"),
    .marked(
      SentMarker(
        output: "serial:/dev/ttyUSB0", event: .onset, code: 11, step: "music", segment: 1, intended: .seconds(1),
        sent: MeasuredTime(time: .nanoseconds(1_000_040_000), uncertainty: .microseconds(3)))),
    .marked(SentMarker(output: "lsl", event: .trial, text: "trial/1", failure: "the outlet is closed")),
    .clockMeasured(sensor: "lsl:strap", offset: .nanoseconds(-86_400_000_000_123), uncertainty: .microseconds(120)),
    .unknown(kind: "eeg.block"),
    .recorderStarted(recorder: "heartRateConfig", step: "music", segment: 0),
    .recorderStopped(recorder: "heartRateConfig", step: "music", segment: 0),
    .reading(TrialStory.reading(61.5, [980, 975.5859375], at: 1380, arriving: 1500)),
    .reading(
      SensorReading(sensor: "lines:exec:a \"b\"", heartRate: nil, rrIntervals: [], contact: nil, arrived: .zero)),
    .reading(
      SensorReading(
        sensor: "x", heartRate: 1e-7, rrIntervals: [1e5, 0.1, 0], contact: false, arrived: .nanoseconds(-5))),
    .reading(
      SensorReading(
        sensor: "x", heartRate: 61, rrIntervals: [800], contact: true, arrived: .zero, senderTime: 1_700_000_000.125)),
    .reading(
      SensorReading(
        sensor: "x", heartRate: nil, rrIntervals: [], contact: false, problem: .noFinger, arrived: .zero)),
    .reading(
      SensorReading(
        sensor: "x", heartRate: nil, rrIntervals: [], contact: nil, arrived: .zero, senderTime: -0.5, payload: "0648")),
    .sample(
      SensorSample(
        sensor: "lines:exec:a \"b\"", channel: TrialStory.skinConductance, value: 2.31,
        unit: TrialStory.skinConductance.defaultUnit, arrived: .nanoseconds(-5))),
    .sample(
      SensorSample(
        sensor: "x", channel: .respiratoryRate, value: -1e-7, unit: .countPerSecond, contact: false, arrived: .zero,
        senderTime: 1_700_000_000.125)),
    .sensorConnected(sensor: "simulated", device: nil),
    .sensorConnected(
      sensor: "simulated", device: Device(name: "n", manufacturer: "m", model: "o", firmwareVersion: "f")),
    .sensorConnected(
      sensor: "simulated",
      device: Device(
        name: "n", hardwareVersion: "h", firmwareVersion: "f", softwareVersion: "s", localIdentifier: "l",
        udiDeviceIdentifier: "u")),
    .sensorLost(sensor: "simulated", reason: "end of file", isFinal: true),
    .linesSkipped(sensor: "lines:-", count: 2, firstLine: 12, reason: "no number"),
    .readingsDropped(sensor: "lines:-", count: 12_000),
    .readingsHeldBack(sensor: "lines:-", heldBack: .milliseconds(4100), unread: 21_845),
    .sensorNoted(sensor: "lines:-", text: "sends too much"),
    .waveformOpened(
      WaveformHead(
        file: "ecg", sensor: "belt", quantityType: "electrocardiogram", unit: "mV", rate: 250.5, channels: ["I", "II"])),
    .suspended,
    .resumed,
    .signalled(step: "music", what: "speech", text: "three"),
    .signalled(step: "music", what: "vibrate", text: nil),
    .note("a remark"),
    .trialClosed(TrialStory.good().closing(.failed, reason: "why")),
    .trialClosed(
      TrialClosing(
        outcome: .completed, reason: nil,
        calendar: CalendarReading(
          wall: WallTime(milliseconds: 0), time: .nanoseconds(-3), uncertainty: .zero, isSynchronized: nil))),
    .trialClosed(TrialClosing(outcome: .recovered, reason: nil, calendar: nil)),
  ]

  @Test("A record reads back as it was written", arguments: events)
  func roundTrip(event: JournalEvent) throws {
    let record = JournalRecord(sequence: 41, time: .nanoseconds(1_234_567_890_123), event: event)
    let line = record.line()
    #expect(line.last == UInt8(ascii: "\n"))
    #expect(!line.dropLast().contains { $0 == UInt8(ascii: "\n") || $0 == 0 })
    #expect(try JournalRecord(line: Array(line.dropLast())) == record)
  }

  @Test("A line is JSON with sorted keys, its kind, its number and its time", arguments: events)
  func form(event: JournalEvent) throws {
    let line = Array(JournalRecord(sequence: 3, time: .milliseconds(-2), event: event).line().dropLast())
    let value = try JSONReader.read(line).value
    #expect(value.encoded() == line)
    #expect(value["kind"]?.string == event.kind)
    #expect(value["seq"]?.integer == 3)
    #expect(value["t_ns"]?.integer == -2_000_000)
  }

  @Test("Every kind of event is among those that were tried")
  func everyKind() {
    #expect(Set(Self.events.map(\.kind)) == Set(JournalEvent.kinds + ["eeg.block"]))
  }

  @Test("Numbers that JSON has no text for are left out, times beyond 2^53 are held there")
  func hostileNumbers() throws {
    let reading = SensorReading(
      sensor: "x", heartRate: .nan, rrIntervals: [.infinity, 800], contact: nil, arrived: .seconds(1 << 32))
    let line = JournalRecord(sequence: 0, time: .seconds(-(1 << 32)), event: .reading(reading)).line()
    let read = try JournalRecord(line: Array(line.dropLast()))
    #expect(read.time == .nanoseconds(-(1 << 53)))
    #expect(
      read.event
        == .reading(
          SensorReading(
            sensor: "x", heartRate: nil, rrIntervals: [800], contact: nil, arrived: .nanoseconds(1 << 53))))
  }

  @Test(
    "A reading in another spelling reads the same",
    arguments: [
      "{\"arrived_ns\":5,\"hr\":61,\"kind\":\"hr\",\"rr_ms\":[],\"sensor\":\"x\",\"seq\":0,\"t_ns\":5}",
      "{\"arrived_ns\": 5, \"hr\":61.0,\"kind\":\"hr\",\"rr_ms\":[],\"sensor\":\"x\",\"seq\":0,\"t_ns\":5}",
      "{\"arrived_ns\":5e0,\"hr\":6.1e1,\"kind\":\"hr\",\"rr_ms\":[],\"sensor\":\"\\u0078\",\"seq\":0,\"t_ns\":5}",
      "{\"t_ns\":5,\"seq\":0,\"sensor\":\"x\",\"kind\":\"hr\",\"arrived_ns\":5,\"rr_ms\":[],\"hr\":61,\"contact\":null}",
    ])
  func otherSpelling(line: String) throws {
    let reading = SensorReading(
      sensor: "x", heartRate: 61, rrIntervals: [], contact: nil, arrived: .nanoseconds(5))
    #expect(
      try JournalRecord(line: Array(line.utf8))
        == JournalRecord(sequence: 0, time: .nanoseconds(5), event: .reading(reading)))
  }

  @Test(
    "What is not a record is refused with its line and its reason",
    arguments: [
      ("", "nothing but white space"),
      ("{\"kind\":\"note\"", "the text ends where , or }"),
      ("[]", "expected an object"),
      ("{\"kind\":\"note\",\"seq\":0,\"t_ns\":0}", "“text” is missing"),
      ("{\"kind\":\"dance\",\"seq\":0}", "“t_ns” is missing"),
      (
        "{\"kind\":\"tone.caveat\",\"seq\":0,\"t_ns\":0,\"step\":\"x\",\"tone\":\"loud\"}",
        "/tone: “loud” is not known here"
      ),
      ("{\"kind\":\"note\",\"seq\":0.5,\"t_ns\":0,\"text\":\"x\"}", "/seq: expected a whole number from 0"),
      (
        "{\"kind\":\"step.left\",\"seq\":0,\"t_ns\":0,\"step\":\"x\",\"reason\":\"bored\"}",
        "/reason: “bored” is not known here"
      ),
      (
        "{\"kind\":\"trial.close\",\"seq\":0,\"t_ns\":0,\"outcome\":\"failed\",\"end\":{\"wall\":\"now\"}}",
        "/end/wall: “now” is not a time"
      ),
      ("{\"kind\":\"trial.close\",\"seq\":0,\"t_ns\":0,\"outcome\":\"tired\"}", "/outcome: “tired” is not known here"),
      ("{\"kind\":\"trial.close\",\"seq\":0,\"t_ns\":0}", "“outcome” is missing"),
      ("{\"arrived_ns\":5,\"kind\":\"hr\",\"rr_ms\":[01],\"sensor\":\"x\",\"seq\":0,\"t_ns\":5}", "begin with 0"),
      ("{\"arrived_ns\":5,\"kind\":\"hr\",\"rr_ms\":[1],\"sensor\":\"x\",\"seq\":0,\"t_ns\":5}x", "nothing more"),
      (
        "{\"arrived_ns\":5,\"kind\":\"hr\",\"rr_ms\":[1e300],\"sensor\":\"x\",\"seq\":0,\"t_ns\":5}",
        "“rr_ms” is 1e+300, which lies outside of 0.0 to 100000.0"
      ),
      (
        "{\"arrived_ns\":5,\"kind\":\"hr\",\"rr_ms\":[100001],\"sensor\":\"x\",\"seq\":0,\"t_ns\":5}",
        "“rr_ms” is 100001.0"
      ),
      (
        "{\"arrived_ns\":5,\"hr\":-1,\"kind\":\"hr\",\"rr_ms\":[],\"sensor\":\"x\",\"seq\":0,\"t_ns\":5}",
        "“hr” is -1.0"
      ),
      (
        "{\"arrived_ns\":9999999999999999,\"kind\":\"hr\",\"rr_ms\":[],\"sensor\":\"x\",\"seq\":0,\"t_ns\":5}",
        "/arrived_ns: expected a whole number"
      ),
      (
        "{\"arrived_ns\":5,\"kind\":\"hr\",\"rr_ms\":[],\"sensor\":\"x\",\"seq\":0,\"t_ns\":-9999999999999999}",
        "/t_ns: expected a whole number"
      ),
      (
        "{\"arrived_ns\":5,\"kind\":\"hr\",\"rr_ms\":[],\"sensor\":\"x\",\"seq\":9999999999999999,\"t_ns\":5}",
        "/seq: expected a whole number"
      ),
      (
        "{\"count\":-1,\"kind\":\"sensor.overflow\",\"sensor\":\"x\",\"seq\":0,\"t_ns\":5}",
        "/count: expected a whole number from 0"
      ),
      ("{\"kind\":\"note\",\"seq\":-1,\"t_ns\":0,\"text\":\"x\"}", "/seq: expected a whole number from 0"),
    ])
  func refused(line: String, reason: String) {
    let problem = #expect(throws: JournalProblem.self) { try JournalRecord(line: Array(line.utf8), number: 12) }
    let text = problem?.description ?? ""
    #expect(text.hasPrefix("line 12 of the journal: "))
    #expect(text.contains(reason), "\(text)")
  }
}
