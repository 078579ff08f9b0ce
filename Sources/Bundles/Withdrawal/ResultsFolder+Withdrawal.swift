package import Basics
import Quantities

extension ResultsFolder {
  private var pendingFile: String { "\(path)/.withdrawal.json" }

  private var withdrawalLock: String { "\(path)/.withdrawal.lock" }

  /// Where the tombstones of participants lie who have withdrawn.
  private var withdrawnFile: String { "\(path)/withdrawn.jsonl" }

  /// Does something under the lock under which participants are withdrawn, one at a time.
  ///
  /// - Throws: `LockError` with the process that has it, `FileError`, and what the work throws.
  package func lockedForWithdrawal<Value>(_ work: () async throws -> Value) async throws -> Value {
    try prepare()
    return try await LockedFile(withdrawalLock, .append).hold(within: Self.lockPatience, work)
  }

  /// Does something under that lock, unless another process has it.
  ///
  /// - Throws: `FileError` where the lock cannot be taken, and what the work throws.
  func unlessWithdrawing(_ work: () throws -> Void) throws {
    let lock = try LockedFile(withdrawalLock, .append)
    if try lock.take() { try lock.hold(work) }
  }

  // MARK: What is to be done

  /// The withdrawal that was not completed; `nil` if there is none.
  ///
  /// - Throws: ``BundleError/unreadable(path:reason:)``.
  package func pendingWithdrawal() throws(BundleError) -> PendingWithdrawal? {
    guard Folder.exists(pendingFile) else { return nil }
    do {
      return try JSONReader.read(File.contents(of: pendingFile)).value.decoded()
    } catch {
      throw .unreadable(path: pendingFile, reason: "\(error)")
    }
  }

  /// Writes down what is to be removed; on the disk when this returns.
  package func write(_ pending: PendingWithdrawal) throws {
    try File.replaceWhole(pendingFile, JSONValue(encoding: pending).encoded(pretty: true), isPrivate: true)
  }

  /// Removes the file of a withdrawal that is complete, and what a crash left of it.
  package func removePendingWithdrawal() throws(FileError) {
    for name in try Folder.names(in: path)
    where name.hasPrefix(".withdrawal.json") || name.hasPrefix("..withdrawal.json") {
      try Folder.removeFile("\(path)/\(name)")
    }
    try Folder.synchronize(path)
  }

  // MARK: Removing

  /// Moves a bundle out of the folder of bundles, from where a crash or a recovery can only remove it.
  package func setAside(_ bundle: PersonalFiles.Part) throws(FileError) {
    let folder = bundlePath(named: bundle.name)
    guard Folder.exists(folder) else { return }
    let gone = gonePath(of: bundle)
    if Folder.exists(gone) { try Folder.removeTree(gone) }
    try Folder.rename(folder, to: gone)
    try Folder.synchronize(bundlesFolder)
    try Folder.synchronize(openFolder)
  }

  /// Removes a bundle that was set aside, its corrections, and what else there is of its trial.
  package func removeSetAside(_ bundle: PersonalFiles.Part) throws {
    try CorrectionsFile(ofBundle: bundlePath(named: bundle.name)).remove()
    let gone = gonePath(of: bundle)
    do throws(FileError) {
      if Folder.exists(gone) { try Folder.removeTree(gone) }
    } catch {
      // A recovery removes it at the same time.
      guard error.isMissing else { throw error }
    }
    try Folder.synchronize(openFolder)
    // Journals that were replaced while they were written.
    guard TrialIdentifier(bundle.identifier) != nil else { return }
    for name in try Folder.names(in: path) where name.hasPrefix("replaced-\(bundle.identifier)") {
      try Folder.removeFile("\(path)/\(name)")
    }
  }

  /// Where a bundle lies while it is removed, under a name that recoveries clear.
  private func gonePath(of bundle: PersonalFiles.Part) -> String {
    let identifier = TrialIdentifier(bundle.identifier) ?? TrialIdentifier(bundle.name)
    return "\(openFolder)/\(identifier?.description ?? ".removed").gone"
  }

  /// Removes the record of a session, and what crashes left of it.
  package func removeSession(_ session: PersonalFiles.Part) throws(FileError) {
    try remove("\(session.name).json", from: sessionsFolder)
  }

