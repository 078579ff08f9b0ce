import Basics
import Synchronization

/// Routes the operator's keys during a session: to the running trial, or to an open question.
///
/// Nothing is read before the first handler is there. Keys that come while there is none are dropped, but the end of the
/// input is passed on to every later handler.
package final class KeyRouter: Sendable {
  /// Handles a key.
  package typealias Handler = @Sendable (OperatorKey) async -> Void

  private struct State {
    var handler: Handler?
    var hasEnded = false
  }

  private let keys: @Sendable () -> AsyncStream<OperatorKey>
  private let state = Mutex(State())
  private let started = Bell()

  /// Routes keys from this source, which is opened once.
  package init(_ keys: @escaping @Sendable () -> AsyncStream<OperatorKey>) { self.keys = keys }

  /// Reads and routes keys until the task is cancelled or the input ends.
  package func run() async {
    guard await started.wait() else { return }
    for await key in keys() {
      let handler = state.withLock { state in
        if key == .end { state.hasEnded = true }
        return state.handler
      }
      await handler?(key)
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
    if hasEnded { await handler(.end) }
  }

  /// Reads a line of letters up to Return.
  ///
  /// - Parameters:
  ///   - prompt: what stands before it as soon as keys are taken.
  ///   - show: shows the prompt and what was typed so far.
  /// - Returns: the line without spaces; `nil` at the end of the input, or if the task is cancelled.
  package func line(asking prompt: String = "", _ show: (String) -> Void) async -> String? {
    let (typed, continuation) = AsyncStream.makeStream(of: OperatorKey.self)
    await route { continuation.yield($0) }
    var text = ""
    show(prompt + text)
    defer { show("") }
    for await key in typed {
      switch key {
      case .enter: return text
      case .end: return nil
      case _ where key.isBackspace: text = String(text.dropLast())
      case .arrow: break
      case .letter(let letter), .typed(let letter):
        text = String((text + String(letter).filter { !$0.isWhitespace }).prefix(40))
      }
      show(prompt + text)
    }
    return nil
  }
}
