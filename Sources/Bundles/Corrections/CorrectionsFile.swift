package import Basics

/// The corrections of a bundle's beats, in a file beside the bundle: `<bundle>.corrections.jsonl`.
///
/// Lines are only ever appended, each with one write under a lock and on the disk before anything says that it is there.
package struct CorrectionsFile: Hashable, Sendable {
  /// The file's path; it need not exist.
  package let path: String
  private let bundle: String

  /// What the name has after that of the bundle.
  private static let suffix = ".corrections.jsonl"
  /// The largest file that is read, in bytes.
  private static let maxSize = 64 << 20

  /// The file of a bundle, which lies beside the folder itself where that is reached through links.
  package init(ofBundle folder: String) {
    bundle = Folder.realPath(folder) ?? folder
    path = bundle + Self.suffix
  }

  /// Whether a path has the name of such a file.
  package static func isNamed(_ path: String) -> Bool { path.hasSuffix(suffix) }

  package var isThere: Bool { Folder.exists(path) }

  /// The corrections; none where there is no file.
  ///
  /// - Throws: `FileError` for a file that cannot be read, or is not a regular file.
  package func read() throws(FileError) -> Corrections {
    do throws(FileError) {
      return Corrections(try File(path, .read, isRegular: true).contents(limit: Self.maxSize))
    } catch {
      if error.isMissing { return Corrections([]) }
      throw error
    }
  }

  /// Appends a correction; on the disk when this returns.
  ///
  /// - Parameter make: makes the correction, which follows those that are there; what it throws leaves the file as it is.
  /// - Returns: the correction.
  /// - Throws: `LockError`, `FileError`, and what `make` throws.
  package func append(_ make: (Corrections) throws -> Correction) throws -> Correction {
    while true {
      try requireBundle()
      let isNew = !isThere
      let locked = try LockedFile(path, .append)
      let made = try locked.hold(within: ResultsFolder.lockPatience) {
        // Another process removed the file meanwhile, since its correction was refused, or with the bundle.
        guard locked.file.isAt(path) else { return nil as Correction? }
        do {
          try requireBundle()
          return try append(make, to: locked.file, isNew: isNew)
        } catch {
          if try locked.file.size() == 0 { try? Folder.removeFile(path) }
          throw error
        }
      }
      if let made { return made }
    }
  }

  private func append(
    _ make: (Corrections) throws -> Correction, to file: borrowing File, isNew: Bool
  ) throws -> Correction {
    let corrections = try read()
    let made = try make(corrections)
    // A line without an end becomes a line of its own.
    let ending: [UInt8] = corrections.isOpen ? [UInt8(ascii: "\n")] : []
    try file.write(ending + JSONValue(encoding: made, writesNull: true).encoded() + [UInt8(ascii: "\n")])
    try file.synchronize()
    if isNew { try Folder.synchronize(Folder.parent(of: path)) }
    return made
  }

  /// Removes the file, after what is appending to it.
  package func remove() throws {
    guard isThere else { return }
    try LockedFile(path, .append).hold(within: ResultsFolder.lockPatience) { try Folder.removeFile(path) }
    try Folder.synchronize(Folder.parent(of: path))
  }

  private func requireBundle() throws {
    guard Folder.isFolder(bundle) else { throw BundleError.unreadable(path: bundle, reason: "there is no such folder") }
  }
}

/// The lines of a corrections file.
package struct Corrections: Hashable, Sendable {
  /// The corrections, in the order of the file.
  package private(set) var all: [Correction] = []
  /// The lines that are no corrections: `line 3: …`.
  package private(set) var problems: [String] = []
  /// Whether the last line has no end, since a write was interrupted.
  let isOpen: Bool

  /// Reads a file's bytes.
  package init(_ bytes: [UInt8]) {
    isOpen = !bytes.isEmpty && bytes.last != UInt8(ascii: "\n")
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty {
      do throws(LineProblem) {
        all.append(try correction(Array(line), isLast: index == lines.count - 1))
      } catch {
        problems.append("line \(index + 1): \(error.reason)")
      }
    }
  }

  private struct LineProblem: Error { let reason: String }

  private func correction(_ line: [UInt8], isLast: Bool) throws(LineProblem) -> Correction {
    let correction: Correction
    do {
      correction = try JSONReader.read(line).value.decoded()
    } catch let error as JSONProblems {
      // A whole object is whole also where its end of the line was not written.
      if isLast { throw LineProblem(reason: "it is torn: a write was interrupted") }
      throw LineProblem(reason: error.problems.first?.description ?? "it is not JSON")
    } catch {
      throw LineProblem(reason: "\(error)")
    }
    // Files of two stations that were put together.
    guard all.last?.number ?? 0 < correction.number else {
      throw LineProblem(reason: "its number \(correction.number) does not follow those before")
    }
    return correction
  }

  /// The same with another correction at its end.
  package func with(_ correction: Correction) -> Corrections {
    var longer = self
    longer.all.append(correction)
    return longer
  }

  /// The number of the next correction.
  package var nextNumber: Int { (all.last?.number ?? 0) + 1 }

  /// The numbers of those that are undone.
  package static func undone(_ corrections: [Correction]) -> Set<Int> {
    var undone: Set<Int> = []
    // An undo comes after what it undoes, and may be undone by a later one.
    for correction in corrections.reversed() {
      if case .undo(let number) = correction.edit, !undone.contains(correction.number), number < correction.number {
        undone.insert(number)
      }
    }
    return undone
  }

  /// Those of one author; all for `nil`.
  ///
  /// An undo of what another author did says nothing where that is not seen.
  package func of(_ author: String?) -> [Correction] {
    guard let author else { return all }
    var seen: Set<Int> = []
    return all.filter { correction in
      guard correction.author == author else { return false }
      if case .undo(let number) = correction.edit, !seen.contains(number) { return false }
      seen.insert(correction.number)
      return true
    }
  }

  /// The names of the authors, in the order of their first corrections.
  package var authors: [String] { all.reduce(into: []) { if !$0.contains($1.author) { $0.append($1.author) } } }
}
