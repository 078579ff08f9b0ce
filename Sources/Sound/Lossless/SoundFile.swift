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
  ///
  /// - Throws: ``SoundFileError/libraryMissing(_:)``.
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
