import Basics
import Bundles
import Quantities
import TestSupport

@testable import Sound
@testable import Study

/// A trial as it might have happened, finished to a bundle: rest, a clip, rest, with a heart that the clip quickens.
struct Story {
  var number = 1
  var participant = "p01"
  var session = "1"
  var clip: ClipAnnotation? = ClipAnnotation(title: "Slow tide", mood: "chill", tempo: 72, licence: "CC0-1.0")
  var clipName = "chill_preview_4"
  var protocolTitle = "Baseline, music, recovery"
  /// The steps' durations in seconds; a rest of none is left out.
  var rest = 60
  var music = 40
  var sensors = ["strap"]
  /// Whether the sensor tells intervals, or heart rates alone.
  var hasIntervals = true
  var isBeating = true
  /// How much the clip quickens the heart, in beats a minute.
  var effect = 4.0
  /// Beats that the sensor doubles or drops, by their number.
  var extra: Set<Int> = []
  var missed: Set<Int> = []
  var lateness = Duration.microseconds(20)
  var disturbances: [Disturbance<Duration>] = []
  var outcome = Outcome.completed
  var hasSound = true
  /// Whether the end of the sound was measured.
  var hasOffset = true
  /// When the clip was paused, in seconds since its step's beginning.
  var pause: ClosedRange<Int>?
  /// The participant's answer after the last step.
  var rating: Int?
  /// What the participant wrote after the last step, where the question was asked several times.
  var remarks: [String] = []
  /// The trial's place in a session and in its design.
  var place: SessionPlace?
  var design: TrialPlacement?
  /// The participant's group.
  var group: String?
  /// When the sensor told nothing, in seconds since the trial's zero.
  var silence: ClosedRange<Double>?

  static let clipBytes = Array("not an mp3".utf8)

