import Foundation

/// Whole outputs that are compared with files in the repository.
package enum Golden: Sendable {
  /// Whether this run rewrites the files instead of comparing: `STATION_RECORD=1`.
  package static let records = ProcessInfo.processInfo.environment["STATION_RECORD"] == "1"

  /// Compares a text with the file in which it is kept, or writes that file when ``records`` is set.
  ///
  /// - Parameters:
  ///   - text: what was made.
  ///   - path: the file, absolute or seen from the repository's root.
  /// - Throws: ``GoldenMismatch`` when the file says something else or is missing.
  package static func compare(_ text: String, with path: String) throws {
    try compare(Array(text.utf8), with: path)
  }

  /// Compares bytes with the file in which they are kept, as ``compare(_:with:)-(String,_)`` does.
  package static func compare(_ bytes: [UInt8], with path: String) throws {
    let file = path.hasPrefix("/") ? path : "\(Repository.root)/\(path)"
    let kept = FileManager.default.contents(atPath: file)
    if kept == Data(bytes) { return }
    guard records else {
      throw GoldenMismatch(
        path: path, kept: kept.map { String(decoding: $0, as: UTF8.self) }, text: String(decoding: bytes, as: UTF8.self)
      )
    }
    try Data(bytes).write(to: URL(filePath: file))
  }
}

/// An output is not what the repository keeps of it.
package struct GoldenMismatch: Error, Sendable, CustomStringConvertible {
  /// The file.
  package let path: String
  /// What the file says; `nil` where it is missing.
  package let kept: String?
  /// What was made.
  package let text: String

  /// The first line that differs, and what to do.
  package var description: String {
    guard let kept else { return "\(path) is missing; STATION_RECORD=1 writes it:\n\(text)" }
    let old = kept.split(separator: "\n", omittingEmptySubsequences: false)
    let new = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = zip(old, new).prefix { $0 == $1 }.count
    func show(_ lines: [Substring]) -> String { line < lines.count ? "“\(lines[line])”" : "nothing" }
    return "\(path):\(line + 1): the file says \(show(old)), the test made \(show(new)); "
      + "STATION_RECORD=1 rewrites it where the change is meant"
  }
}
