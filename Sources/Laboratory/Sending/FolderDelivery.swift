package import Basics
import Bundles
import Glibc

/// Copies bundles into a folder, such as a network share, as folders that “station verify” checks.
///
/// A copy is written under a name of its own, synchronised, read back, renamed, and read once more: what has the trial's name
/// is complete, whatever other senders do.
package struct FolderDelivery: Delivery {
  private let folder: String
  /// What the names of unfinished copies hold, so that the next sender of the same results folder can remove them.
  private var mark = FolderDelivery.randomMark()

  /// Copies into a folder, which has to exist: a share that is not mounted must not be taken for an empty one.
  package init(_ folder: String) { self.folder = folder }

  /// The delivery for a sender's turn; what killed senders of the same results folder left in the folder is removed.
  package func inTurn(of mark: String) async -> any Delivery {
    var delivery = self
    delivery.mark = mark
    let (folder, isOurs) = (folder, delivery.isOurs)
    await WaitingThread.run {
      for name in (try? Folder.folderNames(in: folder)) ?? [] where isOurs(name) {
        try? Folder.removeTree("\(folder)/\(name)")
      }
    }
    return delivery
  }

  /// Sixteen hexadecimal digits that no other sender draws.
  static func randomMark() -> String { (0..<8).map { _ in UInt8.random(in: .min ... .max) }.hexDigits }

  /// The name of an unfinished copy: `.TRIAL.MARK.DIGITS.part`.
  private func partName(of trial: String) -> String { ".\(trial).\(mark).\(Self.randomMark()).part" }

  private var isOurs: @Sendable (String) -> Bool {
    { [mark] name in
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count == 5 && parts[0].isEmpty && TrialIdentifier(String(parts[1])) != nil && parts[2] == mark
        && parts[4] == "part"
    }
  }

  /// Copies a bundle.
  package func deliver(_ bundle: OutgoingBundle, at now: WallTime) async -> SendOutcome {
    await WaitingThread.run {
      ThreadPriority.lower()
      return copy(bundle)
    }
  }

  private func copy(_ bundle: OutgoingBundle) -> SendOutcome {
    guard Folder.isFolder(folder) else { return .failed(.noFolder(folder), .destination, wait: nil) }
    let target = "\(folder)/\(bundle.trial)"
    let part = "\(folder)/\(partName(of: bundle.trial))"
    do throws(CopyProblem) {
      let files: [Bundle.ListedFile]
      do throws(SendProblem) { files = try bundle.copiedFiles() } catch { throw .bundle(error) }
      guard try isFree(target, for: part, of: bundle, files) else { return compare(files, of: bundle, with: target) }
      do throws(CopyProblem) {
        try check(files, in: target)
      } catch {
        // What is not complete must not have the name.
        if error.isContent { try? Folder.rename(target, to: part) }
        throw error
      }
      return .sent(.readBack, receipt: bundle.manifestDigest.description)
    } catch {
      try? Folder.removeTree(part)
      switch error {
      case .bundle(let problem): return .refused(problem, .bundle)
      case .content: return .failed(.otherContent, .bundle, wait: nil)
      case .file(let error): return .failed(.file("\(error)"), .destination, wait: nil)
      }
    }
  }

  /// Writes a bundle under another name, and gives it its own; `false` where that is taken.
  private func isFree(
    _ target: String, for part: String, of bundle: OutgoingBundle, _ files: [Bundle.ListedFile]
  ) throws(CopyProblem) -> Bool {
    if Folder.exists(target) { return false }
    try write(files, of: bundle, to: part)
    do throws(FileError) {
      try Folder.rename(part, to: target)
      try Folder.synchronize(folder)
      return true
    } catch {
      guard error.isTaken else { throw .file(error) }
      try? Folder.removeTree(part)
      return false
    }
  }

  private enum CopyProblem: Error {
    case bundle(SendProblem)
    case file(FileError)
    case content

    var isContent: Bool { if case .content = self { true } else { false } }
  }

  /// Writes all files of a bundle, and reads them back.
  private func write(
    _ files: [Bundle.ListedFile], of bundle: OutgoingBundle, to part: String
  ) throws(CopyProblem) {
    var folders: Set<String> = [part]
    do throws(FileError) { try Folder.create(part) } catch { throw .file(error) }
    for file in files {
      let target = "\(part)/\(file.path)"
      do throws(FileError) {
        let parent = Folder.parent(of: target)
        if folders.insert(parent).inserted { try Folder.ensure(parent) }
      } catch {
        throw .file(error)
      }
      let written = try copy(file.path, of: bundle, to: target)
      guard written.description == file.sha256.lowercased() else { throw .bundle(.bundleChanged(file: file.path)) }
    }
    try check(files, in: part)
    do throws(FileError) { for folder in folders { try Folder.synchronize(folder) } } catch { throw .file(error) }
  }

  /// Reads all files of a copy.
  private func check(_ files: [Bundle.ListedFile], in copy: String) throws(CopyProblem) {
    for file in files {
      let read: Digest
      do throws(FileError) { read = try digest(of: file.path, in: copy) } catch {
        throw error.isMissing ? .content : .file(error)
      }
      guard read.description == file.sha256.lowercased() else { throw .content }
    }
  }

  private func digest(of path: String, in copy: String) throws(FileError) -> Digest {
    Self.dropCache(of: "\(copy)/\(path)")
    let file = try File(inside: copy, path)
    var hash = SHA256()
    while true {
      let bytes = try file.read(upTo: 1 << 18)
      if bytes.isEmpty { return hash.digest() }
      hash.update(bytes)
    }
  }

  private func copy(_ path: String, of bundle: OutgoingBundle, to target: String) throws(CopyProblem) -> Digest {
    var hash = SHA256()
    let source: File
    do throws(FileError) { source = try bundle.bundle.open(path) } catch {
      throw .bundle(.bundleUnreadable("\(error)"))
    }
    do throws(FileError) {
      let file = try File(target, .create)
      while true {
        let bytes = try source.read(upTo: 1 << 18)
        if bytes.isEmpty { break }
        hash.update(bytes)
        try file.write(bytes)
      }
      try file.synchronize()
    } catch {
      throw .file(error)
    }
    return hash.digest()
  }

  /// Lets the system drop what it keeps of a file in memory, so that reading it reads the disk or the server.
  private static func dropCache(of path: String) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return }
    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    close(descriptor)
  }

  /// What has the trial's name already: the same bundle, or something else.
  private func compare(_ files: [Bundle.ListedFile], of bundle: OutgoingBundle, with target: String) -> SendOutcome {
    do throws(CopyProblem) {
      try check(files, in: target)
      return .sent(.readBack, receipt: bundle.manifestDigest.description)
    } catch {
      // What a share that does not answer holds is not known.
      if case .file(let error) = error, error.code != FileError.irregular {
        return .failed(.file("\(error)"), .destination, wait: nil)
      }
      return .refused(.taken, .bundle)
    }
  }
}
