import Basics
package import Quantities
package import Study

/// The folder in which a station keeps its trials: `open/` while they run, `bundles/` when they are done.
///
/// Several stations may share one: a trial belongs to the process that holds the lock on its journal, names are never reused, and
/// nothing is overwritten.
package struct ResultsFolder: Hashable, Sendable {
  /// The folder's path.
  package let path: String

  /// How many bytes must be free on the disk before a trial is opened.
  let requiredBytes: Int

  /// A results folder, which is made when the first trial is opened.
  package init(_ path: String, requiredBytes: Int = 16 << 20) {
    self.path = path
    self.requiredBytes = requiredBytes
  }

  /// Where trials lie while they run.
  var openFolder: String { "\(path)/open" }

  /// Where finished trials lie.
  var bundlesFolder: String { "\(path)/bundles" }

  /// Whether the folder has a place for bundles, as it has from its first trial on.
  package var isThere: Bool { Folder.isFolder(bundlesFolder) }

  /// Where a trial's bundle lies once it is finished.
  func bundlePath(of trial: TrialIdentifier) -> String { "\(bundlesFolder)/\(trial)" }

  /// Where a trial's journal lies while it runs.
  func openPath(of trial: TrialIdentifier) -> String { "\(openFolder)/\(trial)" }

  /// Finds out before a trial whether it could be recorded here, and leaves nothing behind.
  ///
  /// - Parameter bytes: what the trial needs beyond ``requiredBytes``.
  /// - Throws: ``BundleError`` with what is in the way.
  func check(room bytes: Int = 0) throws(BundleError) {
    let needed = requiredBytes + bytes
    let free: Int
    do {
      // `open/`, or the nearest folder above it that is there already.
      let folder = try Folder.nearest(to: openFolder)
      free = try Folder.freeBytes(at: folder)
      if free >= needed {
        let probe = "\(folder)/.probe-\(UInt64.random(in: .min ... .max))"
        _ = try File(probe, .create, isPrivate: true)
        try Folder.removeFile(probe)
      }
    } catch {
      throw .unwritable(folder: path, error)
    }
    guard free >= needed else { throw .tooLittleRoom(folder: path, free: free, needed: needed) }
  }

  /// Opens a trial: its folder holds the protocol, the clip where it is embedded, and an empty journal.
  ///
  /// - Parameters:
  ///   - identifier: the trial's identifier, which must be new here.
  ///   - protocolBytes: the protocol's file, byte for byte.
  ///   - clip: the clip to copy into the bundle; `nil` leaves it where it is.
  ///   - clock: paces the journal's waits for the disk.
  ///   - report: told when the disk refuses the journal, on the journal's thread.
  /// - Returns: the open trial, on the disk.
  /// - Throws: ``BundleError`` or `FileError`; nothing of the trial is left behind.
  package func openTrial(
    identifier: TrialIdentifier, protocolBytes: [UInt8], clipToEmbed clip: Clip? = nil,
    clock: any StationClock = MonotonicClock(), report: @escaping @Sendable (DurableReport) -> Void = { _ in }
  ) throws -> OpenTrial {
    try check(room: protocolBytes.count + (clip?.bytes ?? 0))
    do { try prepare() } catch { throw BundleError.unwritable(folder: path, error) }
    let folder = openPath(of: identifier)
    guard !Folder.exists(bundlePath(of: identifier)) else { throw BundleError.taken(path: bundlePath(of: identifier)) }
    // Under the folder's lock no process sees a trial that has no lock of its own yet.
    let place = DurablePlace(
      prepare: { () throws(FileError) in try restore(folder, protocolBytes, clip) },
      aside: "\(path)/replaced-\(identifier)")
    let journal = try locked {
      do {
        try Folder.create(folder, isPrivate: true)
        return try JournalWriter("\(folder)/\(TrialFile.journal)", at: place, clock: clock, report: report)
      } catch let error as FileError where error.isTaken {
        throw BundleError.taken(path: folder)
      }
    }
    do {
      try File.create("\(folder)/\(TrialFile.protocolFile)", protocolBytes, isPrivate: true)
      if let clip { try ClipCopy.embed(clip, in: folder) }
      try Folder.synchronize(folder)
      try Folder.synchronize(openFolder)
    } catch {
      try? Folder.removeTree(folder)
      throw error
    }
    return OpenTrial(identifier: identifier, results: self, journal: journal, clock: clock, report: report)
  }

  // Makes the folder of a trial that was removed while the trial ran, with all but the journal; a clip that cannot be copied
  // again is missing from the bundle, which says so.
  private func restore(_ folder: String, _ protocolBytes: [UInt8], _ clip: Clip?) throws(FileError) {
    try prepare()
    try Folder.ensure(folder, isPrivate: true)
    let file = "\(folder)/\(TrialFile.protocolFile)"
    if !Folder.exists(file) { try File.create(file, protocolBytes, isPrivate: true) }
    if let clip, !Folder.exists("\(folder)/\(TrialFile.clipFolder)") {
      do { try ClipCopy.embed(clip, in: folder) } catch { try? Folder.removeTree("\(folder)/\(TrialFile.clipFolder)") }
    }
    try Folder.synchronize(folder)
    try Folder.synchronize(openFolder)
  }

  /// Makes the folders that are missing; only their owner may look into them.
  func prepare() throws(FileError) {
    if Folder.isFolder(openFolder), Folder.isFolder(bundlesFolder) { return }
    try Folder.ensure(path, isPrivate: true)
    try Folder.ensure(openFolder, isPrivate: true)
    try Folder.ensure(bundlesFolder, isPrivate: true)
    try Folder.synchronize(path)
    try Folder.synchronize(Folder.parent(of: path))
  }

  /// Makes the folder ready for what belongs to it beside trials.
  ///
  /// - Throws: ``BundleError``.
  package func makeReady() throws(BundleError) {
    do { try prepare() } catch { throw .unwritable(folder: path, error) }
  }

  /// How long a process may keep others from opening a trial; it takes milliseconds.
  static let lockPatience = Duration.seconds(5)

  /// Waits until no other process opens or takes over a trial at this moment.
  ///
  /// - Throws: `LockError` with the process that does not come to an end.
  func awaitTurn() throws {
    if Folder.isFolder(openFolder) { try locked {} }
  }

  /// Does something under the lock under which trials appear in `open/` and are taken over from the dead.
  func locked<Value>(_ work: () throws -> Value) throws -> Value {
    try LockedFile("\(openFolder)/.lock", .append).hold(within: Self.lockPatience, work)
  }
}

/// The files of a trial.
enum TrialFile {
  static let journal = "journal.jsonl"
  static let protocolFile = "protocol.json"
  static let clipFolder = "clip"
  static let waveformFolder = "waveforms"
}
