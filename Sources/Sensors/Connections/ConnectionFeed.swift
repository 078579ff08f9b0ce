import Basics
import Quantities
import Synchronization

/// The successive connections of one stream: the reconnection logic of sensors that are read by a thread.
///
/// It runs in the consumer's task. The reading thread ends with this object at the latest.
final class ConnectionFeed: Sendable {
  /// What is connected to.
  struct Source: Sendable {
    /// What it is called in messages.
    let name: String
    /// The longest time that it may take to answer; `nil` for one that reports by itself that nothing answers.
    var patience: Duration? = ConnectionFeed.patience
    /// What all connections share.
    let settings: SensorThread.Settings
    /// How it is opened.
    let opening: Opening
  }

  /// How a connection is opened.
  enum Opening: Sendable {
    case onThread(SensorThread.Reading)
    /// By a task, which gives the thread that reads it.
    case ahead(@Sendable () async -> SensorThread)
  }

  private enum Phase: Sendable {
    case pausing(until: Moment)
    case connecting(SensorThread)
    case connected(SensorThread)
    case done
  }

  private struct State: Sendable {
    var phase: Phase
    var pause = ConnectionFeed.minPause
    var lines = 0
    /// The loss reported last, so that repeated attempts that fail in the same way do not report it again.
    var told: String?
  }

  private static let minPause = Duration.milliseconds(500)
  private static let maxPause = Duration.seconds(8)

  /// The usual time that a source may take to answer.
  static let patience = Duration.seconds(5)

  private let source: Source
  private let state: Mutex<State>

  private var clock: any StationClock { source.settings.clock }

  private init(_ source: Source) {
    self.source = source
    let phase: Phase =
      switch source.opening {
      case .onThread(let reading): .connecting(SensorThread(source.settings, reading))
      case .ahead: .pausing(until: source.settings.clock.now)
      }
    state = Mutex(State(phase: phase))
  }

  /// Starts connecting to a source, and gives its events.
  static func events(of source: Source) -> AsyncStream<SensorEvent> {
    let feed = ConnectionFeed(source)
    return AsyncStream { await feed.next() }
  }

  deinit {
    switch state.withLock({ $0.phase }) {
    case .connecting(let link), .connected(let link): link.stop()
    case .pausing, .done: break
    }
  }

  /// The next event; `nil` at the end, or when the task is cancelled.
  private func next() async -> SensorEvent? {
    while true {
      switch state.withLock({ $0.phase }) {
      case .done: return nil
      case .pausing(let moment):
        do {
          try await clock.sleep(until: moment, tolerance: nil)
        } catch {
          state.withLock { $0.phase = .done }
          return nil
        }
        let lines = state.withLock { $0.lines }
        let link = await connect(after: lines)
        state.withLock { $0.phase = .connecting(link) }
      case .connecting(let link):
        let item = await answer(of: link)
        if case .event(let event) = item {
          state.withLock { $0.phase = .connected(link) }
          return event
        }
        if let event = end(item, wasConnected: false) { return event }
      case .connected(let link):
        let item = await item(of: link)
        if case .event(let event) = item {
          if event.samples > 0 {
            state.withLock { state in
              state.pause = Self.minPause
              state.told = nil
            }
          }
          return event
        }
        if let event = end(item, wasConnected: true) { return event }
      }
    }
  }

  private func connect(after units: Int) async -> SensorThread {
    switch source.opening {
    case .onThread(let reading): SensorThread(source.settings, after: units, reading)
    case .ahead(let open): await open()
    }
  }

  /// The next item of a link; if the task is cancelled, the link is stopped and drained.
  private func item(of link: SensorThread) async -> SampleQueue.Item {
    await withTaskCancellationHandler {
      var item = await link.queue.next()
      while Task.isCancelled, case .event = item { item = await link.queue.next() }
      return item
    } onCancel: {
      link.stop()
    }
  }

  /// The first item of a link; the link is stopped if it delivers nothing within the source's patience.
  private func answer(of link: SensorThread) async -> SampleQueue.Item {
    guard let patience = source.patience else { return await item(of: link) }
    let deadline = clock.now.advanced(by: patience)
    return await withTaskGroup(of: Void.self) { group in
      // An immediate task, so that a busy thread pool does not delay the deadline.
      group.addImmediateTask { [clock] in
        do { try await clock.sleep(until: deadline, tolerance: nil) } catch { return }
        link.stop()
      }
      let item = await item(of: link)
      group.cancelAll()
      return item
    }
  }

  /// Handles the end of a link: finishes or schedules the next attempt.
  ///
  /// - Returns: the event to report, if any.
  private func end(_ item: SampleQueue.Item, wasConnected: Bool) -> SensorEvent? {
    guard case .closed(let ending, let lines) = item else { return nil }
    return state.withLock { state in
      state.lines = lines
      guard !Task.isCancelled else {
        state.phase = .done
        return nil
      }
      switch ending {
      case .over(let reason):
        state.phase = .done
        return .ended(reason: reason)
      case .broken(let reason):
        return pause(&state, reason, wasConnected)
      case .stopped:
        let patience = Int(source.patience?.seconds ?? 0)
        return pause(&state, "\(source.name) did not answer within \(patience) s", wasConnected)
      }
    }
  }

  private func pause(_ state: inout State, _ reason: String, _ wasConnected: Bool) -> SensorEvent? {
    state.phase = .pausing(until: clock.now.advanced(by: state.pause))
    state.pause = min(state.pause * 2, Self.maxPause)
    guard wasConnected || state.told != reason else { return nil }
    state.told = reason
    return .lost(reason: reason)
  }
}

/// Why a connection could not be made or was lost.
struct LinkFault: Error, Hashable {
  let reason: String
  /// Whether another attempt cannot succeed until the operator changes the address or the sender.
  let isFinal: Bool

  init(_ reason: String, isFinal: Bool = false) { (self.reason, self.isFinal) = (reason, isFinal) }

  /// Creates a fault from a failed action and the system's reason.
  init(_ action: String, _ code: Int32) { self.init("\(action): \(systemReason(code))") }
}

/// The system's description of an error number: `Connection refused`.
func systemReason(_ code: Int32) -> String { FileError("", "", code: code).reason }

/// The decoded content of a piece of the stream.
struct Decoded: Hashable, Sendable {
  /// A line that could not be parsed.
  struct Fault: Hashable, Sendable {
    let line: Int
    let reason: String
  }

  var readings: [HeartReading] = []
  var waveforms: [WaveformFrames] = []
  var faults: [Fault] = []
  /// Remarks on the sender, worded as predicates.
  var notes: [String] = []

  /// Whether it has no content.
  var isEmpty: Bool { readings.isEmpty && waveforms.isEmpty && faults.isEmpty && notes.isEmpty }
}
