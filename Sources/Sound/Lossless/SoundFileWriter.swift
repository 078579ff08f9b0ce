import Basics
import CSndfile

/// Writes a recording of sound as FLAC, frame by frame, in constant memory.
///
/// The file is whole when ``finish()`` returns.
@safe
package struct SoundFileWriter: ~Copyable {
  private let bytes: VirtualFile
  private let path: String
  private let channels: Int
  private var handle: OpaquePointer?

  /// Makes a file, which must be new and is readable by its owner only.
  ///
  /// - Throws: ``SoundFileError``.
  package init(_ path: String, rate: Int, channels: Int) throws(SoundFileError) {
    try SoundFile.requireLibrary()
    let bytes: VirtualFile
    do throws(FileError) {
      bytes = try VirtualFile(File(path, .createChangeable, isPrivate: true))
    } catch {
      throw .file(error)
    }
    var info = SF_INFO()
    (info.samplerate, info.channels) = (Int32(clamping: rate), Int32(clamping: channels))
    info.format = Int32(SF_FORMAT_FLAC | SF_FORMAT_PCM_24)
    guard let handle = unsafe bytes.open(SFM_WRITE, &info) else {
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
