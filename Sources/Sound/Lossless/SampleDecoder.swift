import Basics
import CSndfile
import Synchronization

/// The file that libsndfile reads or writes, through one descriptor throughout.
final class VirtualFile: Sendable {
  private let file: File
  private let state: Mutex<State>

  private struct State {
    var position = 0
    var size: Int
    var error: FileError?
    var patch: (bytes: [UInt8], position: Int)?
  }

  init(_ file: consuming File) throws(FileError) {
    state = Mutex(State(size: try file.size()))
    self.file = file
  }

  /// Opens it with libsndfile; `nil` where that refuses it.
  func open(_ mode: Int, _ info: inout SF_INFO) -> OpaquePointer? {
    var calls = unsafe SF_VIRTUAL_IO(
      get_filelen: fileLength, seek: seekFile, read: readFile, write: writeFile, tell: filePosition)
    return unsafe sf_open_virtual(&calls, Int32(mode), &info, Unmanaged.passUnretained(self).toOpaque())
  }

  /// The file's size when it was opened, or with what was written.
  var size: Int { state.withLock { $0.size } }

  /// The first error; `nil` if there was none.
  var error: FileError? { state.withLock { $0.error } }

  /// Where libsndfile reads or writes next.
  var position: Int {
    get { state.withLock { $0.position } }
    set { state.withLock { $0.position = max(0, newValue) } }
  }

  /// Gives ``read(upTo:)`` other bytes at a position than the file has there.
  func replace(at position: Int, with bytes: [UInt8]) { state.withLock { $0.patch = (bytes, position) } }

  /// The next bytes; fewer than requested at the end of the file, or after a read error.
  func read(upTo count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var piece: [UInt8]
      do throws(FileError) { piece = try file.read(upTo: count - bytes.count, at: position) } catch {
        state.withLock { $0.error = $0.error ?? error }
        break
      }
      if piece.isEmpty { break }
      if let patch = state.withLock({ $0.patch }) {
        for (index, byte) in patch.bytes.enumerated() {
          let place = patch.position + index - position
          if piece.indices.contains(place) { piece[place] = byte }
        }
      }
      position += piece.count
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
    }
    return bytes
  }

  /// Writes bytes at the position; returns how many, which is none after an error.
  func write(_ bytes: [UInt8]) -> Int {
    let position = position
    do throws(FileError) { try file.write(bytes, at: position) } catch {
      state.withLock { $0.error = $0.error ?? error }
      return 0
    }
    state.withLock { state in
      state.position = position + bytes.count
      state.size = max(state.size, state.position)
    }
    return bytes.count
  }

  func synchronize() throws(FileError) { try file.synchronize() }

  /// Reads bytes from a position, without moving `position`.
  func bytes(upTo count: Int, at position: Int) throws(FileError) -> [UInt8] {
    try file.read(upTo: count, at: position)
  }

  /// A value that changes whenever the file's content does.
  func stamp() throws(FileError) -> FileStamp { try file.stamp() }
}

private func file(_ pointer: UnsafeMutableRawPointer?) -> VirtualFile {
  guard let pointer = unsafe pointer else { preconditionFailure("libsndfile gave no file back") }
  return unsafe Unmanaged<VirtualFile>.fromOpaque(pointer).takeUnretainedValue()
}

private func fileLength(_ pointer: UnsafeMutableRawPointer?) -> sf_count_t { unsafe sf_count_t(file(pointer).size) }

private func filePosition(_ pointer: UnsafeMutableRawPointer?) -> sf_count_t {
  unsafe sf_count_t(file(pointer).position)
}

private func seekFile(_ offset: sf_count_t, _ whence: Int32, _ pointer: UnsafeMutableRawPointer?) -> sf_count_t {
  let bytes = unsafe file(pointer)
  let base = whence == SF_SEEK_CUR ? bytes.position : whence == SF_SEEK_END ? bytes.size : 0
  bytes.position = base.addingReportingOverflow(Int(offset)).partialValue
  return sf_count_t(bytes.position)
}

