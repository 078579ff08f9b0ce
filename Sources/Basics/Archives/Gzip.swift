import CArchive

/// Compresses bytes piece by piece into a gzip file with libarchive; equal bytes give equal files.
@safe
package struct Gzip: ~Copyable {
  private final class Output {
    var bytes: [UInt8] = []
  }

  // libarchive remembers the address.
  private let output = Output()
  private let archive: OpaquePointer

  /// Begins a file.
  ///
  /// - Throws: ``ArchiveFault/libraryMissing(_:)``.
  package init() throws(ArchiveFault) {
    try ArchiveFault.requireLibrary()
    let box = unsafe Unmanaged.passUnretained(output).toOpaque()
    let begun = unsafe carchive_gzip(
      { _, box, bytes, count in
        guard let box = unsafe box, let bytes = unsafe bytes else { return -1 }
        let output = unsafe Unmanaged<Output>.fromOpaque(box).takeUnretainedValue()
        unsafe output.bytes += UnsafeRawBufferPointer(start: bytes, count: count)
        return count
      }, box)
    guard let archive = unsafe begun else { preconditionFailure("no memory for libarchive") }
    unsafe self.archive = archive
  }

  deinit { unsafe carchive_gzip_free(archive) }

  /// Takes bytes.
  ///
  /// - Returns: the part of the file that is complete by now.
  package mutating func take(_ bytes: [UInt8]) -> [UInt8] {
    let isTaken = unsafe carchive_write(archive, bytes, bytes.count)
    precondition(isTaken, "libarchive takes no bytes")
    return given()
  }

  /// Ends the file.
  ///
  /// - Returns: the rest of it.
  package mutating func finish() -> [UInt8] {
    let isWhole = unsafe carchive_finish(archive)
    precondition(isWhole, "libarchive does not end the file")
    return given()
  }

  private func given() -> [UInt8] {
    defer { output.bytes = [] }
    return output.bytes
  }

  /// A whole file.
  ///
  /// - Throws: ``ArchiveFault/libraryMissing(_:)``.
  package static func file(of bytes: [UInt8]) throws(ArchiveFault) -> [UInt8] {
    var gzip = try Gzip()
    let start = gzip.take(bytes)
    return start + gzip.finish()
  }
}
