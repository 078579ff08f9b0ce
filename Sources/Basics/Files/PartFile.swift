import Glibc
import Synchronization

/// A file under a temporary name beside its own, `.NAME.DIGITS.part`, which is locked while it is written.
///
/// An unlocked one was left by a process that was killed.
package enum PartFile: Sendable {
  /// Creates one.
  ///
  /// - Throws: ``FileError`` of the file's own name.
  package static func create(beside path: String, isPrivate: Bool = false) throws(FileError) -> File {
    while true {
      let name = ".\(Folder.name(of: path)).\(UInt64.random(in: .min ... .max)).part"
      let part = Folder.path(name, from: Folder.parent(of: path))
      do throws(FileError) {
        let file = try File(part, .create, isPrivate: isPrivate)
        // Some network file systems have no locks: there nothing that was left is removed.
        guard let isLocked = try? file.lock() else { return file }
        // Before it was locked, another process may have taken it for one that was left.
        if isLocked, file.isAt(part) { return file }
      } catch {
        throw FileError(error.action, path, code: error.code)
      }
    }
  }

  /// The name of the file that a temporary name is for; `nil` for any other name.
  static func target(of name: String) -> Substring? {
    guard name.hasPrefix("."), name.hasSuffix(".part") else { return nil }
    let whole = name.dropFirst().dropLast(".part".count)
    guard let dot = whole.lastIndex(of: "."), dot > whole.startIndex else { return nil }
    let digits = whole[whole.index(after: dot)...]
    return !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber } ? whole[..<dot] : nil
  }
}

extension Folder {
  /// Removes what killed processes left in a folder of files that they were writing; those that are being written remain.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - name: the name of the file that was written; `nil` for all.
  package static func removeAbandonedParts(in folder: String, of name: String? = nil) {
    for part in (try? names(in: folder)) ?? [] {
      guard let target = PartFile.target(of: part), name == nil || target == name ?? "",
        let file = try? File("\(folder)/\(part)", .read, isRegular: true), (try? file.lock()) == true
      else { continue }
      try? removeFile("\(folder)/\(part)")
      file.unlock()
    }
  }
}

/// Who may use the files and folders that this process creates: its user alone, unless it shares them.
package enum NewFiles: Sendable {
  private static let areShared = Atomic(false)

  /// Lets others use what is created from now on, as far as the process's umask allows; except for what is always private.
  package static func share() { areShared.store(true, ordering: .relaxed) }

  /// The permissions of a new file, before the umask.
  static func permissions(isPrivate: Bool) -> mode_t {
    isPrivate || !areShared.load(ordering: .relaxed) ? 0o600 : 0o666
  }

  /// The permissions of a new folder, before the umask.
  static func folderPermissions(isPrivate: Bool) -> mode_t {
    isPrivate || !areShared.load(ordering: .relaxed) ? 0o700 : 0o777
  }
}

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
  static func run<Value, Failure: Error>(
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
