import CArchive

/// Reads a zip archive with libarchive, member by member, each unpacked while it is read: nothing is written to the disk.
@safe
package final class ZipReader {
  /// The name of the current member.
  package private(set) var name = ""

  private let archive: OpaquePointer
  private var isEncrypted = false
  private var rest = 0
  private var peeked: [UInt8] = []

  /// Whether a file begins as a zip archive does.
  package static func isArchive(_ beginning: [UInt8]) -> Bool { beginning.starts(with: "PK\u{3}\u{4}".utf8) }

  /// Opens an archive, before its first member.
  ///
  /// - Throws: ``ArchiveFault/libraryMissing(_:)``.
  package init(_ path: String) throws(ArchiveFault) {
    try ArchiveFault.requireLibrary()
    guard let archive = unsafe carchive_zip(path) else { preconditionFailure("no memory for libarchive") }
    unsafe self.archive = archive
  }

  deinit { unsafe carchive_zip_free(archive) }

  /// Goes on to the next member.
  ///
  /// - Returns: whether there is one.
  /// - Throws: ``ArchiveFault/damaged`` for a directory of members that cannot be read.
  package func next() throws(ArchiveFault) -> Bool {
    var (text, size) = unsafe (UnsafePointer<CChar>?.none, Int64(0))
    let status = unsafe carchive_next(archive, &text, &size, &isEncrypted)
    guard status >= 0 else { throw .damaged }
    name = unsafe text.map { unsafe String(cString: $0) } ?? ""
    (rest, peeked) = (Int(size), [])
    return status > 0
  }

  /// The first bytes of the current member, which ``read(upTo:)`` returns as well.
  ///
  /// - Throws: ``ArchiveFault``.
  package func peek(_ count: Int) throws(ArchiveFault) -> [UInt8] {
    peeked = try read(upTo: count)
    return peeked
  }

  /// The next unpacked bytes of the current member, as many as are wanted unless it ends before; empty at its end.
  ///
  /// - Throws: ``ArchiveFault`` for a member that cannot be unpacked.
  package func read(upTo count: Int) throws(ArchiveFault) -> [UInt8] {
    guard !isEncrypted else { throw .encrypted(member: name) }
    var bytes = Array(peeked.prefix(count))
    peeked.removeFirst(bytes.count)
    var read = 1
    while read > 0, bytes.count < count {
      let room = count - bytes.count
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
        unsafe read = carchive_read(archive, buffer.baseAddress, room)
        initialized = max(0, read)
      }
      rest -= piece.count
      guard read >= 0, rest >= 0 else { throw .cannotUnpack(member: name, reason: read < 0 ? reason : nil) }
      bytes = bytes.isEmpty ? piece : bytes + piece
    }
    return bytes
  }

  private var reason: String? { unsafe carchive_reason(archive).map { unsafe String(cString: $0) } }
}

@available(*, unavailable)
extension ZipReader: Sendable {}

/// Why libarchive cannot read or write an archive.
package enum ArchiveFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// It cannot be loaded; with the loader's message.
  case libraryMissing(String)
  /// The archive has no readable directory of its members.
  case damaged
  case encrypted(member: String)
  /// A member does not unpack to its end; with the library's reason, unless it is larger than the directory says.
  case cannotUnpack(member: String, reason: String?)

  /// What is wrong, and what to do.
  package var description: String {
    switch self {
    case .libraryMissing(let problem):
      "libarchive cannot be opened (\(problem)); install it: apt-get install libarchive13"
    case .damaged: "the zip archive is damaged or incomplete; copy it again"
    case .encrypted(let member): "“\(member.visible)” in it is encrypted; unpack the archive with its password"
    case .cannotUnpack(let member, let reason):
      "“\(member.visible)” in it cannot be unpacked: \(reason?.visible ?? "it is larger than the archive says"); copy the "
        + "archive again, or unpack it with another program"
    }
  }

  private static let problem = unsafe carchive_open().map { unsafe String(cString: $0) }

  /// Loads the library.
  static func requireLibrary() throws(ArchiveFault) {
    if let problem { throw .libraryMissing(problem) }
  }
}
