package import Basics
import Bundles
import Glibc

/// Copies bundles into a folder, such as a network share, as folders that “station verify” checks.
///
/// A copy is written under another name, synchronised, read back, and then renamed: what has the trial's name is complete.
package struct FolderDelivery: Delivery {
  private let folder: String

  /// Copies into a folder, which has to exist: a share that is not mounted must not be taken for an empty one.
  package init(_ folder: String) { self.folder = folder }

  /// Copies a bundle.
  package func deliver(_ bundle: OutgoingBundle, at now: WallTime) async -> SendOutcome {
    await WaitingThread.run {
      ThreadPriority.lower()
      return copy(bundle)
    }
  }

  private func copy(_ bundle: OutgoingBundle) -> SendOutcome {
    guard Folder.isFolder(folder) else {
      return .failed(
        .file("there is no folder “\(folder.visible)”: mount the share, or make the folder"), .destination, wait: nil)
    }
    let target = "\(folder)/\(bundle.trial)"
    if Folder.exists(target) { return compare(bundle, target) }
    let part = "\(folder)/.\(bundle.trial).part"
    do throws(CopyProblem) {
      try write(bundle, to: part)
      do throws(FileError) {
        try Folder.rename(part, to: target)
        try Folder.synchronize(folder)
      } catch {
        guard error.isTaken else { throw CopyProblem.file(error) }
        try? Folder.removeTree(part)
        return compare(bundle, target)
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

  private enum CopyProblem: Error {
    case bundle(SendProblem)
    case file(FileError)
    case content
  }

  /// Writes all files of a bundle, and reads them back.
  private func write(_ bundle: OutgoingBundle, to part: String) throws(CopyProblem) {
    do throws(FileError) {
      try? Folder.removeTree(part)
      try Folder.ensure(part)
    } catch {
      throw .file(error)
    }
    var folders: Set<String> = [part]
    let paths: [String]
    do throws(SendProblem) { paths = try bundle.paths() } catch { throw .bundle(error) }
    for path in paths {
      let target = "\(part)/\(path)"
      do throws(FileError) {
        let parent = Folder.parent(of: target)
        if folders.insert(parent).inserted { try Folder.ensure(parent) }
      } catch {
        throw .file(error)
      }
      let written = try copy(path, of: bundle, to: target)
      let read = try digest(of: target)
      guard written == read else { throw .content }
      if let listed = bundle.files.first(where: { $0.path == path })?.sha256.lowercased(),
        written.description != listed
      {
        throw .bundle(.bundleChanged(file: path))
      }
    }
    do throws(FileError) { for folder in folders { try Folder.synchronize(folder) } } catch { throw .file(error) }
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

  private func digest(of path: String) throws(CopyProblem) -> Digest {
    Self.dropCache(of: path)
    do throws(FileError) {
      let file = try File(path, .read, isRegular: true)
      var hash = SHA256()
      while true {
        let bytes = try file.read(upTo: 1 << 18)
        if bytes.isEmpty { return hash.digest() }
        hash.update(bytes)
      }
    } catch {
      throw .file(error)
    }
  }

  /// Lets the system drop what it keeps of a file in memory, so that reading it reads the disk or the server.
  private static func dropCache(of path: String) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return }
    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    close(descriptor)
  }

  /// What has the trial's name already: the same bundle, or something else.
  private func compare(_ bundle: OutgoingBundle, _ target: String) -> SendOutcome {
    let manifest = "\(target)/\(OutgoingBundle.manifest)"
    do throws(FileError) {
      guard SHA256.digest(of: try File.contents(of: manifest, limit: 64 << 20)) == bundle.manifestDigest else {
        return .refused(.taken, .bundle)
      }
    } catch {
      // What a share that does not answer holds is not known.
      return error.isMissing ? .refused(.taken, .bundle) : .failed(.file("\(error)"), .destination, wait: nil)
    }
    do throws(SendProblem) {
      try OutgoingBundle(target, of: bundle.trial).check()
      return .sent(.readBack, receipt: bundle.manifestDigest.description)
    } catch .bundleUnreadable(let reason) {
      return .failed(.file(reason), .bundle, wait: nil)
    } catch {
      return .refused(.taken, .bundle)
    }
  }
}
