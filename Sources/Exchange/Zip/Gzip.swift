import CZlib

/// Compresses bytes piece by piece into a gzip file, whose bytes depend on nothing else.
@safe struct Gzip: ~Copyable {
  // zlib remembers the address.
  private let stream: UnsafeMutablePointer<z_stream>
  private var room = [UInt8](repeating: 0, count: 1 << 16)

  /// Begins a file.
  init() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let status = unsafe czlib_begin_gzip(stream, 6)
    precondition(status == Z_OK, "zlib found no memory")
  }

  deinit {
    unsafe _ = deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Takes bytes.
  ///
  /// - Returns: the part of the file that is known by now.
  mutating func take(_ bytes: [UInt8]) -> [UInt8] { run(bytes, Z_NO_FLUSH) }

  /// Ends the file.
  ///
  /// - Returns: the rest of it.
  mutating func finish() -> [UInt8] { run([], Z_FINISH) }

  private mutating func run(_ bytes: [UInt8], _ flush: Int32) -> [UInt8] {
    var compressed: [UInt8] = []
    var input = bytes
    let size = room.count
    unsafe input.withUnsafeMutableBufferPointer { buffer in
      unsafe stream.pointee.next_in = buffer.baseAddress
      unsafe stream.pointee.avail_in = UInt32(buffer.count)
      var isFull = true
      while isFull {
        isFull = unsafe room.withUnsafeMutableBufferPointer { room in
          unsafe stream.pointee.next_out = room.baseAddress
          unsafe stream.pointee.avail_out = UInt32(size)
          unsafe _ = deflate(stream, flush)
          let left = unsafe Int(stream.pointee.avail_out)
          unsafe compressed += room.prefix(size - left)
          return left == 0
        }
      }
    }
    return compressed
  }

  /// A whole file.
  static func file(of bytes: [UInt8]) -> [UInt8] {
    var gzip = Gzip()
    let start = gzip.take(bytes)
    return start + gzip.finish()
  }
}
