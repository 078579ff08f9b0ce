import Synchronization

/// Files under temporary names that this process is writing, so that a process that is ended can remove them first.
package enum UnfinishedFiles: Sendable {
  private static let paths = Mutex<Set<String>>([])

  /// Notes a file that is about to be created.
  package static func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  /// Forgets a file that is complete or was removed.
  package static func remove(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Removes all files that were noted.
  package static func removeAll() {
    let paths = paths.withLock { paths in
      defer { paths = [] }
      return paths
    }
    for path in paths { try? Folder.removeFile(path) }
  }
}
