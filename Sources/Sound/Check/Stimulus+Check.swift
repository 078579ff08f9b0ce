import Basics
import Glibc
import Quantities

extension Stimulus {
  /// Reads the first minute of a clip, more than any check needs.
  package static func firstMinute(of path: String) throws -> Stimulus {
    var reader = try ClipReader(path, hashing: false)
    var samples: [Float] = []
    _ = try reader.read(upTo: 60 * reader.format.sampleRate, into: &samples)
    return Stimulus(format: reader.format, samples: samples)
  }

  /// Makes a cosine of 1 kHz and 200 ms that begins at its peak, so that its first frame is its loudest.
  package static func tone(rate: Int) -> Stimulus {
    let samples = (0..<rate / 5).flatMap { frame in
      let value = Float(0.5 * cos(2 * .pi * 1000 * Double(frame) / Double(rate)))
      return [value, value]
    }
    return Stimulus(format: SoundFormat(sampleRate: rate, channels: 2), samples: samples)
  }
}
