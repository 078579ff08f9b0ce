import Basics
import Bundles
import Quantities
import Study

/// `benchmark record`: a trial of as many seconds, one beat each, through journal and finalise to a bundle.
///
/// Beats are appended as fast as the journal takes them. Every so many, all are brought to the disk before the next one
/// is appended: a day has one a second, so that nothing but the disk's own work is left out.
struct RecordingBeats {
  private let beats: Int
  private let folder: String
  private let flushEvery: Int
  private let clock = MonotonicClock()

  init(_ words: ArraySlice<String>) throws {
    var values: [String: String] = [:]
    var words = words
    while let name = words.popFirst(), let value = words.popFirst() { values[name] = value }
    guard let beats = values["--beats"].flatMap({ Int($0) }), beats > 0, let folder = values["--folder"],
      let flushEvery = Int(values["--flush-every"] ?? "1000"), flushEvery > 0
    else { throw WrongUsage() }
    self.beats = beats
    self.folder = folder
    self.flushEvery = flushEvery
  }

  func run() async throws {
    let wall = clock.wallReading()
    let identifier = TrialIdentifier(time: wall.wall)
    let start = clock.now
    let trial = try ResultsFolder(folder).openTrial(identifier: identifier, protocolBytes: Self.protocolBytes)
    let journal = trial.journal
    journal.append(time: .zero, event: .trialOpened(Self.opening(identifier, wall)))
    journal.append(time: .zero, event: .stepStarted(step: Self.step))
    journal.append(time: .zero, event: .recorderStarted(recorder: Self.recorder, step: Self.step, segment: 0))
    for beat in 1...beats {
      let time = Duration.milliseconds(1000 * beat - 500)
      journal.append(time: time, event: .reading(Self.reading(beat, at: time)))
      if beat % flushEvery == 0 { try await journal.flush() }
    }
    let end = Duration.seconds(beats)
    journal.append(time: end, event: .recorderStopped(recorder: Self.recorder, step: Self.step, segment: 0))
    journal.append(time: end, event: .stepEnded(step: Self.step, reason: .finished))
    journal.append(
      time: end,
      event: .trialClosed(
        TrialClosing(
          outcome: .completed, reason: nil,
          calendar: CalendarReading(
            wall: wall.wall.advanced(by: end), time: end, uncertainty: wall.uncertainty,
            isSynchronized: wall.isSynchronized))))
    try await journal.flush()
    let recorded = clock.now
    let bundle = try await trial.finish()
    let finished = clock.now
    print(
      "journal_s=\(start.duration(to: recorded).seconds) finalise_s=\(recorded.duration(to: finished).seconds)",
      "records=\(journal.appended) durable=\(journal.durable) bundle=\(bundle)")
  }

  // MARK: What is recorded

  private static let step = "day"
  private static let recorder = "heartRateConfig"
  private static let sensor = "benchmark"
  private static let protocolBytes = Array("{}\n".utf8)

  /// A strap's notification: a rate, and the interval with a fraction, as 1/1024 s gives it.
  private static func reading(_ beat: Int, at time: Duration) -> SensorReading {
    SensorReading(
      sensor: sensor, heartRate: Double(58 + beat % 7), rrIntervals: [Double(980 + beat % 41) / 1.024], contact: true,
      arrived: time + .milliseconds(120))
  }

  private static func opening(_ identifier: TrialIdentifier, _ wall: WallReading) -> TrialOpening {
    let head = TrialHead(
      trial: identifier.description,
      studyProtocol: ProtocolReference(
        identifier: "Benchmark", version: "1.0", sha256: SHA256.digest(of: protocolBytes).description),
      participant: "benchmark", session: "1", seed: 1,
      zero: CalendarReading(
        wall: wall.wall, uncertainty: wall.uncertainty, isSynchronized: wall.isSynchronized),
      station: StationFacts(identifier: "benchmark", version: "0", system: "benchmark"), speaker: nil,
      isUnattended: true)
    return TrialOpening(
      head: head,
      recorders: [
        TrialRecorder(
          step: step,
          configuration: RecorderConfiguration(
            identifier: recorder, quantityType: .heartRate, unit: .countPerMinute),
          sensor: SensorSource(name: sensor, latency: .milliseconds(120)))
      ])
  }
}
