package import Basics

/// A protocol with the text that it was read from, so that later problems can be reported with their place.
package struct ReadProtocol: Sendable {
  /// The protocol; it satisfies every rule that needs no clips.
  package let studyProtocol: StudyProtocol

  /// The bytes of the file.
  package let bytes: [UInt8]

  /// The file's name for messages.
  package let fileName: String

  private let node: JSONNode

  init(_ studyProtocol: StudyProtocol, from bytes: [UInt8], _ node: JSONNode, fileName: String) {
    self.studyProtocol = studyProtocol
    self.bytes = bytes
    self.fileName = fileName
    self.node = node
  }

  /// The protocol's text with the tables of conditions that it names, as bundles hold it.
  ///
  /// The bytes of the file itself, if it names no table.
  package var selfContained: [UInt8] {
    var tree = node.value
    guard tree["steps"]?.array?.contains(where: { $0["design"]?["conditionsFile"] != nil }) ?? false else {
      return bytes
    }
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
    ProtocolProblem(
      fileName: fileName, place: TextPlace(offset: node.nearest(to: path).offset, in: bytes), path: path, reason: reason
    )
  }
}
