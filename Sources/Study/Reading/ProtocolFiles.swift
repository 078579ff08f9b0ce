package import Basics

/// The files beside a protocol that it names: tables of conditions, steps to include.
package struct ProtocolFiles: Sendable {
  /// Reads a file by its path as the protocol gives it.
  let contents: @Sendable (_ path: String) -> Result<[UInt8], FileError>

  /// Files that are read by this function.
  package init(_ contents: @escaping @Sendable (_ path: String) -> Result<[UInt8], FileError>) {
    self.contents = contents
  }

  /// The largest of such files, in bytes.
  package static let largest = 4_000_000
}

extension Located {
  /// The contents of the file whose path is here; `nil` after reporting a problem.
  ///
  /// The path leads from the protocol's folder to a file inside of it.
  func fileNamedHere() -> [UInt8]? {
    guard let path = name("the path of a file") else { return nil }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(where: { $0.isEmpty || $0 == ".." || $0 == "." }) else {
      report("the file must lie in the protocol's folder; give its path from there, without “..”")
      return nil
    }
    guard let files = problems.files else {
      report("this protocol was read without the files beside it")
      return nil
    }
    switch files.contents(path) {
    case .success(let bytes): return bytes
    case .failure(let error):
      report("\(error)")
      return nil
    }
  }
}
