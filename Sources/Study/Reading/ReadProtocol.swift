package import Basics

/// A protocol together with the text that it was read from, so that later problems can be told with their place.
package struct ReadProtocol: Sendable {
  /// What was read; every rule that needs no clips holds for it.
  package let studyProtocol: StudyProtocol

  /// The bytes of the file.
  package let bytes: [UInt8]

  /// The file as the researcher calls it.
  package let fileName: String

  private let node: JSONNode

  init(_ studyProtocol: StudyProtocol, from bytes: [UInt8], _ node: JSONNode, fileName: String) {
    self.studyProtocol = studyProtocol
    self.bytes = bytes
    self.fileName = fileName
    self.node = node
  }

  /// A problem with the value at a path; where nothing stands there, with its place in what is around it.
  package func problem(at path: JSONPointer, _ reason: String) -> ProtocolProblem {
    ProtocolProblem(
      fileName: fileName, place: TextPlace(offset: node.nearest(to: path).offset, in: bytes), path: path, reason: reason
    )
  }
}
