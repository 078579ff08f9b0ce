package import Basics

/// The files beside a protocol that it names: tables of conditions, steps to include.
package struct ProtocolFiles: Sendable {
  /// Reads a file by its path as the protocol gives it.
  let contents: @Sendable (_ path: String) -> Result<[UInt8], FileError>

  package init(_ contents: @escaping @Sendable (_ path: String) -> Result<[UInt8], FileError>) {
    self.contents = contents
  }

  /// The largest of such files, in bytes.
  package static let maxSize = 4_000_000
}

extension Located {
  /// The file whose path is here; `nil` after reporting a problem.
  ///
  /// - Parameter folder: the folder from which the path leads to a file inside of the protocol's folder: its names, from
  ///   the protocol's folder down.
  /// - Returns: the file's path from the protocol's folder, and its contents.
  func fileNamedHere(from folder: [String]) -> (path: String, bytes: [UInt8])? {
    guard let name = name("the path of a file") else { return nil }
    guard let path = Self.path(name, from: folder) else {
      report("the file must lie in the protocol's folder or in a folder inside of it; give a relative path")
      return nil
    }
    guard let files = problems.files else {
      report("this protocol was read without the files beside it")
      return nil
    }
    switch files.contents(path) {
    case .success(let bytes): return (path, bytes)
    case .failure(let error):
      report("\(error)")
      return nil
    }
  }

  /// A path without detours; `nil` for an absolute one and for one that leaves the protocol's folder.
  private static func path(_ name: String, from folder: [String]) -> String? {
    var parts = folder
    for part in name.split(separator: "/", omittingEmptySubsequences: false) {
      switch part {
      case "": return nil
      case ".": continue
      case "..":
        guard parts.popLast() != nil else { return nil }
      default: parts.append(String(part))
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: "/")
  }
}
