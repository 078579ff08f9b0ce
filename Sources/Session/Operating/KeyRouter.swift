import Basics
package import Quantities
import Synchronization

/// Routes the operator's keys during a session: to the running trial, or to an open question.
///
/// Nothing is read before the first handler is there. Keys that come while there is none are dropped, but the end of the
/// input is passed on to every later handler.
package final class KeyRouter: Sendable {
  /// Handles a key, with the moment at which it was pressed; `nil` for one that comes through a pipe.
  package typealias Handler = @Sendable (OperatorKey, Moment?) async -> Void

  /// A key with the moment at which it was pressed.
  package typealias Press = (key: OperatorKey, made: Moment?)

  private struct State {
    var handler: Handler?
    var hasEnded = false
  }

  private let keys: @Sendable () -> AsyncStream<Press>
  private let state = Mutex(State())
  private let started = Bell()

  /// Routes keys from this source, which is opened once.
  package init(_ keys: @escaping @Sendable () -> AsyncStream<Press>) { self.keys = keys }

  /// Reads keys from now on, although there is no handler yet: those that come before the first one are dropped.
  package func start() { started.ring() }

  /// Reads and routes keys until the task is cancelled or the input ends.
  package func run() async {
    guard await started.wait() else { return }
    for await (key, made) in keys() {
      let handler = state.withLock { state in
        if key == .end { state.hasEnded = true }
        return state.handler
      }
      await handler?(key, made)
    }
  }

  /// What handles keys now.
  package var handler: Handler? { state.withLock(\.handler) }

  /// Passes keys to this handler from now on.
  package func route(to handler: @escaping Handler) async {
    let hasEnded = state.withLock { state in
      state.handler = handler
      return state.hasEnded
    }
    started.ring()
    if hasEnded { await handler(.end, nil) }
  }

  /// Reads a line of letters up to Return.
  ///
  /// - Parameters:
  ///   - prompt: what stands before it as soon as keys are taken.
  ///   - opening: the key with which the line begins, and what is shown until then; `nil` begins at once.
  ///   - clock: the clock of the keys; those that were pressed before the prompt was shown are dropped.
  ///   - show: shows the prompt and what was typed so far.
  /// - Returns: the line without spaces; `nil` at the end of the input, or if the task is cancelled.
  package func line(
    asking prompt: String = "", after opening: (key: OperatorKey, shown: String)? = nil,
    clock: any StationClock = MonotonicClock(), _ show: (String) -> Void
  ) async -> String? {
    let (typed, continuation) = AsyncStream.makeStream(of: Press.self)
    await route { continuation.yield(($0, $1)) }
    var text = ""
    let since = clock.now
    show(opening?.shown ?? prompt)
    defer { show("") }
    var isOpen = opening == nil
    for await (key, made) in typed {
      if let made, made < since { continue }
      if !isOpen, key != .end {
        isOpen = key == opening?.key
        if isOpen { show(prompt) }
        continue
      }
      switch key.pressed {
      case .enter: return text
      case .end: return nil
      case let key where key.isBackspace: text = String(text.dropLast())
      case .arrow, .jump, .repeated: break
      case .letter(let letter), .typed(let letter):
        text = String((text + String(letter).filter { !$0.isWhitespace && !$0.isControl }).prefix(40))
      }
      show(prompt + text)
    }
    return nil
  }
}