  /// Records the trial and finishes it.
  ///
  /// - Returns: the bundle's path.
  func finish(in folder: String) async throws -> String {
    let protocolBytes = Array(
      #"{"format":"station.protocol/1","identifier":"RestMusicRest","title":"\#(protocolTitle)"}"#.utf8)
    var random = SeededNumbers(seed: UInt64(number))
    let identifier = TrialIdentifier(
      time: WallTime(milliseconds: 1_763_636_911_250 + Int64(number) * 600_000), using: &random)
    let trial = try ResultsFolder(folder).openTrial(identifier: identifier, protocolBytes: protocolBytes)
    let opening = opening(identifier.description, "\(SHA256.digest(of: protocolBytes))")
    for (time, event) in events(opening).sorted(by: { $0.time < $1.time }) {
      trial.journal.append(time: time, event: event)
    }
    return try await trial.finish()
  }

  private var steps: [(name: String, start: Int, end: Int)] {
    var steps: [(String, Int, Int)] = []
    var time = 2
    for (name, seconds) in [("baseline", rest), ("music", music), ("recovery", rest)] where seconds > 0 {
      steps.append((name, time, time + seconds))
      time += seconds
    }
    return steps
  }

  private func events(_ opening: TrialOpening) -> [(time: Duration, event: JournalEvent)] {
    var events: [(time: Duration, event: JournalEvent)] = [(.zero, .trialOpened(opening))]
    let end = steps.last?.end ?? 2
    for (name, start, stop) in steps {
      let (start, stop) = (Duration.seconds(start), Duration.seconds(stop))
      events.append((start, .stepStarted(step: name)))
      events.append((start, .stepBegan(step: name)))
      for sensor in sensors {
        events.append((start, .recorderStarted(recorder: "\(name)-\(sensor)", step: name, segment: 0)))
        events.append((stop, .recorderStopped(recorder: "\(name)-\(sensor)", step: name, segment: 0)))
      }
      if name == "music", clip != nil { events += sound(start, stop) }
      events.append((stop, .stepFinished(step: name)))
      events.append((stop, .stepEnded(step: name, reason: outcome == .stopped ? .stopped : .finished)))
    }
    if let rating {
      let (shown, given) = (Duration.milliseconds(end * 1000 + 100), Duration.milliseconds(end * 1000 + 800))
      events.append((given, .answered(step: "valence", question: "valence", value: .integer(rating), shown: shown)))
    }
    for (number, remark) in remarks.enumerated() {
      let shown = Duration.milliseconds(end * 1000 + 900 + number)
      events.append((shown, .answered(step: "you", question: "remark", value: .text(remark), shown: shown)))
    }
    if isBeating { for sensor in sensors { events += readings(sensor, until: Double(end)) } }
    let closing = TrialClosing(
      outcome: outcome, reason: outcome == .completed ? nil : "somebody pressed Ctrl-C",
      calendar: CalendarReading(
        wall: opening.zero.wall.advanced(by: .seconds(end + 1)), time: .seconds(end + 1),
        uncertainty: .nanoseconds(300), isSynchronized: true))
    events.append((.seconds(end + 1), .trialClosed(closing)))
    return events
  }

  private func sound(_ start: Duration, _ stop: Duration) -> [(time: Duration, event: JournalEvent)] {
    let frames = music * 44_100
    var events: [(time: Duration, event: JournalEvent)] = [
      (start, .clipChosen(chosen)),
      (start, .soundScheduled(step: "music", segment: 0, at: start + .milliseconds(100), frames: frames)),
    ]
    guard hasSound else { return events }
    var segments = [(start + .milliseconds(100), stop + .milliseconds(100))]
    if let pause {
      segments = [
        (segments[0].0, start + .seconds(pause.lowerBound)), (start + .seconds(pause.upperBound), segments[0].1),
      ]
    }
    for (place, (begin, end)) in segments.enumerated() {
      let onset = MeasuredTime(time: begin + lateness, uncertainty: .microseconds(40))
      let offset = MeasuredTime(time: end + lateness, uncertainty: .microseconds(40))
      if place > 0 { events.append((begin, .soundScheduled(step: "music", segment: place, at: begin, frames: frames))) }
      events.append((onset.time + .milliseconds(1), .soundStarted(step: "music", segment: place, onset: onset)))
      guard hasOffset else { continue }
      events.append(
        (min(end, stop), .soundEnded(step: "music", segment: place, offset: offset, frames: frames / segments.count)))
    }
    let onset = segments[0].0
    for what in disturbances {
      events.append((onset + .seconds(1), .soundDisturbed(step: "music", segment: 0, what)))
    }
    return events
  }

  /// A heart that varies with breath and blood pressure, always the same for the same number.
  private func readings(_ sensor: String, until end: Double) -> [(time: Duration, event: JournalEvent)] {
    var events: [(time: Duration, event: JournalEvent)] = []
    var random = SeededNumbers(seed: UInt64(number) &* 31 &+ UInt64(participant.utf8.last ?? 0))
    let level = 58 + 14 * random.part()
    var (time, beat) = (1.2, 0)
    var lost = 0.0
    while time < end + 2 {
      beat += 1
      let inSound = time > Double(2 + rest) && time < Double(2 + rest + music)
      let rate =
        level + (inSound ? effect : 0) + 2.5 * wave(time / 4) + 2 * wave(time / 11) + 2 * (random.part() - 0.5)
      let interval = 60_000 / rate + lost
      time += (interval - lost) / 1000
      lost = 0
      if missed.contains(beat) {
        lost = interval
        continue
      }
      let parts = extra.contains(beat) ? [interval * 0.4, interval * 0.6] : [interval]
      let reading = SensorReading(
        sensor: sensor, heartRate: (60_000 / interval).rounded(), rrIntervals: hasIntervals ? parts : [],
        contact: true, arrived: .milliseconds(Int(time * 1000) + 30))
      if silence?.contains(time) != true { events.append((reading.arrived, .reading(reading))) }
    }
    return events
  }

  /// A wave from −1 to 1 that repeats with every whole number.
  private func wave(_ turns: Double) -> Double {
    let place = turns - turns.rounded(.down)
    return place < 0.5 ? 1 - (4 * place - 1).magnitude : (4 * place - 3).magnitude - 1
  }

  private var chosen: ChosenClip {
    ChosenClip(
      step: "music",
      clip: Clip(
        name: clipName, path: "/clips/\(clipName).mp3", bytes: Self.clipBytes.count,
        sha256: "\(SHA256.digest(of: Self.clipBytes))", frames: 2_000_000, sampleRate: 44_100, channels: 2,
        annotation: clip ?? ClipAnnotation()),
      draw: Draw(
        purpose: "music", candidates: ["chill_preview_3", clipName], index: 1, seed: 7, generator: "xoshiro256**"),
      requested: .seconds(music), gain: -2.5, loudness: -18.25, truePeak: -0.75, warnings: [])
  }

  private func opening(_ trial: String, _ protocolSHA256: String) -> TrialOpening {
    let recorders = steps.flatMap { step in sensors.map { (step.name, "\(step.name)-\($0)", $0) } }
    let head = TrialHead(
      trial: trial,
      studyProtocol: ProtocolReference(identifier: "RestMusicRest", version: "1.0", sha256: protocolSHA256),
      participant: participant, session: session, place: place, design: design, group: group,
      seed: 2_018_136_018_923_003,
      zero: CalendarReading(
        wall: WallTime(milliseconds: 1_763_636_911_250 + Int64(number) * 600_000), uncertainty: .nanoseconds(210),
        isSynchronized: true),
      station: StationFacts(identifier: "booth", version: "0.1.0", system: "Debian GNU/Linux 12 (bookworm)"),
      speaker: SpeakerFacts(
        kind: "pulseaudio", server: "pulseaudio 16.1", sink: "booth", sinkRate: 48_000, isAudible: true,
        outputLatency: .zero,
        volume: SpeakerVolume(sink: [80, 80], isSinkMuted: false, stream: [100, 100], isStreamMuted: false)),
      isUnattended: false)
    return TrialOpening(
      head: head,
      recorders: recorders.map { step, name, sensor in
        TrialRecorder(
          step: step,
          configuration: RecorderConfiguration(identifier: name, quantityType: .heartRate, unit: .countPerMinute),
          sensor: SensorSource(name: sensor, latency: .milliseconds(120)))
      })
  }
}

/// Numbers that are the same for the same seed.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }

  /// From 0 to 1.
  mutating func part() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
