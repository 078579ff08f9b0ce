package import Quantities

/// Tells what a terminal repeats while a key is held down from what a person presses.
///
/// A terminal repeats a held key after 0.25 to 0.7 s, and then 10 to 50 times a second; no person presses a key three times
/// that fast. A key soon after the same one is therefore kept back until it is known whether a further one follows within
/// ``period``: if so, they are repeats until the key is let go. Repeats of Return are left out, since it always acts; the
/// others become ``OperatorKey/repeated(_:)``, since a held key may move a cursor, and a scanner or a paste sends the same
/// character as fast. Every other key passes at once.
package struct HeldKey: Sendable {
  /// Keys that are kept back wait this long for a further one.
  package static let period = Duration.milliseconds(120)

  /// A held key is repeated for the first time within this.
  private static let delay = Duration.seconds(1)

  private enum Fate {
    /// It has passed.
    case passed
    /// It is kept back.
    case kept
    /// It was a repeat.
    case repeated
  }

  /// The key that came last, when, and what became of it.
  private var last: (key: OperatorKey, made: Moment, fate: Fate)

  /// Begins at a moment at which the Return that started the program may still be held down.
  package init(since start: Moment) { last = (.enter, start, .passed) }

  /// When the key that is kept back counts, unless a key comes before; `nil` for none.
  package var due: Moment? { last.fate == .kept ? last.made.advanced(by: Self.period) : nil }

  /// Takes the next key.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - now: when it was read.
  /// - Returns: the keys that are known by now, with the moments at which they were read.
  package mutating func take(_ key: OperatorKey, at now: Moment) -> [(key: OperatorKey, made: Moment)] {
    let before = last
    let gap = before.made.duration(to: now)
    switch before.fate {
    case .passed where key == before.key && gap < Self.delay:
      last = (key, now, .kept)
      return []
    case .kept where key == before.key && gap < Self.period, .repeated where key == before.key && gap < Self.period:
      last = (key, now, .repeated)
      guard key != .enter else { return [] }
      return (before.fate == .kept ? [(.repeated(key), before.made)] : []) + [(.repeated(key), now)]
    case .kept where key == before.key, .repeated where key == before.key:
      defer { last = (key, now, .kept) }
      return release()
    case .passed, .kept, .repeated:
      defer { last = (key, now, .passed) }
      return release() + [(key, now)]
    }
  }

  /// Lets the key pass that is kept back, since no other followed it in time.
  package mutating func release() -> [(key: OperatorKey, made: Moment)] {
    guard last.fate == .kept else { return [] }
    last.fate = .passed
    return [(last.key, last.made)]
  }
}
