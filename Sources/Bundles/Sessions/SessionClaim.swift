package import Basics

/// The process in which a session runs: the content of the file that it holds locked.
package struct SessionHolder: Hashable, Sendable, Codable {
  /// The participant's code.
  package let participant: String
  /// The study: the protocol's identifier.
  package let study: String
  /// The process ID.
  package let process: Int32
  /// The computer's name.
  let host: String
  /// The device of the process's terminal; `nil` for a process without one.
  let terminal: String?
  /// When it claimed the session.
  package let since: WallTime

  package init(
    participant: String, study: String, process: Int32, host: String, terminal: String?, since: WallTime
  ) {
    (self.participant, self.study, self.process) = (participant, study, process)
    (self.host, self.terminal, self.since) = (host, terminal, since)
  }
}

/// The right to perform a participant's session of a study, which one process at a time has.
///
/// A process that ends, however it does, gives it up.
package final class SessionClaim: Sendable {
  private let file: LockedFile
  /// The folders that were made for it, the innermost first.
  private let made: [String]

  fileprivate init(_ file: LockedFile, made: [String]) { (self.file, self.made) = (file, made) }

  /// The path of the socket at which consoles find the session.
  package var socket: String {
    "\(file.file.path.dropLast(ResultsFolder.claimEnding.count))\(ResultsFolder.socketEnding)"
  }

  /// Gives the right up, and leaves nothing behind; calling it again changes nothing.
  package func end() {
    file.hold {
      let path = file.file.path
      guard file.file.isAt(path) else { return }
      try? Folder.removeFile(path)
      // A session that was refused before anything was recorded leaves no folder.
      for folder in made { guard (try? Folder.removeEmpty(folder)) != nil else { return } }
    }
  }
}

extension ResultsFolder {
  /// A program that a process is just starting has the locks of that process for a moment.
  private static let claimPatience = Duration.milliseconds(500)

  /// Claims a participant's session of a study.
  ///
  /// - Parameter holder: who claims it.
  /// - Returns: the claim, which is held until it is ended or let go.
  /// - Throws: `SessionClaimError` if another process has the session, and ``BundleError`` or `FileError`.
  package func claim(_ holder: SessionHolder) throws -> SessionClaim {
    let path = claimFile(of: holder.participant, in: holder.study)
    let made = [sessionsFolder, bundlesFolder, openFolder, self.path].filter { !Folder.isFolder($0) }
    while true {
      try ensureSessions()
      guard let lock = try lockedFile(path, for: holder) else { continue }
      try lock.file.truncate(to: 0)
      try lock.file.write(JSONValue(encoding: holder).encoded(), at: 0)
      return SessionClaim(lock, made: made)
    }
  }

  /// The file whose lock is the claim, with its lock; `nil` if another process has removed the file meanwhile.
  private func lockedFile(_ path: String, for holder: SessionHolder) throws -> LockedFile? {
    do {
      let lock = try LockedFile(path, .ensure)
      try lock.take(within: Self.claimPatience)
      return lock.file.isAt(path) ? lock : nil
    } catch let error as LockError {
      throw SessionClaimError(participant: holder.participant, holder: readHolder(path), process: error.holder)
    } catch let error as FileError where error.isMissing {
      return nil
    }
  }

  /// Prepares the folder for a participant's session of a study: claims it, and recovers trials that a crash left.
  ///
  /// - Parameter holder: who is going to perform the session.
  /// - Returns: the claim, and what became of the trials.
  /// - Throws: `SessionClaimError` if another process has the session, ``BundleError``, `LockError` and `FileError`.
  package func begin(_ holder: SessionHolder) throws -> (claim: SessionClaim?, recovered: [RecoveredTrial]) {
    try check()
    let isNew = !Folder.isFolder(openFolder)
    let claim = try claim(holder)
    guard !isNew else { return (claim, []) }
    do {
      try awaitTurn()
      var recovered = try recover()
      // What another process recovers at this moment belongs to what was done of the session.
      if try awaitRecovery(for: holder) { recovered += try recover() }
      return (claim, recovered.filter { $0.fate != .running })
    } catch {
      claim.end()
      throw error
    }
  }

