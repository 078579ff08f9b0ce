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

  /// A problem with the value at a path; if there is none, with the place of the closest enclosing value.
  package func problem(at path: JSONPointer, _ reason: String) -> ProtocolProblem {
    ProtocolProblem(
      fileName: fileName, place: TextPlace(offset: node.nearest(to: path).offset, in: bytes), path: path, reason: reason
    )
  }
}
