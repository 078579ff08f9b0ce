import Sound

/// `benchmark decode FILE…`: decodes whole files to 32-bit floats, in pieces that are thrown away, as `mpg123 -t` does.
struct DecodingFiles {
  let paths: [String]

  /// As much as `station clips` takes at once, in frames.
  private static let piece = 1 << 14

  func run() throws {
    for path in paths {
      var reader = try ClipReader(path, hashing: false)
      var samples: [Float] = []
      var frames = 0
      while case let count = try reader.read(upTo: Self.piece, into: &samples), count > 0 {
        frames += count
        samples.removeAll(keepingCapacity: true)
      }
      let warnings = try reader.finish().warnings.count
      print("frames=\(frames) rate=\(reader.format.sampleRate) channels=\(reader.format.channels) warnings=\(warnings)")
    }
  }
}
