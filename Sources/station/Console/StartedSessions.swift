import Basics
import Bundles
import Glibc
import Synchronization

/// The sessions that a console has started: processes that outlive it.
final class StartedSessions: Sendable {
  private struct Started {
    let process: pid_t
    /// Where its standard error goes.
    let errors: TemporaryFolder
    var status: Int32?
    /// The name of its socket, once it has one.
    var name: String?
  }

  /// How often it is looked whether a process can be found.
  private static let pace = Duration.milliseconds(50)

  private let results: ResultsFolder
  private let all = Mutex<[Started]>([])

  init(in results: ResultsFolder) { self.results = results }

  /// Starts a session, and waits until consoles find it or it has ended.
  ///
  /// - Parameters:
  ///   - words: the words of the command.
  ///   - participant: the participant's code.
  ///   - study: the protocol's identifier.
  /// - Returns: the session's name for consoles, or why there is none.
  func start(_ words: [String], participant: String, study: String) async -> JSONValue {
    let errors: TemporaryFolder
    do throws(FileError) { errors = try TemporaryFolder() } catch { return Self.failure(["\(error)"]) }
    var start = ProgramStart([ChildCommand.program] + words)
    (start.errors, start.isolation) = (.file("\(errors.path)/errors"), .session)
    let (process, error) = start.start()
    guard error == 0 else {
      errors.remove()
      return Self.failure([FileError("start", "station run", code: error).description])
    }
    let index = all.withLock { all in
      all.append(Started(process: process, errors: errors))
      return all.count - 1
    }
    WaitingThread.start { [self] in
      var status: Int32 = 0
      while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
      all.withLock { $0[index].status = ProgramStart.exitStatus(status) }
    }
    while all.withLock({ $0[index].status == nil }) {
      let found = try? results.sessionsAtSockets().first {
        $0.holder.participant == participant && $0.holder.study == study && $0.holder.process == process
      }
      if let found {
        let name = Folder.name(of: found.socket)
        all.withLock { $0[index].name = name }
        return ["session": .string(name)]
      }
      try? await Task.sleep(for: Self.pace)
    }
    return Self.failure(complaints(of: index))
  }

  /// How a session that this console has started ended, and what it complained of; `null` for another one, or one that runs.
  func fate(of name: String) async -> JSONValue {
    guard let index = all.withLock({ $0.lastIndex { $0.name == name } }) else { return .null }
    // Its socket is gone a moment before it ends.
    for _ in 0..<100 {
      if let status = all.withLock({ $0[index].status }) {
        return ChildCommand.answer(status, .null, complaints(of: index))
      }
      try? await Task.sleep(for: Self.pace)
    }
    return .null
  }

  private func complaints(of index: Int) -> [String] {
    let path = all.withLock { $0[index].errors.path }
    let text = (try? File.contents(of: "\(path)/errors")).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return ChildCommand.complaints(in: text)
  }

  private static func failure(_ complaints: [String]) -> JSONValue {
    ["complaints": .array((complaints.isEmpty ? ["it ended without a reason"] : complaints).map { .string($0) })]
  }

  /// Forgets what the processes printed; they go on.
  func forget() {
    for started in all.withLock({ $0 }) { started.errors.remove() }
  }
}
