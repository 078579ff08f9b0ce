import Basics
import Quantities

extension ResultsFolder {
  /// Where the records of sessions lie.
  private var sessionsFolder: String { "\(path)/sessions" }

  private func path(ofSession session: String) -> String { "\(sessionsFolder)/\(session).json" }

  /// Writes the record of a session in place of the one before; on the disk when this returns.
  ///
  /// - Throws: `FileError`; the record before is still there then.
  package func write(_ record: SessionRecord) throws {
    try prepare()
    try Folder.ensure(sessionsFolder, isPrivate: true)
    let bytes = try JSONValue(encoding: record, writesNull: true).encoded(pretty: true)
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
    guard Folder.isFolder(sessionsFolder) else { return [] }
    let names = try Folder.names(in: sessionsFolder).filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
    let records = try names.map { try session(String($0.dropLast(5))) }
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
      guard Folder.exists("\(bundlesFolder)/\(name)/\(BundleFile.result)"),
        let heading = try? TrialHeading(ofBundle: "\(bundlesFolder)/\(name)"), heading.run == record.session
      else { continue }
      record.add(
        SessionRecord.Performed(
          bundle: name, number: heading.number, outcome: heading.outcome, verdict: heading.verdict))
    }
    return record
  }

  /// The steps that each bundle of a session's steps around trials shows.
  ///
  /// - Throws: ``BundleError``.
  package func stepsShown(in record: SessionRecord) throws(BundleError) -> [String: [TrialRecord.Step]] {
    var shown: [String: [TrialRecord.Step]] = [:]
    for part in record.performed where part.number == nil && part.outcome != nil {
      shown[part.bundle] = try Bundle("\(bundlesFolder)/\(part.bundle)").record.steps
    }
    return shown
  }
}
