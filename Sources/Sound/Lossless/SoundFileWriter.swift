import Basics
import CSndfile
import Synchronization

/// Writes a recording of sound as FLAC, frame by frame, in constant memory.
///
/// The file is whole when ``finish()`` returns.
@safe
package struct SoundFileWriter: ~Copyable {
  private let bytes: WrittenBytes
  private let path: String
  private let channels: Int
  private var handle: OpaquePointer?

  /// Makes a file, which must be new and is readable by its owner only.
  ///
  /// - Throws: ``SoundFileError``.
  package init(_ path: String, rate: Int, channels: Int) throws(SoundFileError) {
    try SoundFile.requireLibrary()
    let bytes: WrittenBytes
    do throws(FileError) {
      bytes = WrittenBytes(try File(path, .createChangeable, isPrivate: true))
    } catch {
      throw .file(error)
    }
    var calls = unsafe SF_VIRTUAL_IO(
      get_filelen: writtenLength, seek: seekWritten, read: readWritten, write: writeWritten, tell: writtenPosition)
    var info = SF_INFO()
    (info.samplerate, info.channels) = (Int32(clamping: rate), Int32(clamping: channels))
    info.format = Int32(SF_FORMAT_FLAC | SF_FORMAT_PCM_24)
    let opened = unsafe sf_open_virtual(
      &calls, Int32(SFM_WRITE), &info, Unmanaged.passUnretained(bytes).toOpaque())
    guard let handle = unsafe opened else {
      throw .library(path: path, SampleDecoder.text(of: sf_error(nil)))
    }
    (self.bytes, self.path, self.channels) = (bytes, path, channels)
    unsafe self.handle = unsafe handle
  }

  deinit { if let handle = unsafe handle { unsafe _ = sf_close(handle) } }

  /// Appends samples, channels interleaved.
  ///
  /// - Throws: ``SoundFileError``.
  package mutating func write(_ samples: some Collection<Float>) throws(SoundFileError) {
    guard let handle = unsafe handle, !samples.isEmpty else { return }
    let integers = samples.map(SoundFile.integer)
    let frames = integers.count / channels
    let written = unsafe integers.withUnsafeBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe Int(sf_writef_int(handle, $0, sf_count_t(frames))) } ?? 0
    }
    if let error = bytes.error { throw .file(error) }
    guard written == frames else { throw .library(path: path, SampleDecoder.text(of: unsafe sf_error(handle))) }
  }

  /// Appends frames of silence.
  ///
  /// - Throws: ``SoundFileError``.
  package mutating func writeSilence(frames: Int) throws(SoundFileError) {
    var rest = frames
    while rest > 0 {
      let count = min(rest, 1 << 14)
      try write(repeatElement(0, count: count * channels))
      rest -= count
    }
  }

  /// Completes the file, and brings it to the disk.
  ///
  /// - Throws: ``SoundFileError``.
  package mutating func finish() throws(SoundFileError) {
    guard let handle = unsafe handle else { return }
    unsafe self.handle = nil
    let status = unsafe sf_close(handle)
    if let error = bytes.error { throw .file(error) }
    guard status == 0 else { throw .library(path: path, SampleDecoder.text(of: status)) }
    do throws(FileError) { try bytes.synchronize() } catch { throw .file(error) }
  }
}

/// The file that libsndfile writes, which it goes back in to complete the head.
private final class WrittenBytes: Sendable {
  private let file: File
  private let state = Mutex(State())

  private struct State {
    var position = 0
    var size = 0
    var error: FileError?
  }

  init(_ file: consuming File) { self.file = file }

  /// The first write error; `nil` if there was none.
  var error: FileError? { state.withLock { $0.error } }
  var size: Int { state.withLock { $0.size } }
  var position: Int {
    get { state.withLock { $0.position } }
    set { state.withLock { $0.position = max(0, newValue) } }
  }

  func write(_ bytes: [UInt8]) -> Int {
    state.withLock { state in
      do throws(FileError) {
        try file.write(bytes, at: state.position)
      } catch {
        state.error = state.error ?? error
        return 0
      }
      state.position += bytes.count
      state.size = max(state.size, state.position)
      return bytes.count
    }
  }

  func read(upTo count: Int) -> [UInt8] {
    let bytes = (try? file.read(upTo: count, at: position)) ?? []
    position += bytes.count
    return bytes
  }

  func synchronize() throws(FileError) { try file.synchronize() }
}

private func written(_ pointer: UnsafeMutableRawPointer?) -> WrittenBytes {
  guard let pointer = unsafe pointer else { preconditionFailure("libsndfile gave no file back") }
  return unsafe Unmanaged<WrittenBytes>.fromOpaque(pointer).takeUnretainedValue()
}

private func writtenLength(_ pointer: UnsafeMutableRawPointer?) -> sf_count_t {
  unsafe sf_count_t(written(pointer).size)
}

private func writtenPosition(_ pointer: UnsafeMutableRawPointer?) -> sf_count_t {
  unsafe sf_count_t(written(pointer).position)
}

private func seekWritten(_ offset: sf_count_t, _ whence: Int32, _ pointer: UnsafeMutableRawPointer?) -> sf_count_t {
  let bytes = unsafe written(pointer)
  let base = whence == SF_SEEK_CUR ? bytes.position : whence == SF_SEEK_END ? bytes.size : 0
  bytes.position = base.addingReportingOverflow(Int(offset)).partialValue
  return sf_count_t(bytes.position)
}

private func readWritten(
  _ target: UnsafeMutableRawPointer?, _ count: sf_count_t, _ pointer: UnsafeMutableRawPointer?
) -> sf_count_t {
  let bytes = unsafe written(pointer).read(upTo: max(0, Int(count)))
  unsafe bytes.withUnsafeBytes { source in
    if let start = source.baseAddress { unsafe target?.copyMemory(from: start, byteCount: source.count) }
  }
  return sf_count_t(bytes.count)
}

private func writeWritten(
  _ source: UnsafeRawPointer?, _ count: sf_count_t, _ pointer: UnsafeMutableRawPointer?
) -> sf_count_t {
  guard let source = unsafe source, count > 0 else { return 0 }
  let bytes = unsafe Array(UnsafeRawBufferPointer(start: source, count: Int(count)))
  return unsafe sf_count_t(written(pointer).write(bytes))
}
