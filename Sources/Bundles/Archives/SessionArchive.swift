import Basics

extension BagArchive {
  /// The archive of a session: a bag whose payload is a results folder with the session's record and its bundles.
  ///
  /// - Parameters:
  ///   - session: the session's identifier.
  ///   - results: the results folder.
  ///   - progress: is told how many bundles of how many have been checked.
  /// - Throws: ``BundleError``, ``ArchiveError`` for a session without bundles or with a damaged one, and `FileError`.
  package init(
    ofSession session: String, in results: ResultsFolder, progress: (_ done: Int, _ count: Int) -> Void
  ) throws {
    var record = try results.session(session)
    // A computer that stopped did not write every bundle down.
    record =
      try results.sessions(of: record.participant, in: record.studyProtocol.identifier)
      .first { $0.session == session } ?? record
    let names = record.performed.filter { $0.outcome != nil }.map(\.bundle)
    guard !names.isEmpty else { throw ArchiveError.noBundles(session: session) }
    var payload = [
      try Self.entry("data/\(ResultsFolder.sessionsName)/\(session).json", results.path(ofSession: session))
    ]
    for (index, name) in names.enumerated() {
      let folder = "data/\(Folder.name(of: results.bundlesFolder))/\(name)"
      let bundle = try Bundle(results.bundlePath(named: name))
      try bundle.requireWhole()
      payload += try Self.entries(of: bundle).map {
        Entry(path: "\(folder)/\($0.path)", piece: $0.piece, sha256: $0.sha256)
      }
      progress(index + 1, names.count)
    }
    let bag = Bag(
      payload: payload.map { PayloadDigest(path: $0.path, bytes: $0.piece.size, sha256: $0.sha256) },
      labels: [
        ("Bag-Software-Agent", "station"), ("Bagging-Date", String(record.startDate.description.prefix(10))),
        ("External-Identifier", session),
      ])
    self.init(name: session, payload + bag.tagFiles.map { Entry($0.name, $0.bytes) })
  }

  private static func entry(_ path: String, _ file: String) throws(FileError) -> Entry {
    Entry(path, try File.contents(of: file))
  }
}
