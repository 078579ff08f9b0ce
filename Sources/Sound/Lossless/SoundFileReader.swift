import Basics

/// Reads a recording of sound, frame by frame, in constant memory.
package struct SoundFileReader: ~Copyable {
  /// Frames per second.
  package var rate: Int { decoder.facts.sampleRate }
  /// Samples per frame.
  package var channels: Int { decoder.facts.channels }

  private let path: String
  private var decoder: SampleDecoder

  /// Opens a file.
  ///
  /// - Throws: ``SoundFileError``.
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

  /// Passes over frames.
  ///
  /// - Throws: ``SoundFileError``, also where fewer are left.
  package mutating func skip(frames: Int) throws(SoundFileError) {
    var rest = frames
    while rest > 0 {
      let count = min(rest, 1 << 16)
      _ = try read(frames: count)
      rest -= count
    }
  }

  /// The samples of the next frames, channels interleaved.
  ///
  /// - Throws: ``SoundFileError``, also where fewer are left.
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
