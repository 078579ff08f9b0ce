import Glibc

/// A file that is written piece by piece beside its name, and takes the name once it is complete.
///
/// A reader gets the old file or the new one, never a part. It is not waited for until the data are on disk: what can be
/// made again need not be.
package struct StreamedFile: ~Copyable {
  private let path: String
  private let file: File
  private var held: [UInt8] = []
  private var digest = SHA256()
  private var bytes = 0
  private var isComplete = false

  /// The number of bytes that are held before they are written.
  private static let maxCount = 1 << 16

  /// Creates the file under a temporary name in the same folder.
  ///
  /// - Throws: ``FileError``.
  package init(_ path: String) throws(FileError) {
    self.path = path
    file = try PartFile.create(beside: path)
    UnfinishedFiles.add(file.path)
    held.reserveCapacity(2 * Self.maxCount)
  }

  deinit {
    if !isComplete { try? Folder.removeFile(file.path) }
    UnfinishedFiles.remove(file.path)
  }

  /// Appends bytes.
  ///
  /// - Throws: ``FileError``.
  package mutating func write(_ bytes: [UInt8]) throws(FileError) {
    held += bytes
    if held.count >= Self.maxCount { try flush() }
  }

  private mutating func flush() throws(FileError) {
    digest.update(held)
    bytes += held.count
    do throws(FileError) {
      try file.write(held)
    } catch {
      throw FileError(error.action, path, code: error.code)
    }
    held.removeAll(keepingCapacity: true)
  }

  /// Gives the file its name, in place of a file that has it.
  ///
  /// - Returns: the file's size and digest.
  /// - Throws: ``FileError``.
  package mutating func finish() throws(FileError) -> (bytes: Int, sha256: String) {
    try flush()
    guard unsafe Glibc.rename(file.path, path) == 0 else { throw FileError.last("replace", path) }
    isComplete = true
    return (bytes, digest.digest().description)
  }
}
