import Basics

/// The groups of a study between participants, and how each participant comes into one of them.
package struct StudyGroups: Hashable, Sendable {
  /// How a participant's group is found.
  package enum Assignment: String, Sendable, CaseIterable {
    /// By the participant's index in the participants' list: the groups in turn.
    case index
    /// By a hash of the participant's code and the study's seed, which needs no list.
    case hash
    /// By the participants' list: the group that is filled least, up to the caps.
    case list
  }

  /// One group.
  package struct Group: Hashable, Sendable {
    /// Its name in results.
    package var name: String
    /// The most participants that it takes; `nil` for any number.
    var cap: Int?

    init(_ name: String, cap: Int? = nil) { (self.name, self.cap) = (name, cap) }
  }

  /// How groups are assigned.
  package var assignment: Assignment
  /// The groups in the order of the protocol, with unique names; only ``Assignment/list`` has caps.
  package var groups: [Group]

  init(_ assignment: Assignment, _ groups: [Group]) { (self.assignment, self.groups) = (assignment, groups) }

  /// Finds the group of a new participant.
  ///
  /// The groups by index are those of the protocol in turn; `list` takes the group with the fewest participants, or,
  /// where every group has a cap, the one with the smallest share of its cap. Of equally filled groups one is drawn.
  /// The group by hash is, in Python:
  ///
  /// ```python
  /// def group(groups, participant, seed):
  ///     digest = hashlib.sha256(f"{seed}/{participant}".encode()).hexdigest()
  ///     return groups[int(digest, 16) % len(groups)]
  /// ```
  ///
  /// - Parameters:
  ///   - index: the participant's index in the participants' list, from 1.
  ///   - participant: the participant's code.
  ///   - counts: how many participants each group has; groups without participants may be missing.
  ///   - seed: the study's seed, 0 to ``Draw/maxSeed``.
  /// - Returns: the group's name, and the draw if there was one.
  /// - Throws: ``GroupsFull`` if all groups have reached their caps.
  package func assign(
    index: Int, participant: String, counts: [String: Int], seed: UInt64
  ) throws(GroupsFull) -> (name: String, draw: Draw?) {
    precondition(index >= 1, "participants are counted from 1")
    switch assignment {
    case .index: return (groups[(index - 1) % groups.count].name, nil)
    case .hash:
      let digest = SHA256.digest(of: Array("\(seed)/\(participant)".utf8))
      return (groups[digest.bytes.reduce(0) { ($0 * 256 + Int($1)) % groups.count }].name, nil)
    case .list:
      let least = leastFilled(counts)
      guard let first = least.first else { throw GroupsFull(participant: participant, groups: groups) }
      guard least.count > 1 else { return (first, nil) }
      let draw = Draw.make(purpose: "groups/\(index)", candidates: least, seed: seed)
      return (draw.candidates[draw.index], draw)
    }
  }

  /// The groups with a free place of which none is filled less.
  private func leastFilled(_ counts: [String: Int]) -> [String] {
    let haveCaps = groups.allSatisfy { $0.cap != nil }
    func isFilledLess(_ left: Group, _ right: Group) -> Bool {
      let (leftCount, rightCount) = (counts[left.name] ?? 0, counts[right.name] ?? 0)
      guard haveCaps, let leftCap = left.cap, let rightCap = right.cap else { return leftCount < rightCount }
      return leftCount * rightCap < rightCount * leftCap
    }
    let free = groups.filter { (counts[$0.name] ?? 0) < $0.cap ?? .max }
    guard let least = free.min(by: isFilledLess) else { return [] }
    return free.filter { !isFilledLess(least, $0) }.map(\.name)
  }
}

/// Why a participant cannot be assigned to a group: all of them have reached their caps.
package struct GroupsFull: Error, Hashable, Sendable, CustomStringConvertible {
  /// The participant's code.
  let participant: String
  /// The groups with their caps.
  let groups: [StudyGroups.Group]

  /// What failed, why, and what to do.
  package var description: String {
    let caps = groups.map { "\($0.name) \($0.cap ?? 0)" }.joined(separator: ", ")
    return "cannot assign participant “\(participant)” to a group: every group has reached its cap (\(caps)); "
      + "raise the caps in the protocol, or withdraw participants who do not take part"
  }
}
