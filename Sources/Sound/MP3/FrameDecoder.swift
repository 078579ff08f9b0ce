import CMpg123

/// A libmpg123 decoder that is given one frame at a time.
///
/// It never searches for frames, skips an encoder's tag, or trims: testable code outside makes these decisions.
@safe
struct FrameDecoder: ~Copyable, Sendable {
  // Only the unique owner calls it: it can be sent, but not shared.
  nonisolated(unsafe) private let handle: OpaquePointer

  /// Creates a decoder; `freeLength` is the unpadded frame length of a free-format stream.
  init(freeLength: Int?) throws(ClipError.Reason) {
    var code = MPG123_OK.rawValue
    guard let handle = unsafe mpg123_new(nil, &code) else { throw .decoder(Self.text(of: code)) }
    code = unsafe cmpg123_set_flags(handle, freeLength.map { $0 - MPEGHeader.size } ?? 0)
    if code == MPG123_OK.rawValue { code = unsafe mpg123_open_feed(handle) }
    guard code == MPG123_OK.rawValue else {
      unsafe mpg123_delete(handle)
      throw .decoder(Self.text(of: code))
    }
    unsafe self.handle = unsafe handle
  }

  deinit { unsafe mpg123_delete(handle) }

  /// Decodes one frame into the samples from `place` on, channels interleaved.
  ///
  /// - Parameters:
  ///   - frame: the range of the frame in `bytes`.
  ///   - bytes: a part of the file.
  ///   - samples: the array whose samples are overwritten.
  ///   - place: the index of the first sample.
  ///   - count: the number of samples in the frame; `samples` must extend that far.
  /// - Returns: whether the frame could be decoded; otherwise its samples are zero.
  mutating func decode(
    _ frame: Range<Int>, of bytes: [UInt8], over samples: inout [Float], at place: Int, count: Int
  ) -> Bool {
    precondition(place + count <= samples.count && frame.upperBound <= bytes.count, "a frame fits where it belongs")
    var done = 0
    var result: Int32 = 0
    unsafe bytes.withUnsafeBufferPointer { input in
      unsafe samples.withUnsafeMutableBytes { output in
        guard let source = input.baseAddress, let start = output.baseAddress else { return }
        let target = unsafe start + place * 4
        unsafe result = mpg123_decode(handle, source + frame.lowerBound, frame.count, target, count * 4, &done)
        // The first call only announces the format; the second returns the sound.
        if result == MPG123_NEW_FORMAT.rawValue {
          unsafe result = mpg123_decode(handle, nil, 0, target, count * 4, &done)
        }
      }
    }
    guard done == count * 4 else {
      for index in place + done / 4..<place + count { samples[index] = 0 }
      return false
    }
    return true
  }

  private static func text(of code: Int32) -> String { unsafe String(cString: mpg123_plain_strerror(code)) }
}
