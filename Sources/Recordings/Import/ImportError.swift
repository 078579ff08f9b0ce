package import Basics

/// Why a file cannot be read, or not to its end.
package enum ImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system refused.
  case file(FileError)
  /// It is no file of a kind that can be imported.
  case notImportable(path: String, reason: String)
  /// It breaks off or goes wrong at a place behind which nothing can be read; what came before was delivered.
  case broken(path: String, line: Int, column: Int, reason: String)
  /// The same, for a file without lines.
  case damaged(path: String, reason: String)

  /// The file, the place, the reason and what to do.
  package var description: String {
    switch self {
    case .file(let error): error.description
    case .notImportable(let path, let reason): "cannot import “\(path.visible)”: \(reason)"
    case .damaged(let path, let reason): "“\(path.visible)”: \(reason)"
    case .broken(let path, let line, let column, let reason): "\(path):\(line):\(column): \(reason)"
    }
  }
}
