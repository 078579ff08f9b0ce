import Quantities

/// Decides which keys count on a screen: those pressed since it was painted, and not what a terminal repeats while a key is
/// held down.
///
/// Repeats are presses of the same key that follow each other within ``HeldReturn/period``; those of the Return key are
/// left out by ``HeldReturn`` before. Characters that are typed into an answer are no repeats: a barcode scanner or a paste
/// may send the same one twice as fast as that.
struct KeyGate: Sendable {
  private var last: (key: OperatorKey, made: Moment)?

  /// Whether a key counts.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - made: when it was pressed; `nil` for one that comes through a pipe.
  ///   - painted: when the screen was painted; `nil` if it was not yet.
  ///   - isTyped: whether the key is a character of an answer.
  /// - Returns: whether it counts.
  mutating func admits(_ key: OperatorKey, made: Moment?, since painted: Moment?, isTyped: Bool) -> Bool {
    guard let made else { return true }
    let previous = last
    last = (key, made)
    guard let painted, made >= painted else { return false }
    guard !isTyped, key != .enter, let previous, previous.key == key else { return true }
    return previous.made.duration(to: made) >= HeldReturn.period
  }
}
