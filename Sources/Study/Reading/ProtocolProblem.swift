public import JSON
internal import Spelling

/// One thing that is wrong with a protocol file: where, and what to do about it.
public struct ProtocolProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file as the researcher calls it.
  public let fileName: String

  /// The line and column.
  public let place: TextPlace

  /// The value's path in the file; the root's for what concerns the whole file.
  public let path: JSONPointer

  /// What is wrong there and what to do, in lower case and without its place.
  public let reason: String

  /// `protocol.json:7:21: /steps/1/stepDuration: expected a number of seconds, found the string “30”`.
  public var description: String {
    "\(fileName.visible):\(place): " + (path == .root ? "" : "\(shownPath): ") + reason
  }

  /// The path on one line and, where it is very long, without its beginning.
  private var shownPath: String {
    let text = String(path.description.map { $0.unicodeScalars.allSatisfy { $0.value < 0x20 } ? " " : $0 })
    return text.utf8.count > 200 ? "…\(text.suffix(160))" : text
  }
}

/// Everything that is wrong with a protocol file, in the order of its text; never empty.
public struct ProtocolProblems: Error, Hashable, Sendable, CustomStringConvertible {
  /// How many problems are told one by one.
  public static let most = 100

  /// The first problems.
  public let problems: [ProtocolProblem]

  /// How many more there are.
  public let omitted: Int

  /// These problems, and how many were left out.
  ///
  /// - Precondition: there is one.
  public init(problems: [ProtocolProblem], omitted: Int = 0) {
    precondition(!problems.isEmpty, "an error needs a problem")
    self.problems = problems
    self.omitted = omitted
  }

  /// One problem a line.
  public var description: String {
    let lines = problems.map(\.description) + (omitted > 0 ? ["… and \(omitted) more"] : [])
    return lines.joined(separator: "\n")
  }
}
