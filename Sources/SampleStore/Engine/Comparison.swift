/// A comparison operator.
package enum Comparison: String, Hashable, Sendable, CaseIterable {
  /// Less than.
  case less = "<"
  /// Less than or equal to.
  case atMost = "<="
  /// Equal to.
  case equal = "=="
  /// Not equal to.
  case unequal = "!="
  /// Greater than or equal to.
  case atLeast = ">="
  /// Greater than.
  case more = ">"

  func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .less: left < right
    case .atMost: left <= right
    case .equal: left == right
    case .unequal: left != right
    case .atLeast: left >= right
    case .more: left > right
    }
  }
}
