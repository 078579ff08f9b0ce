/// A number that is pointed at with the arrow keys, and chosen by Return or by typing it.
///
/// Nothing is chosen by moving alone, so that the cursor's first place cannot become an answer. It begins at the end from
/// which the first key comes: at the lowest number for a key that leads upwards, at the highest for one that leads downwards.
struct Selection: Hashable, Sendable {
  /// How far the choice is.
  enum State: Hashable, Sendable {
    /// Nothing was pointed at.
    case untouched
    /// The cursor is on a number, which is not chosen.
    case pointed(Int)
    /// A number is chosen.
    case chosen(Int)
  }

  private(set) var state = State.untouched

  /// The number that the cursor or the mark is on.
  var number: Int? {
    switch state {
    case .untouched: nil
    case .pointed(let number), .chosen(let number): number
    }
  }

  /// The number that is chosen.
  var chosen: Int? { if case .chosen(let number) = state { number } else { nil } }

  /// The number that the cursor is on, and that is not chosen.
  var pointed: Int? { if case .pointed(let number) = state { number } else { nil } }

  /// Moves the cursor, or the mark of a number that is chosen already.
  mutating func move(by distance: Int, within range: ClosedRange<Int>) {
    let next = number.map { $0 + distance } ?? (distance > 0 ? range.lowerBound : range.upperBound)
    point(to: min(max(next, range.lowerBound), range.upperBound))
  }

  /// Puts the cursor on a number, or the mark of one that is chosen already.
  mutating func point(to number: Int) { state = chosen == nil ? .pointed(number) : .chosen(number) }

  /// Chooses a number, or none.
  mutating func choose(_ number: Int?) { state = number.map(State.chosen) ?? .untouched }

  /// Return chooses what is pointed at, and answers with what is chosen.
  ///
  /// - Parameter answer: the answer of a number.
  /// - Returns: what became of the key.
  mutating func enter(_ answer: (Int) -> KeyUse) -> KeyUse {
    switch state {
    case .untouched: return .unused
    case .pointed(let number):
      choose(number)
      return .used
    case .chosen(let number): return answer(number)
    }
  }
}