private func readFile(
  _ target: UnsafeMutableRawPointer?, _ count: sf_count_t, _ pointer: UnsafeMutableRawPointer?
) -> sf_count_t {
  let bytes = unsafe file(pointer).read(upTo: max(0, Int(count)))
  unsafe bytes.withUnsafeBytes { source in
    if let start = source.baseAddress { unsafe target?.copyMemory(from: start, byteCount: source.count) }
  }
  return sf_count_t(bytes.count)
}

private func writeFile(
  _ source: UnsafeRawPointer?, _ count: sf_count_t, _ pointer: UnsafeMutableRawPointer?
) -> sf_count_t {
  guard let source = unsafe source, count > 0 else { return 0 }
  let bytes = unsafe Array(UnsafeRawBufferPointer(start: source, count: Int(count)))
  return unsafe sf_count_t(file(pointer).write(bytes))
}

/// libsndfile, loaded when the first WAV or FLAC file is read or written.
enum SndfileLibrary {
  /// The loader's message if the library cannot be loaded; `nil` once it is loaded.
  private static let problem = unsafe csndfile_open().map { unsafe String(cString: $0) }

  static func open() throws(ClipError.Reason) { try check(problem) }

  static func check(_ problem: String?) throws(ClipError.Reason) {
    if let problem { throw .libraryMissing(problem) }
  }
}

/// A libsndfile decoder for the bytes of one file.
@safe
struct SampleDecoder: ~Copyable, Sendable {
  /// The header's properties of the sound.
  struct Facts: Hashable, Sendable {
    /// The number of frames, if the header declares it.
    var frames: Int?
    var sampleRate: Int
    var channels: Int
    /// Whether every sample is stored as it is: integers of 8 to 32 bits, or floating-point numbers.
    var isPlain: Bool
    /// Whether samples may be NaN or infinite.
    var isFloatingPoint: Bool
  }

  let facts: Facts

  private let bytes: VirtualFile
  // Only the unique owner calls it: it can be sent, but not shared.
  nonisolated(unsafe) private let handle: OpaquePointer

  init(_ bytes: VirtualFile) throws(ClipError.Reason) {
    try SndfileLibrary.open()
    var info = SF_INFO()
    guard let handle = unsafe bytes.open(SFM_READ, &info) else {
      if let error = bytes.error { throw .unreadable(error) }
      throw .decoder(Self.text(of: sf_error(nil)))
    }
    let encoding = Int(info.format) & SF_FORMAT_SUBMASK
    facts = Facts(
      frames: info.frames == .max ? nil : Int(info.frames), sampleRate: Int(info.samplerate),
      channels: Int(info.channels), isPlain: Self.plain.contains(encoding),
      isFloatingPoint: encoding == SF_FORMAT_FLOAT || encoding == SF_FORMAT_DOUBLE)
    self.bytes = bytes
    unsafe self.handle = unsafe handle
  }

  deinit { unsafe _ = sf_close(handle) }

  private static let plain = Set(
    [
      SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24, SF_FORMAT_PCM_32, SF_FORMAT_FLOAT,
      SF_FORMAT_DOUBLE,
    ])

  var title: String? {
    guard let text = unsafe sf_get_string(handle, Int32(SF_STR_TITLE)) else { return nil }
    return ID3Title.cleaned(unsafe String(cString: text))
  }

  /// Decodes up to `frames` more frames and appends their samples; returns 0 at the end, and whether the file is damaged there.
  mutating func read(upTo frames: Int, into samples: inout [Float]) throws(ClipError.Reason) -> (Int, isDamaged: Bool) {
    let start = samples.count
    samples.append(contentsOf: repeatElement(0, count: frames * facts.channels))
    var count = 0
    unsafe samples.withUnsafeMutableBufferPointer { buffer in
      guard let first = buffer.baseAddress else { return }
      unsafe count = Int(sf_readf_float(handle, first + start, sf_count_t(frames)))
    }
    count = min(max(count, 0), frames)
    samples.removeLast((frames - count) * facts.channels)
    if let error = bytes.error { throw .unreadable(error) }
    return (count, unsafe sf_error(handle) != 0)
  }

  static func text(of code: Int32) -> String {
    unsafe sf_error_number(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }
}
