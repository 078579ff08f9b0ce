package import Basics

/// A protocol with the text that it was read from, so that later problems can be reported with their place.
package struct ReadProtocol: Sendable {
  /// The protocol; it satisfies every rule that needs no clips.
  package let studyProtocol: StudyProtocol

  /// The bytes of the file.
  let bytes: [UInt8]

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

  /// The protocol with its texts in one of its languages.
  ///
  /// - Returns: the protocol; `nil` for a language that it does not have.
  package func shown(in language: String) -> ReadProtocol? {
    if studyProtocol.language == language { return self }
    guard let texts = studyProtocol.translations.first(where: { $0.language == language }),
      let (node, translated) = texts.translation(of: node, ProblemList())
    else { return nil }
    return ReadProtocol(translated, from: bytes, node, text, origins: origins)
  }

  /// The protocol's text with the steps, tables and translations that it takes from other files, as bundles hold it.
  ///
  /// The bytes of the file itself, if it names no other.
  package var selfContained: [UInt8] {
    text.hasOthers || !origins.isEmpty || !studyProtocol.pictures.isEmpty ? node.value.encoded(pretty: true) : bytes
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

/// The strict reader of protocol files.
package enum StudyProtocolReader: Sendable {
  /// The value of the key `format` in files of this version.
  static let format = "station.protocol/1"

  /// The maximum size of a file, in bytes.
  package static let maxFile = 4_000_000

  /// The maximum number of steps in a protocol.
  static let maxSteps = 10_000

  /// The maximum number of clips named in a draw.
  static let maxNames = 1000

  /// Reads a protocol and checks every rule that does not need the clips.
  ///
  /// - Parameters:
  ///   - bytes: the file's bytes.
  ///   - fileName: the file's name for messages.
  ///   - files: the files beside it; `nil` if it may name none.
  /// - Returns: the protocol with its text; see ``ReadProtocol/problems(with:)`` for the rules that need the clips.
  /// - Throws: all problems together; for invalid JSON only the first syntax error, because nothing after it is
  ///   reliable.
  package static func read(
    _ bytes: [UInt8], fileName: String, files: ProtocolFiles? = nil
  ) throws(ProtocolProblems) -> ReadProtocol {
    let problems = ProblemList(files: files)
    var text = ProtocolText(fileName, bytes)
    guard let (node, studyProtocol) = read(bytes, &text, problems), problems.isEmpty else {
      throw problems.problems(of: text)
    }
    for texts in studyProtocol.translations { _ = texts.translation(of: node, problems) }
    guard problems.isEmpty else { throw problems.problems(of: text) }
    return ReadProtocol(studyProtocol, from: bytes, node, text, origins: problems.origins)
  }

  private static func read(
    _ bytes: [UInt8], _ text: inout ProtocolText, _ problems: ProblemList
  ) -> (JSONNode, StudyProtocol)? {
    guard bytes.count <= maxFile else {
      problems.add(at: 0, .root) {
        "the file has \(bytes.count) bytes and a protocol has at most \(maxFile); is this the right file?"
      }
      return nil
    }
    do throws(JSONProblems) {
      let (written, duplicates) = try JSONReader.readWithDuplicates(bytes)
      problems.add(duplicates)
      var expansion = StepExpansion(text, problems)
      let node = expansion.expand(written)
      text = expansion.text
      return StudyProtocol.read(Located(node: node, path: .root, problems: problems)).map { (node, $0) }
    } catch {
      problems.add(error.problems)
      return nil
    }
  }
}