  /// How long a process may take to make a bundle of a trial.
  private static let recoveryPatience = Duration.seconds(60)

  /// Waits until other processes have recovered what a killed process left of a session that is claimed.
  ///
  /// - Returns: whether there was anything to wait for.
  private func awaitRecovery(for holder: SessionHolder) throws -> Bool {
    var hasWaited = false
    for trial in try trialsUnderWay() {
      guard let opening = opening(of: trial), opening.participant == holder.participant,
        opening.studyProtocol.identifier == holder.study
      else { continue }
      do {
        let journal = try LockedFile(trial.journalFile, .amend)
        hasWaited = true
        try journal.hold(within: Self.recoveryPatience) {}
      } catch let error as FileError where error.isMissing {
        hasWaited = true
      }
    }
    return hasWaited
  }

  /// The studies of which a participant's claims lie in the folder, held or left by a process that was killed.
  package func studiesClaimed(by participant: String) throws(FileError) -> Set<String> {
    guard Folder.isFolder(sessionsFolder) else { return [] }
    let names = try Folder.names(in: sessionsFolder).filter { $0.hasPrefix(".") && $0.hasSuffix(Self.claimEnding) }
    let holders = names.compactMap { readHolder("\(sessionsFolder)/\($0)") }
    return Set(holders.filter { $0.participant == participant }.map(\.study))
  }

  private func readHolder(_ path: String) -> SessionHolder? {
    try? JSONReader.read(File.contents(of: path, limit: 1 << 16)).value.decoded()
  }

  fileprivate static let claimEnding = ".lock"
  fileprivate static let socketEnding = ".socket"

  /// The sessions that run on this computer, with the sockets at which consoles find them.
  package func sessionsAtSockets() throws(FileError) -> [(holder: SessionHolder, socket: String)] {
    guard Folder.isFolder(sessionsFolder) else { return [] }
    return try Folder.names(in: sessionsFolder).filter { $0.hasPrefix(".") && $0.hasSuffix(Self.socketEnding) }
      .compactMap { name in
        let socket = "\(sessionsFolder)/\(name)"
        let claim = "\(socket.dropLast(Self.socketEnding.count))\(Self.claimEnding)"
        // What a killed session left is not locked.
        guard File.isLocked(claim) ?? true, let holder = readHolder(claim) else { return nil }
        return (holder, socket)
      }
  }

  /// The file whose lock is the claim, for which study and code may have any length.
  private func claimFile(of participant: String, in study: String) -> String {
    let digest = SHA256.digest(of: Array("\(study)\0\(participant)".utf8)).description
    return "\(sessionsFolder)/.\(digest.prefix(16))\(Self.claimEnding)"
  }

  private func ensureSessions() throws(BundleError) {
    do throws(FileError) {
      try prepare()
      try Folder.ensure(sessionsFolder, isPrivate: true)
    } catch {
      throw .unwritable(folder: path, error)
    }
  }
}

/// Another process has a participant's session.
struct SessionClaimError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The participant's code.
  let participant: String
  /// Who has it, by the file that is locked; `nil` where that cannot be read.
  let holder: SessionHolder?
  /// The process that locks the file, by the kernel; `nil` for one on another computer.
  let process: LockHolder?

  /// What failed, why, and what to do.
  var description: String {
    "“\(participant.visible)” is in a session of this study already: \(place) runs it; "
      + "wait until it ends, or end it there with Ctrl-C"
  }

  private var place: String {
    guard let holder else { return process?.description ?? "another process" }
    return "process \(holder.process) on “\(holder.host.visible)”"
      + (holder.terminal.map { " at \($0.visible)" } ?? "") + " since \(holder.since)"
  }
}
