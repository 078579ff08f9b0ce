/// How far a trial can be trusted.
package enum Verdict: String, Sendable, CaseIterable, Comparable, Codable {
  /// No problem was found.
  case good
  /// A person should check it before it is analysed.
  case suspect
  /// It lacks usable data.
  case bad

  /// Better before worse.
  package static func < (left: Verdict, right: Verdict) -> Bool {
    let order = allCases
    return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
  }
}
