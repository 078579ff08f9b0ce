import CMpg123

/// libmpg123, given one frame at a time.
///
/// It never searches for frames, never skips an encoder's tag and never trims: that is decided where it can be tested.
@safe
struct FrameDecoder: ~Copyable, Sendable {
  // Its one owner is the only one to call: it can be sent, but not shared.
  nonisolated(unsafe) private let handle: OpaquePointer

  /// A decoder without any sound yet; `freeLength` is the unpadded length of the frames of a free-format stream.
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

  /// Decodes one frame over the samples from `place` on, channels interleaved.
  ///
  /// - Parameters:
  ///   - frame: where the frame lies in `bytes`.
  ///   - bytes: a part of the file.
  ///   - samples: what the sound is written over.
  ///   - place: where the sound begins.
  ///   - count: the number of samples in the frame; `samples` reaches that far.
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
        // The first frame only announces the format; the sound follows.
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
