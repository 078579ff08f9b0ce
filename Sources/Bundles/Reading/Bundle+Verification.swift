import Basics
import Quantities
import Study

extension Bundle {
  /// Checks a bundle from its bag down to its samples.
  ///
  /// The bag must be complete and unchanged; result, heart data and events must be what the bundle's own journal makes
  /// of them, byte for byte; the protocol and an embedded clip must be those of which the journal tells.
  ///
  /// - Parameter path: the bundle's folder.
  /// - Returns: one sentence a problem; none for a bundle that is what it was on the day it was made.
  static func verify(_ path: String) -> [String] {
    do {
      guard try Folder.findFolder(path) else { return ["there is no bundle “\(path.visible)”"] }
    } catch {
      return ["\(error)"]
    }
    guard [Bag.declarationFile, Bag.manifestFile].contains(where: { Folder.exists("\(path)/\($0)") }) else {
      return ["this is not a bundle: it has neither “\(Bag.declarationFile)” nor “\(Bag.manifestFile)”"]
    }
    let bag = BagCheck(path)
    guard bag.isRegular else { return bag.problems }
    return bag.problems + ContentCheck(path, payload: bag.payload).problems
  }

  /// Checks that the bundle's files are there, are listed, and are what its manifests say; what they mean is not checked.
  ///
  /// - Returns: one sentence a problem.
  package func checkFiles() -> [String] { BagCheck(path).problems }

  /// Checks that some of the payload's files are what the manifest says.
  ///
  /// - Parameter files: their paths inside the bundle.
  /// - Returns: one sentence a problem.
  package func checkFiles(_ files: [String]) -> [String] {
    let listed: [ListedFile]
    do throws(FileError) { listed = try listedFiles() } catch { return [error.description] }
    return files.compactMap { file in
      guard let entry = listed.first(where: { $0.path == file }) else {
        return "“\(file)” is not listed in \(Bag.manifestFile)"
      }
      do throws(FileError) {
        let isSame = try open(file).digest().sha256 == entry.sha256.lowercased()
        return isSame ? nil : "“\(file)” has changed: its SHA-256 is not the one in \(Bag.manifestFile)"
      } catch {
        return error.isMissing ? "“\(file)”, which \(Bag.manifestFile) lists, is missing" : error.description
      }
    }
  }

  /// Checks this bundle from its bag down to its samples; see ``verify(_:)``.
  func verify() -> [String] { Self.verify(path) }
}

/// Checks that the files of a bundle say what its journal says.
private struct ContentCheck {
  private let path: String
  private(set) var problems: [String] = []

  init(_ path: String, payload: [String: String]) {
    self.path = path
    guard Folder.exists("\(path)/\(BundleFile.journal)") else { return }
    let clips = payload.keys.filter { $0.hasPrefix("\(BundleFile.clipFolder)/") }.sorted()
    do {
      let derivation = Derivation(
        journal: .file("\(path)/\(BundleFile.journal)"), waveforms: "\(path)/\(BundleFile.waveformFolder)",
        embeddedClip: clips.first)
      let (account, files, made) = try derivation.run(into: nil)
      let found = (try? Bundle(path))?.record
      for file in files where file.path != BundleFile.result || !Self.followsOtherRules(found, made) {
        try compare(file)
      }
      try check(account, clips)
      if let found { try checkResult(found, account.chosen?.clip) }
    } catch let error as FileError {
      if !error.isMissing { problems.append(error.description) }
    } catch {
      problems.append("\(error)")
    }
  }

  // A result that was made by other rules than today's has another verdict, but the same facts.
  private static func followsOtherRules(_ found: TrialRecord?, _ made: TrialRecord) -> Bool {
    guard let found, found.rules != made.rules else { return false }
    return found.head == made.head && found.closing == made.closing && found.clip == made.clip
      && (found.startDate, found.endDate, found.steps) == (made.startDate, made.endDate, made.steps)
  }

  private mutating func compare(_ file: PayloadDigest) throws(FileError) {
    guard Folder.exists("\(path)/\(file.path)") else { return }
    guard try File.digest(of: "\(path)/\(file.path)").sha256 != file.sha256 else { return }
    problems.append(
      file.path == BundleFile.journal
        ? "“\(file.path)” ends with a torn line" : "“\(file.path)” does not match the journal")
  }

  private mutating func check(_ account: TrialAccount, _ clips: [String]) throws(FileError) {
    if account.closing == nil { problems.append("the journal has no record that closes the trial") }
    problems += account.problems.map(\.description)
    // A copy may have any name but that of another trial.
    if let name = TrialIdentifier(Folder.name(of: path)), name.description != account.opening.trial {
      problems.append("the folder is named “\(name)”, and the trial is \(account.opening.trial)")
    }
    if Folder.exists("\(path)/\(BundleFile.protocolFile)"),
      try File.digest(of: "\(path)/\(BundleFile.protocolFile)").sha256 != account.opening.studyProtocol.sha256
    {
      problems.append("“\(BundleFile.protocolFile)” is not the protocol that the journal names")
    }
    if clips.count > 1 { problems.append("there is more than one embedded clip") }
    if let clip = clips.first, let chosen = account.chosen, Folder.exists("\(path)/\(clip)"),
      try File.digest(of: "\(path)/\(clip)").sha256 != chosen.clip.sha256
    {
      problems.append("“\(clip)” is not the clip that the journal names")
    }
  }

  // These follow from the bytes being right; where those are wrong, they say what it means.
  private mutating func checkResult(_ result: TrialRecord, _ chosen: Clip?) throws {
    if result.clip?.clip.name != chosen?.name || result.clip?.clip.sha256 != chosen?.sha256 {
      problems.append(
        "the result names the clip “\(result.clip?.clip.name ?? "none")”, the journal “\(chosen?.name ?? "none")”")
    }
    for recording in result.recordings {
      if let tie = recording.clip, tie.name != chosen?.name || tie.sha256 != chosen?.sha256 {
        problems.append(
          "the recording “\(recording.recorder.identifier)” is tied to another clip than the one that was chosen")
      }
    }
    for file in result.recordingFiles where Folder.exists("\(path)/\(file)") {
      let items = try countItems(in: file)
      let counted = result.samples(in: file)
      if items != counted {
        let data = file == BundleFile.heart ? "the heart data" : "“\(file)”"
        problems.append("the result counts \(counted) samples, \(data) \(items)")
      }
    }
  }

  // The station writes one item per line.
  private func countItems(in name: String) throws(FileError) -> Int {
    let file = try File(inside: path, name)
    var items = 0
    var isLineStart = false
    while true {
      let piece = try file.read(upTo: 1 << 16)
      if piece.isEmpty { return items }
      for byte in piece {
        if isLineStart, byte == UInt8(ascii: "{") { items += 1 }
        isLineStart = byte == UInt8(ascii: "\n")
      }
    }
  }
}
