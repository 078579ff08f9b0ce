import Basics

/// The strict reader of protocol files.
package enum StudyProtocolReader: Sendable {
  /// What the key `format` says of the files that this reader knows.
  package static let format = "station.protocol/1"

  /// The largest file that is read, in bytes.
  package static let largestFile = 4_000_000

  /// How many steps a protocol may have.
  package static let mostSteps = 1000

  /// How many recorders a step may have.
  package static let mostRecorders = 100

  /// How many clips a draw may name.
  package static let mostNames = 1000

  /// Reads a protocol and checks every rule that can be checked without the clips.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - fileName: what messages call it.
  /// - Returns: the protocol with its text; see ``ReadProtocol/problems(with:)`` for the rules that need the clips.
  /// - Throws: all problems at once; of broken JSON only the first fault of syntax, since nothing after it can be trusted.
  package static func read(_ bytes: [UInt8], fileName: String) throws(ProtocolProblems) -> ReadProtocol {
    let problems = ProblemList()
    guard let (node, studyProtocol) = read(bytes, problems), problems.isEmpty else {
      throw problems.problems(of: fileName, bytes)
    }
    return ReadProtocol(studyProtocol, from: bytes, node, fileName: fileName)
  }

  private static func read(_ bytes: [UInt8], _ problems: ProblemList) -> (JSONNode, StudyProtocol)? {
    guard bytes.count <= largestFile else {
      problems.add(at: 0, .root) {
        "the file has \(bytes.count) bytes and a protocol has at most \(largestFile); is this the right file?"
      }
      return nil
    }
    do throws(JSONProblems) {
      let (node, duplicates) = try JSONReader.readWithDuplicates(bytes)
      problems.add(duplicates)
      return StudyProtocol.read(Located(node: node, path: .root, problems: problems)).map { (node, $0) }
    } catch {
      problems.add(error.problems)
      return nil
    }
  }
}
