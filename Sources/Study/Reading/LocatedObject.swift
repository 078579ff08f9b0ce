import Basics

/// An object of the file that is being read.
struct LocatedObject {
  let place: Located
  let members: [JSONMember]

  /// The member with this key, if the object has it.
  subscript(key: String) -> Located? {
    members.first { $0.key == key }.map(located)
  }

  /// The member with this key, which must be there.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - meaning: what it says, for the complaint that it is missing.
  /// - Returns: the member; `nil` after a complaint.
  func required(_ key: String, _ meaning: String) -> Located? {
    if let member = self[key] { return member }
    place.complain("the key “\(key)” is missing; it says \(meaning)")
    return nil
  }

  /// Complains of every key that does not belong into such an object; a key that begins with `x-` always does.
  func refuseKeys(beside object: ProtocolObject) {
    let known = Set(object.keys)
    for member in members where !known.contains(member.key) && !member.key.utf8.starts(with: "x-".utf8) {
      place.problems.add(at: member.keyOffset, place.path.appending(member.key)) { object.complaint(about: member.key) }
    }
  }

  private func located(_ member: JSONMember) -> Located {
    Located(node: member.value, path: place.path.appending(member.key), problems: place.problems)
  }
}
