package import Basics

/// An object of the file being read.
package struct LocatedObject {
  let place: Located

  /// The members in the order of the text.
  package let members: [JSONMember]

  /// The member with this key, if the object has it.
  package subscript(key: String) -> Located? {
    members.first { $0.key == key }.map(located)
  }

  /// The member with this key, which is required.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - meaning: its meaning, for the message that it is missing.
  /// - Returns: the member; `nil` after reporting a problem.
  package func required(_ key: String, _ meaning: String) -> Located? {
    if let member = self[key] { return member }
    place.report("the key “\(key)” is missing; it says \(meaning)")
    return nil
  }

  /// Reports every key beside the known ones that does not begin with `x-`.
  ///
  /// - Parameters:
  ///   - keys: the known keys.
  ///   - problem: what to say about another key.
  package func refuseKeys(beside keys: [String], _ problem: (_ key: String) -> String) {
    let known = Set(keys)
    for member in members where !known.contains(member.key) && !member.key.utf8.starts(with: "x-".utf8) {
      place.problems.add(at: member.keyOffset, place.path.appending(member.key)) { problem(member.key) }
    }
  }

  private func located(_ member: JSONMember) -> Located {
    Located(node: member.value, path: place.path.appending(member.key), problems: place.problems)
  }
}
