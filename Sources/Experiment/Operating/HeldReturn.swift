package import Quantities

/// Leaves out what a terminal repeats while the Return key is held down.
///
/// A terminal repeats a held key after 0.25 to 0.7 s, and then 10 to 50 times a second; no person presses a key twice within
/// ``period``. A Return soon after another is therefore kept back until it is known whether a further one follows within
/// ``period``: if so, they are repeats, and all of them are left out until the key is let go. Every other key passes at once.
package struct HeldReturn: Sendable {
  /// Two presses of a key that are closer than this are one press of a held key.
  package static let period = Duration.milliseconds(120)

  /// A held key is repeated for the first time within this.
  private static let delay = Duration.seconds(1)

  private enum State {
    /// No Return came last.
    case free
    /// A Return came last, at this moment, and passed.
    case pressed(Moment)
    /// A Return that came at this moment is kept back.
    case kept(Moment)
    /// Repeats come, the latest at this moment.
    case held(Moment)
  }

  private var state = State.free

  /// Nothing was pressed yet.
  package init() {}

  /// When the Return that is kept back counts, unless a key comes before; `nil` for none.
  package var due: Moment? {
    if case .kept(let made) = state { made.advanced(by: Self.period) } else { nil }
  }

  /// Takes the next key.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - now: when it was read.
  /// - Returns: the keys that count, with the moments at which they were read.
  package mutating func take(_ key: OperatorKey, at now: Moment) -> [(key: OperatorKey, made: Moment)] {
    guard key == .enter else {
      defer { state = .free }
      return release() + [(key, now)]
    }
    switch state {
    case .kept(let made), .held(let made):
      guard made.duration(to: now) >= Self.period else {
        state = .held(now)
        return []
      }
      defer { state = .kept(now) }
      return release()
    case .pressed(let made) where made.duration(to: now) < Self.delay:
      state = .kept(now)
      return []
    case .free, .pressed:
      state = .pressed(now)
      return [(key, now)]
    }
  }

  /// Lets the Return pass that is kept back, since no other followed it in time.
  package mutating func release() -> [(key: OperatorKey, made: Moment)] {
    guard case .kept(let made) = state else { return [] }
    state = .pressed(made)
    return [(.enter, made)]
  }
}
