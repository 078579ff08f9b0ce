import Basics

/// The codes of conditions that other devices get as markers, from 1 to 255.
///
/// A condition has the code that the protocol gives it as `marker`; the others have the lowest codes that are left, in the
/// order of the protocol. A trial without a condition has the code 1.
package struct MarkerCodes: Hashable, Sendable {
  /// The codes that a condition can have; 0 is the state between markers.
  static let range = 1...255

  private var codes: [String: Int] = [:]

  /// The names of conditions for which no code is left.
  package private(set) var missing: [String] = []

  /// The codes of a protocol's conditions, in its order.
  init(of conditions: [StudyCondition]) {
    for condition in conditions {
      if let marker = condition.marker { codes[condition.name] = codes[condition.name] ?? marker }
    }
    let given = Set(codes.values)
    var free = Self.range.lazy.filter { !given.contains($0) }.makeIterator()
    for condition in conditions where codes[condition.name] == nil && !missing.contains(condition.name) {
      if let code = free.next() { codes[condition.name] = code } else { missing.append(condition.name) }
    }
  }

  /// The code of a condition, or of a trial without one; `nil` where none is left.
  package subscript(condition: String?) -> Int? { condition.map { codes[$0] } ?? 1 }

  /// Reports each code that another condition has, or that differs from an earlier one of the same condition.
  static func check(_ conditions: [(name: String, marker: Int)], report: (_ index: Int, _ reason: String) -> Void) {
    var names: [Int: String] = [:]
    var codes: [String: Int] = [:]
    for (index, condition) in conditions.enumerated() {
      if let name = names[condition.marker], name != condition.name {
        report(
          index, "the code \(condition.marker) is already that of “\(name.shortened)”; each condition needs its own")
      } else if let code = codes[condition.name], code != condition.marker {
        report(index, "“\(condition.name.shortened)” already has the code \(code); a condition has one")
      }
      names[condition.marker] = names[condition.marker] ?? condition.name
      codes[condition.name] = codes[condition.name] ?? condition.marker
    }
  }
}
