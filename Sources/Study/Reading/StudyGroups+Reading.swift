import Basics

extension StudyGroups {
  /// Reads `groups`; `nil` after reporting a problem.
  static func read(_ place: Located) -> StudyGroups? {
    guard let object = place.object("an object with “assignment” and “groups”") else { return nil }
    object.refuseKeys(beside: .groups)
    let assignment = object.required("assignment", "how participants come into groups, such as “list”")?
      .word("an assignment", among: Assignment.allCases.map(\.rawValue)).flatMap(Assignment.init)
    let elements = object.required("groups", "which groups there are")?.elements("an array of groups", atMost: 100)
    if let elements, elements.count < 2 {
      object["groups"]?.report("a study has at least 2 groups; leave the outer “groups” out of a study without them")
    }
    Located.refuseRepetition((elements ?? []).compactMap { $0.quietMember("name") }, of: "group")
    let groups = elements?.compactMap(Group.read)
    if let assignment, assignment != .list {
      for element in elements ?? [] {
        element.quietMember("cap")?.report(
          "“\(assignment.rawValue)” does not count participants; remove the cap, or write \"assignment\": \"list\"")
      }
    }
    guard let assignment, let groups else { return nil }
    return StudyGroups(assignment, groups)
  }
}

extension StudyGroups {
  /// Reads the names of groups for which something is; `nil` after reporting a problem.
  static func readNames(_ place: Located) -> [String]? {
    let elements = place.filledElements("an array of names of groups", atMost: 100)
    Located.refuseRepetition(elements ?? [], of: "name of a group")
    return elements?.compactMap { $0.identifier() }
  }

  /// Reports every name of a group in a protocol that its groups do not have.
  static func checkNames(_ places: [Located], _ top: Located) {
    let groups = top.quietMember("groups")?.quietMember("groups")?.quietElements ?? []
    let known = groups.compactMap { $0.quietMember("name")?.quietString }
    for place in places.flatMap(\.quietElements) {
      guard let name = place.quietString, !known.contains(name) else { continue }
      place.report(
        known.isEmpty
          ? "the study has no groups; name them at the top of the protocol, in “groups”"
          : "no group has this name; \(Spelling.advice(for: name, among: known))")
    }
  }
}

extension StudyGroups {
  /// Reports each group whose participants perform none of the steps.
  static func checkSteps(_ steps: [Located], _ top: Located) {
    let ofSteps = steps.map { $0.quietMember("groups")?.quietElements.compactMap(\.quietString) }
    for group in top.quietMember("groups")?.quietMember("groups")?.quietElements ?? [] {
      guard let place = group.quietMember("name"), let name = place.quietString,
        !steps.isEmpty, ofSteps.allSatisfy({ $0.map { !$0.contains(name) } ?? false })
      else { continue }
      place.report("all steps are for other groups; add a step for this group, or one without “groups”")
    }
  }
}

extension StudyGroups.Group {
  fileprivate static func read(_ place: Located) -> Self? {
    guard let object = place.object("a group, which is an object with a “name”") else { return nil }
    object.refuseKeys(beside: .group)
    let cap = object["cap"]?.wholeNumber("a number of participants", in: 1...1_000_000)
    return object.required("name", "what results call this group")?.identifier().map { Self($0, cap: cap) }
  }
}
