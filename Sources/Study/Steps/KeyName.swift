/// The names of keys that are no character; any other key is called by its character.
package enum KeyName: String, Sendable, CaseIterable {
  /// The space bar.
  case space
  /// Return.
  case enter
  /// The arrow up.
  case up
  /// The arrow down.
  case down
  /// The arrow to the left.
  case left
  /// The arrow to the right.
  case right

  /// The names of the arrows.
  static let arrows: [String] = [KeyName.up, .down, .left, .right].map(\.rawValue)
}
