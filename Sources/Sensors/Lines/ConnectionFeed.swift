import Basics
import Quantities
import Synchronization

/// A connection to a source, from opening to closing, whose thread reads into a queue.
protocol Connection: Sendable {
  /// The thread's output.
  var queue: SampleQueue { get }

  /// Ends the connection and its thread; the queue is closed when they are gone.
  func stop()
}

/// The successive connections of one stream: the reconnection logic of sensors that are read by a thread.
///
/// It runs in the consumer's task. The reading thread ends with this object at the latest.
final class ConnectionFeed: Sendable {
  /// What is connected to.
  struct Source: Sendable {
    /// What it is called in messages.
    let name: String
    /// Whether a broken connection is retried.
    let reconnects: Bool
    /// The clock of the pauses between attempts.
    let clock: any StationClock
    /// Starts connecting; the parameter is the number of lines over earlier connections.
    let connect: @Sendable (Int) -> any Connection
  }

  private enum Phase: Sendable {
    case pausing(until: Moment)
    case connecting(any Connection)
    case connected(any Connection)
    case done
  }

  private struct State: Sendable {
    var phase: Phase
    var pause = ConnectionFeed.shortestPause
    var lines = 0
    /// The loss reported last, so that repeated attempts that fail in the same way do not report it again.
    var told: String?
  }

  private static let shortestPause = Duration.milliseconds(500)
  private static let longestPause = Duration.seconds(8)

  /// The longest time that a source may take to answer.
  static let patience = Duration.seconds(5)

  private let source: Source
  private let state: Mutex<State>

  private var clock: any StationClock { source.clock }

  /// Starts connecting.
  init(_ source: Source) {
    self.source = source
    state = Mutex(State(phase: .connecting(source.connect(0))))
  }

  deinit {
    switch state.withLock({ $0.phase }) {
    case .connecting(let link), .connected(let link): link.stop()
    case .pausing, .done: break
    }
  }

  /// The next event; `nil` at the end, or when the task is cancelled.
  func next() async -> SensorEvent? {
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
        let link = source.connect(lines)
        state.withLock { $0.phase = .connecting(link) }
      case .connecting(let link):
        let item = source.reconnects ? await answer(of: link) : await item(of: link)
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
              state.pause = Self.shortestPause
              state.told = nil
            }
          }
          return event
        }
        if let event = end(item, wasConnected: true) { return event }
      }
    }
  }

  /// The next item of a link; if the task is cancelled, the link is stopped and drained.
  private func item(of link: any Connection) async -> SampleQueue.Item {
    await withTaskCancellationHandler {
      var item = await link.queue.next()
      while Task.isCancelled, case .event = item { item = await link.queue.next() }
      return item
    } onCancel: {
      link.stop()
    }
  }

  /// The first item of a link; the link is stopped if it delivers nothing within ``patience``.
  private func answer(of link: any Connection) async -> SampleQueue.Item {
    let deadline = clock.now.advanced(by: Self.patience)
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
        return pause(&state, "\(source.name) did not answer within \(Int(Self.patience.seconds)) s", wasConnected)
      }
    }
  }

  private func pause(_ state: inout State, _ reason: String, _ wasConnected: Bool) -> SensorEvent? {
    state.phase = .pausing(until: clock.now.advanced(by: state.pause))
    state.pause = min(state.pause * 2, Self.longestPause)
    guard wasConnected || state.told != reason else { return nil }
    state.told = reason
    return .lost(reason: reason)
  }
}
