import Glibc
import Synchronization

/// Files under temporary names that this process is writing, temporary folders and the programs that write there, so that a
/// process that is ended can remove and end them first.
package enum UnfinishedFiles: Sendable {
  private static let paths = Mutex<Set<String>>([])
  /// The programs that run; `nil` from the end of this process on, when none can be started any more.
  private static let programs = Mutex<Set<Int32>?>([])

  /// Notes a file or a folder that is about to be created.
  package static func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  /// Runs a program that leads a process group, which is ended with this process.
  ///
  /// Does not return when ``removeAll()`` has ended the program: its caller would go on with files that are being removed.
  ///
  /// - Parameters:
  ///   - start: starts it; returns its number, and an error's code or 0.
  ///   - wait: waits for its end.
  /// - Returns: what `wait` returned, or the error's code.
  /// - Throws: what `wait` throws.
  package static func run<Value, Failure: Error>(
    _ start: () -> (Int32, Int32), wait: (Int32) throws(Failure) -> Value
  ) throws(Failure) -> (value: Value?, code: Int32) {
    let started = programs.withLock { programs -> (process: Int32, code: Int32)? in
      guard programs != nil else { return nil }
      let (process, code) = start()
      if code == 0 { programs?.insert(process) }
      return (process, code)
    }
    guard let started else { stay() }
    guard started.code == 0 else { return (nil, started.code) }
    defer { forget(started.process) }
    return (try wait(started.process), 0)
  }

  private static func forget(_ program: Int32) {
    let goesOn = programs.withLock { programs in
      programs?.remove(program)
      return programs != nil
    }
    if !goesOn { stay() }
  }

  /// Keeps the thread until the process has ended.
  private static func stay() -> Never { while true { pause() } }

  /// Forgets a file or a folder that is complete or was removed.
  package static func remove(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Ends all programs and removes all files and folders that were noted; afterwards the process has to end.
  package static func removeAll() {
    programs.withLock { programs in
      for program in programs ?? [] { kill(-program, SIGKILL) }
      programs = nil
    }
    let paths = paths.withLock { paths in
      defer { paths = [] }
      return paths
    }
    for path in paths {
      if Folder.isFolder(path, followingLinks: false) {
        // A thread may just create a file there.
        for _ in 0..<10 where Folder.exists(path) { try? Folder.removeTree(path) }
      } else {
        try? Folder.removeFile(path)
      }
    }
  }
}
