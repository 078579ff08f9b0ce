package import Basics
import CSndfile

/// The form of a recording of sound: FLAC of 24 bits, which keeps every sample of what sound servers deliver.
package enum SoundFile: Sendable {
  /// The largest number of channels that FLAC has.
  package static let maxChannels = 8

  /// One is the largest sample that a file can nearly hold; it holds −1.
  private static let scale: Float = 8_388_608

  /// A sample as the file holds it: on the steps of 24 bits, and no further from zero than the file can hold.
  package static func kept(_ sample: Float) -> Float {
    guard sample.isFinite else { return 0 }
    return max(-scale, min(scale - 1, (sample * scale).rounded())) / scale
  }

  /// The integer of a sample, in the upper 24 bits.
  static func integer(_ sample: Float) -> Int32 { Int32(kept(sample) * scale) << 8 }

  /// Checks that libsndfile can be loaded.
  package static func requireLibrary() throws(SoundFileError) {
    do throws(ClipError.Reason) {
      try SndfileLibrary.open()
    } catch {
      throw SoundFileError(error, path: "")
    }
  }
}

extension SoundFileError {
  init(_ reason: ClipError.Reason, path: String) {
    self =
      switch reason {
      case .libraryMissing(let why): .libraryMissing(why)
      case .unreadable(let error): .file(error)
      default: .library(path: path, "\(reason)")
      }
  }
}

/// Why a recording of sound cannot be written or read as a FLAC file.
package enum SoundFileError: Error, Hashable, Sendable {
  case libraryMissing(String)
  case file(FileError)
  case library(path: String, String)
  case short(path: String)
}

extension SoundFileError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .libraryMissing(let why): "\(ClipError.Reason.libraryMissing(why))"
    case .file(let error): "\(error)"
    case .library(let path, let why): "cannot use “\(path.visible)”: libsndfile says “\(why)”"
    case .short(let path): "“\(path.visible)” ends before the frames that its sidecar lists"
    }
  }
}

/// Reads a recording of sound, frame by frame, in constant memory.
package struct SoundFileReader: ~Copyable {
  var rate: Int { decoder.facts.sampleRate }
  package var channels: Int { decoder.facts.channels }

  private let path: String
  private var decoder: SampleDecoder

  /// Opens a WAV or FLAC file.
  package init(_ path: String) throws(SoundFileError) {
    self.path = path
    let bytes: VirtualFile
    do throws(FileError) {
      bytes = try VirtualFile(File(path, .read, isRegular: true))
    } catch {
      throw .file(error)
    }
    do throws(ClipError.Reason) {
      decoder = try SampleDecoder(bytes)
    } catch {
      throw SoundFileError(error, path: path)
    }
  }

  /// Passes over frames; it is an error where fewer are left.
  package mutating func skip(frames: Int) throws(SoundFileError) {
    var rest = frames
    while rest > 0 {
      let count = min(rest, 1 << 16)
      _ = try read(frames: count)
      rest -= count
    }
  }

  /// The samples of the next frames, channels interleaved; it is an error where fewer are left.
  package mutating func read(frames: Int) throws(SoundFileError) -> [Float] {
    var samples: [Float] = []
    var missing = frames
    do throws(ClipError.Reason) {
      while missing > 0 {
        let (count, _) = try decoder.read(upTo: min(missing, 1 << 16), into: &samples)
        if count == 0 { break }
        missing -= count
      }
    } catch {
      throw SoundFileError(error, path: path)
    }
    guard missing == 0 else { throw .short(path: path) }
    return samples
  }
}

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

  /// Appends silence.
  package mutating func writeSilence(frames: Int) throws(SoundFileError) {
    var rest = frames
    while rest > 0 {
      let count = min(rest, 1 << 14)
      try write(repeatElement(0, count: count * channels))
      rest -= count
    }
  }

  /// Completes the file, and brings it to the disk.
  package mutating func finish() throws(SoundFileError) {
    guard let handle = unsafe handle else { return }
    unsafe self.handle = nil
    let status = unsafe sf_close(handle)
    if let error = bytes.error { throw .file(error) }
    guard status == 0 else { throw .library(path: path, SampleDecoder.text(of: status)) }
    do throws(FileError) { try bytes.synchronize() } catch { throw .file(error) }
  }
}
