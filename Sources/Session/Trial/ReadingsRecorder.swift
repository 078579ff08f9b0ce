import Basics
import Bundles
import Quantities
import Sensors
import Study
import Synchronization

/// A channel of a sensor whose late samples a trial waits for.
struct AwaitedChannel: Hashable, Sendable {
  /// The sensor's name.
  let sensor: String
  /// The quantity; `nil` for the channels of a heart, which come together.
  let type: QuantityType?
}

/// Writes what sensors say into the journal, then has it shown, and notices when late samples have arrived.
///
/// What is shown goes through ``SensorDisplay``, so that no presenter keeps a sample from the journal.
final class ReadingsRecorder: Sendable {
  private struct State {
    var lastHappened: [AwaitedChannel: Moment] = [:]
    var ended: Set<String> = []
    var awaited: [AwaitedChannel: Moment] = [:]
    var isAwaiting = false
    var skipped: [String: SkippedLines] = [:]
    var refusesSamples = false

    mutating func note(_ channel: AwaitedChannel, at moment: Moment) {
      lastHappened[channel] = max(lastHappened[channel] ?? moment, moment)
    }
  }

  private let log: TrialLog
  private let waveforms: TrialWaveforms
  private let display: SensorDisplay
  private let inbox: TrialInbox
  private let state = Mutex(State())

  init(
    log: TrialLog, waveforms: TrialWaveforms = TrialWaveforms(), presenters: Presenters, inbox: TrialInbox
  ) {
    self.log = log
    self.waveforms = waveforms
    display = SensorDisplay(presenters)
    self.inbox = inbox
  }

  /// The step on whose screen the heart rate belongs.
  func show(_ step: Step?) { display.show(step) }

  /// Tells the operator something, beside the step that is shown.
  func notice(_ text: String) { display.notice(text) }

  /// Shows what is to be shown, until the task is cancelled.
  func present() async { await display.run() }

  /// Writes no sample down from now on, since the participant has not consented.
  func refuse() { state.withLock { $0.refusesSamples = true } }

  /// Writes samples down from now on.
  func startTaking() { state.withLock { $0.refusesSamples = false } }

  /// Sends ``TrialInput/settled`` once each of these channels has delivered something of its moment or later, or its sensor
  /// has ended.
  func awaitReadings(of channels: [AwaitedChannel: Moment]) {
    state.withLock { state in
      state.awaited = channels
      state.isAwaiting = true
    }
    settleIfComplete()
  }

  /// Takes what a sensor says.
  func hear(_ sensor: String, _ event: SensorEvent) {
    if event.isOfParticipant, state.withLock({ $0.refusesSamples }) { return }
    switch event {
    case .connected(let device): log.append(.sensorConnected(sensor: sensor, device: device))
    case .readings(let readings): take(readings, from: sensor)
    case .waveform(let frames): take(frames, from: sensor)
    case .unreadable(let line, let reason): skip(1, line, reason, of: sensor)
    case .skipped(let count, let firstLine, let reason): skip(count, firstLine, reason, of: sensor)
    case .overflowed(let count): log.append(.readingsDropped(sensor: sensor, count: count))
    case .clockMeasured(let offset, let uncertainty):
      log.append(.clockMeasured(sensor: sensor, offset: offset, uncertainty: uncertainty))
    case .noted(let text): note(text, of: sensor)
    case .lost(let reason):
      log.append(.sensorLost(sensor: sensor, reason: reason, isFinal: false))
      display.heartRate(nil)
      display.notice("the sensor “\(sensor)” is lost: \(reason)")
    case .ended(let reason):
      log.append(.sensorLost(sensor: sensor, reason: reason, isFinal: true))
      state.withLock { _ = $0.ended.insert(sensor) }
      display.heartRate(nil)
      display.notice("the sensor “\(sensor)” has ended: \(reason)")
      settleIfComplete()
    }
  }

  /// Writes down, and tells the operator, what is odd about a sensor.
  func note(_ text: String, of sensor: String) {
    log.append(.sensorNoted(sensor: sensor, text: text))
    display.notice("the sensor “\(sensor)” \(text)")
  }

  /// Writes down how many readings of each sensor had arrived and could not be taken any more.
  func tellDropped(_ counts: [String: Int]) {
    for (sensor, count) in counts.sorted(by: { $0.key < $1.key }) {
      log.append(.readingsDropped(sensor: sensor, count: count))
    }
  }

  /// Writes down for how long each sensor was held back that sent more than could be read, and what waits unread.
  func tellHeldBack(_ backlogs: [String: ReadingBacklog], since before: [String: ReadingBacklog]) {
    for (sensor, backlog) in backlogs.sorted(by: { $0.key < $1.key }) {
      let heldBack = backlog.heldBack - (before[sensor]?.heldBack ?? .zero)
      guard heldBack > .zero else { continue }
      log.append(.readingsHeldBack(sensor: sensor, heldBack: heldBack, unread: backlog.unread))
    }
  }

