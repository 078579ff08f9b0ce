package import Basics
import Quantities

extension ResultsFolder {
  /// The name of the folder with the records of sessions.
  static let sessionsName = "sessions"

  /// Where the records of sessions lie.
  var sessionsFolder: String { "\(path)/\(Self.sessionsName)" }

  /// The record of a session.
  func path(ofSession session: String) -> String { "\(sessionsFolder)/\(session).json" }

  /// The identifiers of the sessions that have records, oldest first.
  ///
  /// - Throws: `FileError` when the folder cannot be read.
  package func sessionNames() throws(FileError) -> [String] {
    guard Folder.isFolder(sessionsFolder) else { return [] }
    return try Folder.names(in: sessionsFolder).filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
      .map { String($0.dropLast(5)) }
  }

  /// Writes the record of a session in place of the one before; on the disk when this returns.
  ///
  /// - Parameters:
  ///   - record: the record.
  ///   - plan: what its `encodedPlan()` gives, for a record that is written again and again.
  /// - Throws: `FileError`; the record before is still there then.
  package func write(_ record: SessionRecord, plan: JSONValue? = nil) throws {
    try prepare()
    try Folder.ensure(sessionsFolder, isPrivate: true)
    let bytes = try record.encoded(plan: plan ?? record.encodedPlan()).encoded(pretty: true)
    try File.replaceWhole(path(ofSession: record.session), bytes, isPrivate: true)
  }

  /// Reads the record of a session.
  ///
  /// - Throws: ``BundleError/unreadable(path:reason:)``.
  package func session(_ session: String) throws(BundleError) -> SessionRecord {
    let path = path(ofSession: session)
    do {
      let value = try JSONReader.read(File.contents(of: path)).value
      return try value.decoded()
    } catch {
      throw .unreadable(path: path, reason: "\(error)")
    }
  }

  /// The sessions of a participant in a study, in the order of time.
  ///
  /// - Parameters:
  ///   - participant: the participant's code.
  ///   - study: the protocol's identifier.
  /// - Returns: their records, with what their bundles add to them: a computer that stopped did not write everything down.
  /// - Throws: ``BundleError/unreadable(path:reason:)`` for a record that cannot be read, or `FileError`.
  package func sessions(of participant: String, in study: String) throws -> [SessionRecord] {
    let records = try sessionNames().map { try session($0) }
    return try records.filter { $0.participant == participant && $0.studyProtocol.identifier == study }
      .map(withBundles)
  }

  /// Adds the bundles of a session that its record does not name.
  private func withBundles(_ record: SessionRecord) throws -> SessionRecord {
    var record = record
    guard record.state != .completed, Folder.isFolder(bundlesFolder) else { return record }
    let known = Set(record.performed.filter { $0.outcome != nil }.map(\.bundle))
    // Names are in the order of time: nothing of the session is older than the session.
    for name in try Folder.names(in: bundlesFolder) where name >= record.session && !known.contains(name) {
      guard Folder.exists("\(bundlesFolder)/\(name)/\(BundleFile.result)") else { continue }
      // A bundle that cannot be read could be of this session: its trial would be performed a second time.
      let heading = try TrialHeading(ofBundle: "\(bundlesFolder)/\(name)")
      guard heading.run == record.session else { continue }
      record.add(
        SessionRecord.Performed(
          bundle: name, number: heading.number, outcome: heading.outcome, verdict: heading.verdict))
    }
    return record
  }

  /// Reads the records of a session's steps around its trials, in the order of time.
  ///
  /// - Throws: ``BundleError``.
  package func stepParts(of record: SessionRecord) throws(BundleError) -> [TrialRecord] {
    var parts: [TrialRecord] = []
    // Identifiers are in the order of time.
    for bundle in record.performed.filter({ $0.number == nil && $0.outcome != nil }).map(\.bundle).sorted() {
      parts.append(try Bundle("\(bundlesFolder)/\(bundle)").record)
    }
    return parts
  }
}
