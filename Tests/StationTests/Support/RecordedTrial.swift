import Basics
import Bundles
import Quantities

@testable import Study

/// A trial that was never run: its journal is written by the test, and its bundle made as any other.
struct RecordedTrial {
  let open: OpenTrial

  /// Opens a trial in a results folder; until it is finished, or let go, it runs for all who look.
  ///
  /// - Parameters:
  ///   - results: the folder.
  ///   - participant: the participant's code.
  ///   - name: the clip's name.
  ///   - wall: when it began.
  ///   - place: its place in its session.
  ///   - condition: its condition.
  ///   - protocolText: the protocol.
  /// - Throws: what keeps a trial from being opened there.
  init(
    in results: String, participant: String = "p1", clip name: String = "calm",
    at wall: WallTime = MonotonicClock().wallReading().wall, place: SessionPlace? = nil, condition: String? = nil,
    of protocolText: String = Bench.music(seconds: 30)
  ) throws {
    let identifier = TrialIdentifier(time: wall)
    let protocolBytes = Array(protocolText.utf8)
    open = try ResultsFolder(results).openTrial(identifier: identifier, protocolBytes: protocolBytes)
    let source = SensorSource(name: "strap", latency: .zero)
    let recorder = RecorderConfiguration(identifier: "hr", quantityType: .heartRate, unit: .countPerMinute)
    append(
      0,
      .trialOpened(
        TrialOpening(
          head: TrialHead(
            trial: identifier.description,
            studyProtocol: ProtocolReference(
              identifier: "Short", version: "1.0", sha256: String(repeating: "0", count: 64)),
            participant: participant, session: "1", place: place,
            design: condition.map { TrialPlacement(step: "pieces", condition: $0, block: 1, position: 1) }, seed: 7,
            zero: CalendarReading(wall: wall, uncertainty: .nanoseconds(210), isSynchronized: true),
            station: StationFacts(identifier: "booth", version: "0.1.0", system: "Debian"), speaker: nil,
            isUnattended: true),
          recorders: [TrialRecorder(step: "music", configuration: recorder, sensor: source)])))
    append(0, .sensorConnected(sensor: "strap", device: nil))
    append(
      0.01,
      .clipChosen(
        ChosenClip(
          step: "music",
          clip: Clip(
            name: name, path: "/clips/\(name).mp3", bytes: 1, sha256: String(repeating: "1", count: 64),
            frames: 2_000_000, sampleRate: 44_100, channels: 2, annotation: ClipAnnotation()),
          draw: nil, requested: .seconds(30), gain: 0, loudness: nil, truePeak: nil, warnings: [])))
  }

  func append(_ seconds: Double, _ event: JournalEvent) {
    open.journal.append(time: Duration(seconds: seconds), event: event)
  }

  /// A heart rate with the interval that it is made of.
  func beat(_ seconds: Double, _ rate: Double) {
    append(
      seconds,
      .reading(
        SensorReading(
          sensor: "strap", heartRate: rate, rrIntervals: [60_000 / rate], contact: true,
          arrived: Duration(seconds: seconds + 0.1))))
  }

  /// Thirty seconds of rest with 60 beats a minute, thirty of music with more, and thirty of rest again.
  func pass(more: Double = 6) {
    append(0.5, .stepStarted(step: "music"))
    append(0.5, .stepBegan(step: "music"))
    append(0.5, .recorderStarted(recorder: "hr", step: "music", segment: 0))
    let measured = { (seconds: Double) in
      MeasuredTime(time: Duration(seconds: seconds), uncertainty: .microseconds(40))
    }
    append(1, .soundScheduled(step: "music", segment: 0, at: .seconds(31), frames: 44_100))
    var time = 1.0
    var (hasBegun, hasEnded) = (false, false)
    while time < 90 {
      if time > 31, !hasBegun {
        append(31, .soundStarted(step: "music", segment: 0, onset: measured(31)))
        hasBegun = true
      }
      if time > 61, !hasEnded {
        append(61, .soundEnded(step: "music", segment: 0, offset: measured(61), frames: 44_100))
        hasEnded = true
      }
      // A heart breathes.
      let rate = 60 + (hasBegun && !hasEnded ? more : 0) + [0.0, 1, 2, 1, 0, -1][Int(time) % 6]
      time += 60 / rate
      beat(time, rate)
    }
    append(92, .recorderStopped(recorder: "hr", step: "music", segment: 0))
    append(92, .stepFinished(step: "music"))
    append(92, .stepEnded(step: "music", reason: .finished))
    append(92.1, .trialClosed(TrialClosing(outcome: .completed, reason: nil, calendar: nil)))
  }

  /// A finished trial of ninety seconds; the path of its bundle.
  static func bundle(
    in results: String, participant: String = "p1", clip: String = "calm", more: Double = 6, at start: Int64 = 0
  ) async throws -> String {
    let trial = try RecordedTrial(
      in: results, participant: participant, clip: clip, at: WallTime(milliseconds: 1_763_636_911_250 + start * 1000))
    trial.pass(more: more)
    return try await trial.open.finish()
  }
}
