package import Basics
import Bundles

/// A bundle that is about to be sent.
package struct OutgoingBundle: Sendable {
  let bundle: Bundle
  /// The trial's identifier.
  let trial: String
  /// The payload's files with their digests.
  let files: [Bundle.ListedFile]
  /// The SHA-256 of the manifest, which identifies the whole content.
  let manifestDigest: Digest

  /// Opens a bundle.
  ///
  /// - Parameters:
  ///   - path: its folder.
  ///   - trial: the trial that it is to be of.
  /// - Throws: ``SendProblem`` for one that is missing, unreadable, or of another trial.
  init(_ path: String, of trial: String) throws(SendProblem) {
    guard Folder.exists(path) else { throw .bundleMissing }
    do {
      bundle = try Bundle(path)
      files = try bundle.listedFiles()
      manifestDigest = SHA256.digest(of: try bundle.open(Self.manifest).contents(limit: 64 << 20))
    } catch {
      throw .bundleUnreadable("\(error)")
    }
    guard bundle.record.trial == trial else {
      throw .bundleUnreadable("it is of the trial \(bundle.record.trial), not of \(trial)")
    }
    self.trial = trial
  }

  /// The manifest's name, as in every bag.
  static let manifest = "manifest-sha256.txt"

  /// The bytes of a file that the manifest lists.
  ///
  /// - Throws: ``SendProblem`` for one that cannot be read, or is not what the manifest says.
  func contents(of file: String) throws(SendProblem) -> [UInt8] {
    let bytes: [UInt8]
    do throws(FileError) { bytes = try bundle.open(file).contents() } catch { throw .bundleUnreadable("\(error)") }
    try check(file, SHA256.digest(of: bytes))
    return bytes
  }

  /// Checks the digest of a file against the manifest.
  func check(_ file: String, _ digest: Digest) throws(SendProblem) {
    guard files.first(where: { $0.path == file })?.sha256.lowercased() == digest.description else {
      throw .bundleChanged(file: file)
    }
  }

  /// Checks that all files are what the manifest says.
  func check() throws(SendProblem) {
    for file in files {
      var hash = SHA256()
      do throws(FileError) {
        let opened = try bundle.open(file.path)
        while true {
          let bytes = try opened.read(upTo: 1 << 16)
          if bytes.isEmpty { break }
          hash.update(bytes)
        }
      } catch {
        throw .bundleUnreadable("\(error)")
      }
      guard file.sha256.lowercased() == hash.digest().description else { throw .bundleChanged(file: file.path) }
    }
  }

  /// All files with their digests, in the order of an archive.
  ///
  /// - Throws: ``SendProblem`` for manifests that cannot be read.
  func copiedFiles() throws(SendProblem) -> [Bundle.ListedFile] {
    do throws(FileError) { return try bundle.archivedFiles() } catch { throw .bundleUnreadable("\(error)") }
  }

  /// The bundle as a tar archive, with the digest of the archive.
  ///
  /// - Throws: ``SendProblem`` for a file that cannot be read, or is not what the manifest says.
  func archive() throws(SendProblem) -> (body: Body, digest: Digest) {
    try check()
    do throws(FileError) {
      let body = try BagArchive(of: bundle).body
      return (body, try body.digest())
    } catch {
      throw .bundleUnreadable("\(error)")
    }
  }
}

/// The bundles that are to be added to an outbox, with the identifiers of their trials.
package struct OutgoingList: Sendable {
  /// The trials' identifiers, and the bundles' paths: those in the results folder relative to it.
  let entries: [(trial: String, path: String)]

  private let results: String

  /// Lists bundles.
  ///
  /// A folder mostly has its trial's name, which saves reading its result.
  ///
  /// - Parameters:
  ///   - paths: the bundles; none for all of the results folder.
  ///   - results: the results folder.
  /// - Throws: `BundleError` for what is no bundle, and `FileError`.
  package init(_ paths: [String], results: String) throws {
    self.results = results
    let folder = ResultsFolder(results)
    guard !paths.isEmpty else {
      entries = try folder.trials().map { name in
        (
          TrialIdentifier(name) == nil ? try Bundle(folder.bundlePath(named: name)).record.trial : name,
          "bundles/\(name)"
        )
      }
      return
    }
    let home = Folder.realPath(results).map { "\($0)/" }
    entries = try paths.map { path in
      let real = Folder.realPath(path) ?? path
      let inside = home.flatMap { real.hasPrefix($0) ? String(real.dropFirst($0.count)) : nil }
      return (try Bundle(path).record.trial, inside ?? real)
    }
  }

  /// Adds the bundles to an outbox, without those that were withdrawn since they were listed.
  ///
  /// - Returns: how many are new there.
  /// - Throws: the outbox's errors.
  package func add(to outbox: Outbox, for destination: OutboxDestination, at now: WallTime) async throws -> Int {
    let added = try await outbox.add(entries, for: destination, at: now)
    // A withdrawal removes a bundle before it looks into the outbox for the last time.
    let gone = entries.filter { !Folder.exists(Folder.path($0.path, from: results)) }.map(\.trial)
    guard !gone.isEmpty else { return added }
    return added - (try await outbox.forget(OutboxSelection(trials: Set(gone), states: Set(OutboxItem.State.allCases))))
  }
}
