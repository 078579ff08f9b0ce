import Glibc
import Synchronization

/// Files under temporary names that this process is writing, temporary folders and the programs that write there, so that a
/// process that is ended can remove and end them first.
package enum UnfinishedFiles: Sendable {
  private static let paths = Mutex<Set<String>>([])
  private static let programs = Mutex<Set<Int32>>([])

  /// Notes a file or a folder that is about to be created.
  package static func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  /// Starts a program that leads a process group, and notes it at once, so that it is ended with this process.
  ///
  /// - Parameter start: starts it; returns its number, and an error's code or 0.
  /// - Returns: the same.
  package static func start(_ start: () -> (Int32, Int32)) -> (process: Int32, code: Int32) {
    programs.withLock { programs in
      let (process, code) = start()
      if code == 0 { programs.insert(process) }
      return (process, code)
    }
  }

  /// Forgets a program that has ended.
  package static func remove(program: Int32) { programs.withLock { _ = $0.remove(program) } }

  /// Forgets a file or a folder that is complete or was removed.
  package static func remove(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Ends all programs and removes all files and folders that were noted.
  package static func removeAll() {
    programs.withLock { programs in
      for program in programs { kill(-program, SIGKILL) }
      programs = []
    }
    let paths = paths.withLock { paths in
      defer { paths = [] }
      return paths
    }
    for path in paths {
      if Folder.isFolder(path, followingLinks: false) {
        try? Folder.removeTree(path)
      } else {
        try? Folder.removeFile(path)
      }
    }
  }
}
