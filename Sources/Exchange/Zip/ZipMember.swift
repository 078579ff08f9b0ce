import Basics
import CZlib

/// A member of a zip archive, unpacked while it is read: nothing is written to the disk.
@safe
final class ZipMember {
  private let entry: ZipArchive.Entry
  private let file: File
  private var position: Int
  private var left: Int
  // zlib remembers the address; `nil` for a member that is not compressed.
  private let stream: UnsafeMutablePointer<z_stream>?
  private var input: [UInt8] = []
  private var size = 0
  private var checksum: UInt32 = 0
  private var isOver = false

  private static let pieceSize = 1 << 16

  /// Whether a file begins as a zip archive does.
  static func isArchive(_ beginning: [UInt8]) -> Bool { beginning.starts(with: "PK\u{3}\u{4}".utf8) }

  /// The Apple Health export in an archive, whose name is in the phone's language; `nil` if there is none.
  static func export(in path: String) throws(ImportError) -> ZipMember? {
    do {
      let archive = try ZipArchive(path)
      for entry in archive.entries where entry.name.hasSuffix(".xml") && entry.name.split(separator: "/").count <= 2 {
        guard AppleHealthFolder.isExport(try ZipMember(entry, of: archive, path).read(upTo: 4096)) else { continue }
        return try ZipMember(entry, of: archive, path)
      }
      return nil
    } catch let error as FileError {
      throw .file(error)
    } catch let error as ZipArchive.Problem {
      throw .notImportable(path: path, reason: error.reason)
    } catch {
      throw .notImportable(path: path, reason: "\(error)")
    }
  }

  /// - Throws: `ZipArchive.Problem` for a member that cannot be unpacked, and `FileError`.
  private init(_ entry: ZipArchive.Entry, of archive: borrowing ZipArchive, _ path: String) throws {
    guard !entry.isEncrypted else {
      throw ZipArchive.Problem(
        reason: "“\(entry.name.visible)” in it is encrypted; unpack the archive with its password")
    }
    guard entry.method == 0 || entry.method == 8 else {
      throw ZipArchive.Problem(
        reason:
          "“\(entry.name.visible)” in it is compressed by the method \(entry.method), which is not read; unpack the "
          + "archive")
    }
    position = try archive.content(of: entry)
    file = try File(path, .read)
    self.entry = entry
    left = entry.packed
    guard entry.method == 8 else {
      unsafe stream = nil
      return
    }
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let status = unsafe czlib_begin_inflating(stream)
    precondition(status == Z_OK, "zlib found no memory")
    unsafe self.stream = stream
  }

  deinit {
    guard let stream = unsafe stream else { return }
    unsafe _ = inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// The next unpacked bytes, as many as are wanted unless it ends before; empty at the end.
  ///
  /// - Throws: `ZipArchive.Problem` for damaged content, and `FileError`.
  func read(upTo count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count, !isOver {
      let piece = unsafe stream == nil ? try stored(count - bytes.count) : try inflated(count - bytes.count)
      size += piece.count
      checksum = unsafe UInt32(truncatingIfNeeded: crc32(UInt(checksum), piece, UInt32(piece.count)))
      bytes += piece
      guard size <= entry.size else { throw damage }
    }
    if isOver, size != entry.size || checksum != entry.checksum { throw damage }
    return bytes
  }

  private var damage: ZipArchive.Problem {
    ZipArchive.Problem(reason: "“\(entry.name.visible)” in it cannot be unpacked to its end; the archive is damaged")
  }

  private func stored(_ count: Int) throws -> [UInt8] {
    let piece = left > 0 ? try file.read(upTo: min(count, left), at: position) : []
    position += piece.count
    left -= piece.count
    isOver = piece.isEmpty
    return piece
  }

  private func inflated(_ count: Int) throws -> [UInt8] {
    guard let stream = unsafe stream else { return [] }
    if input.isEmpty {
      input = left > 0 ? try file.read(upTo: min(Self.pieceSize, left), at: position) : []
      position += input.count
      left -= input.count
    }
    guard !input.isEmpty else { throw damage }
    var status = Z_OK
    let room = min(count, Self.pieceSize)
    let piece = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
      let rest = unsafe input.withUnsafeMutableBufferPointer { bytes in
        unsafe stream.pointee.next_in = bytes.baseAddress
        unsafe stream.pointee.avail_in = UInt32(bytes.count)
        unsafe stream.pointee.next_out = buffer.baseAddress
        unsafe stream.pointee.avail_out = UInt32(room)
        status = unsafe inflate(stream, Z_NO_FLUSH)
        return unsafe Int(stream.pointee.avail_in)
      }
      initialized = unsafe room - Int(stream.pointee.avail_out)
      input.removeFirst(input.count - rest)
    }
    guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { throw damage }
    isOver = status == Z_STREAM_END
    return piece
  }
}
