import Basics
import Quantities
import Sound

/// Makes the bundle of a trial that is open and held by this process.
///
/// Files are written beside, synchronised, and given their name in one step that refuses to replace anything; only then
/// is the open trial removed. Whatever stops it, what is on the disk is either the open trial or the bundle, and
/// running it again completes the work.
struct Finaliser {
  let results: ResultsFolder
  let trial: TrialIdentifier

  /// Called before each thing that is done to the disk; tests stop the work here, as a crash would.
  var willPerform: @Sendable (Action) throws -> Void = { _ in }

  /// What is done to the disk, in this order.
  enum Action: CaseIterable {
    case clearPart, makePart, derive, copyProtocol, copyClip, writeTags, synchronizePart, rename, synchronizeBundles
    case setAside, remove
  }

  private var open: String { results.openPath(of: trial) }
  private var part: String { "\(open).part" }
  private var gone: String { "\(open).gone" }

  /// Makes the bundle, or only cleans up where it is there already.
  ///
  /// - Returns: the bundle's path.
  /// - Throws: ``BundleError``.
  func finish() throws -> String {
    let target = results.bundlePath(of: trial)
    if Folder.exists(target), !Folder.exists(open) { return target }
    do {
      if Folder.exists(target) {
        try requireSameJournal(in: target)
      } else {
        try makePart()
        try willPerform(.rename)
        try Folder.rename(part, to: target)
        try willPerform(.synchronizeBundles)
        try Folder.synchronize(results.bundlesFolder)
      }
    } catch let error where error is FileError || error is SoundFileError {
      // The room of a half-made bundle is given back: the journal may need it.
      try? removeIfThere(part)
      guard Folder.exists("\(open)/\(TrialFile.journal)") else {
        throw BundleError.lost(trial: trial.description, folder: open, reason: "\(error)")
      }
      throw BundleError.unfinished(trial: trial.description, folder: open, reason: "\(error)")
    }
    // The bundle is complete: what is left over of the trial does no harm and is cleared by the next recovery.
    do {
      try removeOpenTrial()
    } catch is FileError {}
    return target
  }

  /// Removes what is under `open/`, so that it is there as a whole or not at all.
  func removeOpenTrial() throws {
    try willPerform(.setAside)
    try removeIfThere(part)
    try removeIfThere(gone)
    if Folder.exists(open) { try Folder.rename(open, to: gone) }
    try willPerform(.remove)
    try removeIfThere(gone)
    try Folder.synchronize(results.openFolder)
  }

  private func makePart() throws {
    try willPerform(.clearPart)
    try removeIfThere(part)
    try willPerform(.makePart)
    try Folder.create(part, isPrivate: true)
    try Folder.create("\(part)/\(BundleFile.data)", isPrivate: true)
    let clip = try embeddedClip()
    try willPerform(.derive)
    let (account, derived, _) = try Derivation(
      journal: .file("\(open)/\(TrialFile.journal)"), waveforms: "\(open)/\(TrialFile.waveformFolder)",
      embeddedClip: clip.map { "\(BundleFile.clipFolder)/\($0)" }
    ).run(into: part)
    var payload = derived
    try willPerform(.copyProtocol)
    payload.append(try copy(TrialFile.protocolFile, to: BundleFile.protocolFile))
    try willPerform(.copyClip)
    if let clip {
      try Folder.create("\(part)/\(BundleFile.clipFolder)", isPrivate: true)
      payload.append(try copy("\(TrialFile.clipFolder)/\(clip)", to: "\(BundleFile.clipFolder)/\(clip)"))
      try Folder.synchronize("\(part)/\(BundleFile.clipFolder)")
    }
    try willPerform(.writeTags)
    try Bag(of: trial, account, payload).writeTags(in: part)
    try willPerform(.synchronizePart)
    try Folder.synchronize("\(part)/\(BundleFile.data)")
    try Folder.synchronize(part)
  }

  private func embeddedClip() throws(FileError) -> String? {
    let folder = "\(open)/\(TrialFile.clipFolder)"
    return Folder.isFolder(folder) ? try Folder.names(in: folder).first : nil
  }

  private func copy(_ source: String, to target: String) throws(FileError) -> PayloadDigest {
    let (digest, bytes) = try ClipCopy.copy("\(open)/\(source)", to: "\(part)/\(target)", isRegular: true)
    return PayloadDigest(path: target, bytes: bytes, sha256: digest.description)
  }

  private func removeIfThere(_ path: String) throws(FileError) {
    if Folder.exists(path) { try Folder.removeTree(path) }
  }

  // A bundle of this name is this trial's own, renamed before a crash; anything else is not touched.
  private func requireSameJournal(in bundle: String) throws {
    let journal = "\(open)/\(TrialFile.journal)"
    var reader = try JournalReader(journal)
    while try reader.next() != nil {}
    let wanted = try File.digest(of: journal, first: reader.validBytes)
    guard try File.digest(of: "\(bundle)/\(BundleFile.journal)").sha256 == wanted.sha256 else {
      throw BundleError.taken(path: bundle)
    }
  }
}
