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

  /// The protocol of one participant, with the folders of the participant's clips.
  package func of(participant: String) -> ReadProtocol {
    ReadProtocol(studyProtocol.of(participant: participant), from: bytes, node, text, origins: origins)
  }

  /// The protocol's text with the steps and the tables of conditions that it takes from other files, as bundles hold it.
  ///
  /// The bytes of the file itself, if it names no other.
  package var selfContained: [UInt8] {
    text.hasOthers || !origins.isEmpty ? node.value.encoded(pretty: true) : bytes
  }

  /// The members of the object at a path.
  func members(at path: JSONPointer) -> [JSONMember] {
    if case .object(let members) = node.nearest(to: path).content { members } else { [] }
  }

  /// A problem with the value at a path; if there is none, with the place of the closest enclosing value.
  package func problem(at path: JSONPointer, _ reason: String) -> ProtocolProblem {
    let offset = node.nearest(to: path).offset
    let (fileName, place) = text.place(of: offset)
    return ProtocolProblem(fileName: fileName, place: place, path: origins.written(path), reason: reason)
  }
}
