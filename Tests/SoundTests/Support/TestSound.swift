import Sound

/// Sounds made for tests: the same samples for the same arguments, always.
enum TestSound {
  /// Soft noise below about a twentieth of the sample rate: every lag is told from every other.
  static func noise(seconds: Double, rate: Int = 44_100, channels: Int = 2, level: Float = 0.4) -> [Float] {
    let frames = Int((seconds * Double(rate)).rounded())
    var state: UInt64 = 0x1234_5678_9ABC_DEF1
    var smooth = [[Float]](repeating: [0, 0, 0], count: channels)
    var samples: [Float] = []
    samples.reserveCapacity(frames * channels)
    for _ in 0..<frames {
      for channel in 0..<channels {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        var value = Float(Int64(bitPattern: state) >> 40) / Float(1 << 23)
        for stage in 0..<3 {
          smooth[channel][stage] += 0.3 * (value - smooth[channel][stage])
          value = smooth[channel][stage]
        }
        samples.append(max(-1, min(1, value * 4 * level)))
      }
    }
    return samples
  }

  /// One channel of interleaved samples.
  static func channel(_ index: Int, of channels: Int, in samples: [Float]) -> [Float] {
    stride(from: index, to: samples.count, by: channels).map { samples[$0] }
  }

  /// The lag, in frames, at which `second` resembles `first` most; positive where it is late.
  static func lag(of second: [Float], behind first: [Float], within reach: Int = 40) -> Int {
    let start = first.count / 3
    let length = min(8192, first.count / 3)
    func likeness(_ lag: Int) -> Float {
      var sum: Float = 0
      for index in start..<start + length where index + lag >= 0 && index + lag < second.count {
        sum += first[index] * second[index + lag]
      }
      return sum
    }
    return (-reach...reach).max { likeness($0) < likeness($1) } ?? .min
  }

  /// A WAV file of 16-bit samples.
  static func wave(_ samples: [Float], rate: Int, channels: Int) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var bytes = Array("RIFF".utf8) + little(36 + samples.count * 2, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
    bytes += little(1, 2) + little(channels, 2) + little(rate, 4) + little(rate * channels * 2, 4)
    bytes += little(channels * 2, 2) + little(16, 2) + Array("data".utf8) + little(samples.count * 2, 4)
    for sample in samples { bytes += little(Int((sample * 32767).rounded()), 2) }
    return bytes
  }
}
