import Synchronization

/// What a process says, as it says it; whoever waits for a text is called when it stands there.
final class Transcript: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var hasEnded = false
    var waiting: [Waiter] = []
  }

  private struct Waiter {
    let text: [UInt8]
    let count: Int
    let action: @Sendable (Bool) -> Void
  }

  private let state = Mutex(State())

  /// Everything said so far.
  var text: String { state.withLock { String(decoding: $0.bytes, as: UTF8.self) } }

  /// The lines said so far.
  var lines: [String] { text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

  func take(_ bytes: some Sequence<UInt8>) { change { $0.bytes += bytes } }

  func end() { change { $0.hasEnded = true } }

  /// Waits until a text was said so many times.
  ///
  /// What has to happen at that very moment is done in `then`, on the thread that reads: the test itself may be called
  /// late, when other tests keep the machine busy.
  ///
  /// - Throws: ``Unsaid`` when the process ends without having said it.
  func wait(for text: String, times: Int = 1, then action: @escaping @Sendable () -> Void = {}) async throws {
    let wasSaid = await withCheckedContinuation { continuation in
      when(text, times: times) { wasSaid in
        if wasSaid { action() }
        continuation.resume(returning: wasSaid)
      }
    }
    guard wasSaid else { throw Unsaid(text: text, said: self.text) }
  }

  /// Does something when a text was said so many times, or never will be, on the thread that reads.
  func when(_ text: String, times: Int = 1, do action: @escaping @Sendable (Bool) -> Void) {
    change { $0.waiting.append(Waiter(text: Array(text.utf8), count: times, action: action)) }
  }

  /// Waits until nothing more will be said.
  func waitForEnd() async {
    // No process says this.
    _ = try? await wait(for: "\u{0}\u{0}\u{0}never\u{0}\u{0}\u{0}")
  }

  private func change(_ change: (inout State) -> Void) {
    let called = state.withLock { state in
      change(&state)
      var called: [(@Sendable (Bool) -> Void, Bool)] = []
      state.waiting.removeAll { waiter in
        let isSaid = Self.count(waiter.text, in: state.bytes) >= waiter.count
        if isSaid || state.hasEnded { called.append((waiter.action, isSaid)) }
        return isSaid || state.hasEnded
      }
      return called
    }
    for (action, isSaid) in called { action(isSaid) }
  }

  private static func count(_ text: [UInt8], in bytes: [UInt8]) -> Int {
    guard let first = text.first, bytes.count >= text.count else { return 0 }
    return (0...bytes.count - text.count).count { start in
      bytes[start] == first && bytes[start..<start + text.count].elementsEqual(text)
    }
  }
}

/// A process ended without saying what a test waited for.
struct Unsaid: Error, CustomStringConvertible {
  let text: String
  let said: String

  var description: String { "the process ended without saying “\(text)”; it said:\n\(said)" }
}