  private func take(_ readings: [HeartReading], from sensor: String) {
    for reading in readings {
      if reading.isOfHeart {
        log.append(
          .reading(
            SensorReading(
              sensor: sensor, heartRate: reading.heartRate, rrIntervals: reading.rrIntervals, contact: reading.contact,
              problem: reading.problem, arrived: log.time(of: reading.arrived), senderTime: reading.senderTime,
              payload: reading.payload?.hexDigits)),
          at: reading.happened)
      }
      for sample in reading.samples {
        log.append(
          .sample(
            SensorSample(
              sensor: sensor, channel: sample.type, value: sample.value, unit: sample.unit, contact: reading.contact,
              arrived: log.time(of: reading.arrived), senderTime: reading.senderTime)),
          at: sample.happened)
      }
    }
    state.withLock { state in
      for reading in readings {
        if reading.isOfHeart { state.note(AwaitedChannel(sensor: sensor, type: nil), at: reading.happened) }
        for sample in reading.samples {
          state.note(AwaitedChannel(sensor: sensor, type: sample.type), at: sample.happened)
        }
      }
    }
    if let heart = readings.last(where: \.isOfHeart) {
      let rate = heart.heartRate ?? heart.rrIntervals.last.map { 60_000 / $0 }
      display.heartRate(heart.contact == false || heart.problem != nil ? nil : rate)
    }
    for sample in readings.last(where: { !$0.samples.isEmpty })?.samples ?? [] { display.sample(sample) }
    settleIfComplete()
  }

  private func take(_ frames: WaveformFrames, from sensor: String) {
    if let oddity = waveforms.take(frames, from: sensor, log) { note(oddity, of: sensor) }
    state.withLock { $0.note(AwaitedChannel(sensor: sensor, type: frames.format.type), at: frames.end) }
    settleIfComplete()
  }

  /// Writes down how many frames of waveforms were not written; to be called when nothing more is heard.
  func tellDroppedFrames() { tellDropped(waveforms.dropped) }

  /// Writes down what has been skipped since it was last told; to be called when nothing more is heard.
  func tellSkipped() {
    let now = log.clock.now
    let skipped = state.withLock { state in
      state.skipped.keys.sorted().compactMap { sensor in
        state.skipped[sensor]?.take(at: now).map { (sensor, $0) }
      }
    }
    for (sensor, lines) in skipped { tell(lines, of: sensor) }
  }

  private func skip(_ count: Int, _ firstLine: Int, _ reason: String, of sensor: String) {
    let now = log.clock.now
    let lines = state.withLock {
      $0.skipped[sensor, default: SkippedLines()].add(count: count, firstLine: firstLine, reason: reason, at: now)
    }
    if let lines { tell(lines, of: sensor) }
  }

  private func tell(_ lines: SkippedLines.Skipped, of sensor: String) {
    log.append(
      .linesSkipped(sensor: sensor, count: lines.count, firstLine: lines.firstLine, reason: lines.reason))
    if let notice = lines.notice { display.notice("the sensor “\(sensor)”: \(notice)") }
  }

  private func settleIfComplete() {
    let isComplete = state.withLock { state in
      guard state.isAwaiting else { return false }
      let isComplete = state.awaited.allSatisfy { channel, moment in
        state.ended.contains(channel.sensor) || state.lastHappened[channel].map { $0 >= moment } ?? false
      }
      if isComplete { state.isAwaiting = false }
      return isComplete
    }
    if isComplete { inbox.send(.settled) }
  }
}

extension SensorEvent {
  /// Whether it says something about the participant, and not only about the sensor.
  fileprivate var isOfParticipant: Bool {
    switch self {
    case .readings, .waveform: true
    default: false
    }
  }
}

/// Lines of one sensor that could not be read: the first ones are written down one by one, a flood of them once a second.
///
/// People are shown the first with its reason, and then how many there were, every ten seconds at most.
struct SkippedLines: Sendable {
  /// The maximum number of lines that are written down one by one.
  static let toldSingly = 20
  /// How often people are shown how many there were.
  static let noticePause = Duration.seconds(10)

  private var told = 0
  private var count = 0
  private var firstLine = 0
  private var reason = ""
  private var lastTold: Moment?
  private var total = 0
  private var lastNotice: (at: Moment, total: Int)?

  /// Takes lines that were skipped, and gives what is to be told now; `nil` when it can wait.
  mutating func add(count: Int, firstLine: Int, reason: String, at now: Moment) -> Skipped? {
    if self.count == 0 {
      self.firstLine = firstLine
      self.reason = reason
    }
    self.count += count
    let isDue = told < Self.toldSingly || lastTold.map { $0.duration(to: now) >= .seconds(1) } ?? true
    return isDue ? take(at: now) : nil
  }

  /// What has not been told yet.
  mutating func take(at now: Moment) -> Skipped? {
    guard count > 0 else { return nil }
    defer { count = 0 }
    told += 1
    lastTold = now
    total += count
    return Skipped(count: count, firstLine: firstLine, reason: reason, notice: notice(at: now))
  }

  /// What people are shown now; `nil` for nothing.
  private mutating func notice(at now: Moment) -> String? {
    guard let last = lastNotice else {
      lastNotice = (now, total)
      return "line \(firstLine) could not be read: \(reason)" + (total > 1 ? " (\(total) lines so far)" : "")
    }
    guard last.at.duration(to: now) >= Self.noticePause else { return nil }
    lastNotice = (now, total)
    let more = total - last.total
    return "\(more) more \(more == 1 ? "line" : "lines") could not be read; \(total) so far"
  }

  /// A number of lines, with the first of them and its reason.
  struct Skipped: Hashable, Sendable {
    let count: Int
    let firstLine: Int
    let reason: String
    /// What people are shown of it, if anything.
    let notice: String?
  }
}
