import Basics
import Quantities
import Synchronization

/// The successive connections of one stream: the reconnection logic of a ``LinesSensor``.
///
/// It runs in the consumer's task. The reading thread ends with this object at the latest.
final class LinesFeed: Sendable {
  private enum Phase: Sendable {
    case pausing(until: Moment)
    case connecting(Link)
    case connected(Link)
    case done
  }

  private struct State: Sendable {
    var phase: Phase
    var pause = LinesFeed.shortestPause
    var lines = 0
    /// The loss reported last, so that repeated attempts that fail in the same way do not report it again.
    var told: String?
  }

  private static let shortestPause = Duration.milliseconds(500)
  private static let longestPause = Duration.seconds(8)

  private let settings: Link.Settings
  private let state: Mutex<State>

  private var target: LineTarget { settings.target }
  private var clock: any StationClock { settings.clock }

  /// Starts connecting.
  init(_ settings: Link.Settings) {
    self.settings = settings
    state = Mutex(State(phase: .connecting(Link(settings, after: 0))))
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
        let link = Link(settings, after: lines)
        state.withLock { $0.phase = .connecting(link) }
      case .connecting(let link):
        let item = target.reconnects ? await answer(of: link) : await item(of: link)
        if case .event(let event) = item {
          state.withLock { $0.phase = .connected(link) }
          return event
        }
        if let event = end(item, wasConnected: false) { return event }
      case .connected(let link):
        let item = await item(of: link)
        if case .event(let event) = item {
          if case .readings = event {
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
  private func item(of link: Link) async -> EventQueue.Item {
    await withTaskCancellationHandler {
      var item = await link.queue.next()
      while Task.isCancelled, case .event = item { item = await link.queue.next() }
      return item
    } onCancel: {
      link.stop()
    }
  }

  /// The first item of a link; the link is stopped if it delivers nothing within ``LinesSensor/patience``.
  private func answer(of link: Link) async -> EventQueue.Item {
    let deadline = clock.now.advanced(by: LinesSensor.patience)
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
  private func end(_ item: EventQueue.Item, wasConnected: Bool) -> SensorEvent? {
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
        return pause(&state, "\(target) did not answer within \(Int(LinesSensor.patience.seconds)) s", wasConnected)
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
