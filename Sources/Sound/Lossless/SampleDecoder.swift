import CSndfile

/// A libsndfile decoder for the bytes of one file.
@safe
struct SampleDecoder: ~Copyable, Sendable {
  /// The header's properties of the sound.
  struct Facts: Hashable, Sendable {
    /// The number of frames, if the header declares it.
    var frames: Int?
    /// Frames per second.
    var sampleRate: Int
    /// Samples per frame.
    var channels: Int
    /// Whether every sample is stored as it is: integers of 8 to 32 bits, or floating-point numbers.
    var isPlain: Bool
    /// Whether samples may be NaN or infinite.
    var isFloatingPoint: Bool
  }

  /// The header's properties.
  let facts: Facts

  private let bytes: VirtualFile
  // Only the unique owner calls it: it can be sent, but not shared.
  nonisolated(unsafe) private let handle: OpaquePointer

  /// Reads the header of a file.
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

  /// The title in the file's tags.
  var title: String? {
    guard let text = unsafe sf_get_string(handle, Int32(SF_STR_TITLE)) else { return nil }
    return ID3Title.cleaned(unsafe String(cString: text))
  }

  /// Decodes up to `frames` more frames and appends their samples.
  ///
  /// - Returns: the number of frames, 0 at the end, and whether the file is damaged there.
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
