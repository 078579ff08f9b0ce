package import Basics

/// A protocol with the text that it was read from, so that later problems can be reported with their place.
package struct ReadProtocol: Sendable {
  /// The protocol; it satisfies every rule that needs no clips.
  package let studyProtocol: StudyProtocol

  /// The bytes of the file.
  package let bytes: [UInt8]

  /// The protocol with what it includes in place.
  private let node: JSONNode
  private let text: ProtocolText
  private let origins: StepOrigins

  init(
    _ studyProtocol: StudyProtocol, from bytes: [UInt8], _ node: JSONNode, _ text: ProtocolText, origins: StepOrigins
  ) {
    self.studyProtocol = studyProtocol
    self.bytes = bytes
    (self.node, self.text, self.origins) = (node, text, origins)
  }

  /// The protocol's text with the steps and the tables of conditions that it takes from other files, as bundles hold it.
  ///
  /// The bytes of the file itself, if it names no other.
  package var selfContained: [UInt8] {
    var tree = node.value
    let hasTables = tree["steps"]?.array?.contains { $0["design"]?["conditionsFile"] != nil } ?? false
    guard hasTables || !origins.isEmpty else { return bytes }
    let steps = (tree["steps"]?.array ?? []).enumerated().map { index, step -> JSONValue in
      guard step["design"]?["conditionsFile"] != nil, let trials = studyProtocol.steps[index].trials,
        case .object(var members) = step, case .object(var design)? = members["design"]
      else { return step }
      design["conditionsFile"] = nil
      design["conditions"] = .array(trials.design.conditions.map(\.json))
      members["design"] = .object(design)
      return .object(members)
    }
    if case .object(var members) = tree {
      members["steps"] = .array(steps)
      tree = .object(members)
    }
    return tree.encoded(pretty: true)
  }

  /// A problem with the value at a path; if there is none, with the place of the closest enclosing value.
  package func problem(at path: JSONPointer, _ reason: String) -> ProtocolProblem {
    let offset = node.nearest(to: path).offset
    let (fileName, place) = text.place(of: offset)
    return ProtocolProblem(fileName: fileName, place: place, path: origins.written(path), reason: reason)
  }
}
