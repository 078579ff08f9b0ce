/// How far a trial can be trusted.
package enum Verdict: String, Sendable, CaseIterable, Comparable, Codable {
  /// Nothing speaks against it.
  case good
  /// Somebody should look at it.
  case suspect
  /// It did not give what it was made for.
  case bad

  /// Better before worse.
  package static func < (left: Verdict, right: Verdict) -> Bool {
    let order = allCases
    return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
  }
}
