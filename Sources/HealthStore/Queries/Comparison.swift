/// How a value is compared with another.
package enum Comparison: String, Hashable, Sendable, CaseIterable {
  /// Less than.
  case less = "<"
  /// Less than or the same.
  case atMost = "<="
  /// The same.
  case equal = "=="
  /// Not the same.
  case unequal = "!="
  /// More than or the same.
  case atLeast = ">="
  /// More than.
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