  /// Removes a signed consent with its copy, and what crashes left of them.
  package func removeConsent(_ consent: PersonalFiles.Part) throws(FileError) {
    try remove("\(consent.identifier).html", from: consentsFolder)
    try remove(consent.name, from: consentsFolder)
  }

  private func remove(_ file: String, from folder: String) throws(FileError) {
    guard Folder.isFolder(folder) else { return }
    for name in try Folder.names(in: folder) where name == file || name.hasPrefix(".\(file).") {
      try Folder.removeFile("\(folder)/\(name)")
    }
    try Folder.synchronize(folder)
  }

  // MARK: What remains

  /// Adds the tombstones of a withdrawal to `withdrawn.jsonl`, each once; on the disk when this returns.
  package func keep(_ tombstones: [WithdrawnParticipant]) throws {
    let known = Folder.exists(withdrawnFile) ? try File.contents(of: withdrawnFile) : []
    let lines = known.split(separator: UInt8(ascii: "\n")).map(Array.init)
    let new = try tombstones.map { try Array(JSONValue(encoding: $0, writesNull: true).text().utf8) }
      .filter { !lines.contains($0) }
    guard !new.isEmpty else { return }
    let all = (lines + new).flatMap { $0 + [UInt8(ascii: "\n")] }
    try File.replaceWhole(withdrawnFile, all, isPrivate: true)
  }

  /// The participants who have withdrawn, in the order of time.
  ///
  /// - Throws: ``BundleError/unreadable(path:reason:)``.
  func withdrawnParticipants() throws(BundleError) -> [WithdrawnParticipant] {
    guard Folder.exists(withdrawnFile) else { return [] }
    do {
      return try File.contents(of: withdrawnFile).split(separator: UInt8(ascii: "\n")).map { line in
        try JSONReader.read(Array(line)).value.decoded()
      }
    } catch {
      throw .unreadable(path: withdrawnFile, reason: "\(error)")
    }
  }

  /// Old stores that rebuilds kept beside a store, which still have what the store no longer has.
  package func oldStores(beside store: String) throws(FileError) -> [String] {
    let folder = Folder.parent(of: store)
    guard Folder.isFolder(folder) else { return [] }
    let name = Folder.name(of: store)
    return try Folder.names(in: folder).filter { $0.hasPrefix("\(name).") && $0.hasSuffix(".damaged") }
      .map { Folder.path($0, from: folder) }
  }
}

/// A withdrawal that is under way, or was when its computer stopped: what is to be removed, so that it can be completed.
///
/// It is the only file that still has the code while the withdrawal goes on, and is removed at its end.
package struct PendingWithdrawal: Hashable, Sendable, Codable, CheckedInJSON {
  /// The format of the document: `station.withdrawal/1`.
  private let format: String
  /// The participant's code.
  package let participant: String
  /// The study; `nil` for all.
  package let study: String?
  /// When it began.
  let time: WallTime
  /// What is to be removed from the results folder, also what has been removed already.
  package var files = PersonalFiles()
  /// The names that the participants' list has afterwards, for each study.
  package var names: [String: String] = [:]

  private static let format = "station.withdrawal/1"

  package init(participant: String, study: String?, time: WallTime) {
    format = Self.format
    (self.participant, self.study, self.time) = (participant, study, time)
  }

  /// What is wrong with it although its members are right.
  package var jsonProblem: String? {
    format == Self.format ? nil : "its format is “\(format)”, and this station reads “\(Self.format)”"
  }

  /// What remains of the participant: a line for each study.
  package var tombstones: [WithdrawnParticipant] {
    files.studies.union(names.keys).sorted().map { study in
      WithdrawnParticipant(
        participant: names[study], study: study, bundles: files.bundles.count { $0.study == study },
        sessions: files.sessions.count { $0.study == study }, time: time)
    }
  }
}

/// What remains of a participant who has withdrawn from a study, without data: a line of `withdrawn.jsonl`.
package struct WithdrawnParticipant: Hashable, Sendable, Codable {
  /// The name in the participants' list: `withdrawn-7`; `nil` for one whom the list did not have.
  package let participant: String?
  package let study: String
  /// How many bundles were removed.
  package let bundles: Int
  /// How many records of sessions were removed.
  package let sessions: Int
  package let time: WallTime
}
