import Glibc

/// A click that is easily found in a recording: a tone that rises from 1 to 8 kHz in 5 ms, with soft edges.
struct Click: Hashable, Sendable {
  /// The peak of the stimulus.
  private static let amplitude: Float = 0.5
  /// Its length in seconds.
  private static let length = 0.005
  /// A correlation peak below so many times the noise may be noise.
  private static let minRatio: Float = 10
  /// What comes before the strongest echo by no more than this part of it is the direct sound.
  private static let directPart: Float = 0.5
  /// Samples beyond this are taken to be clipped.
  private static let clipping: Float = 0.99

  private let rate: Int
  let samples: [Float]

  init(rate: Int) {
    self.rate = rate
    let count = Int(Self.length * Double(rate))
    samples = (0..<count).map { frame in
      let time = Double(frame) / Double(rate)
      let phase = 2 * Double.pi * (1000 * time + 3500 * time * time / Self.length)
      let edge = 0.5 - 0.5 * cos(2 * Double.pi * (Double(frame) + 0.5) / Double(count))
      return Self.amplitude * Float(edge * sin(phase))
    }
  }

  var stimulus: Stimulus {
    Stimulus(format: SoundFormat(sampleRate: rate, channels: 2), samples: samples.flatMap { [$0, $0] })
  }

  /// Where a click was found in a recording.
  struct Finding: Hashable, Sendable {
    /// The index of its first sample, between two samples.
    var index: Double
    /// How much weaker it is than what was played; 1 is as strong.
    var gain: Float
    /// How many times stronger than the noise it is.
    var ratio: Float
    var isClipped: Bool

    var isHeard: Bool { ratio >= Click.minRatio }
  }

  /// Looks for the click in a recording at the same rate; `nil` if that is silent or shorter than a click.
  func find(in heard: [Float]) -> Finding? {
    let peak = heard.lazy.map(abs).max() ?? 0
    guard peak > 0, heard.count > samples.count + 2 else { return nil }
    let energy = samples.reduce(0) { $0 + $1 * $1 }
    let strengths = correlation(with: heard)
    let values = strengths.map(abs)
    guard let most = values.max() else { return nil }
    // The first sound is the direct one; what comes later may be stronger by what a wall adds to it.
    let early = values.firstIndex { $0 >= Self.directPart * most } ?? 0
    let end = min(values.count, early + rate / 2000)
    guard let place = (early..<end).max(by: { values[$0] < values[$1] }) else { return nil }
    let around = max(0, place - 2 * samples.count)..<min(values.count, place + 2 * samples.count)
    let quiet = values[..<around.lowerBound] + values[around.upperBound...]
    let noise = (quiet.reduce(0) { $0 + $1 * $1 } / Float(max(quiet.count, 1))).squareRoot()
    return Finding(
      index: Double(place) + Self.vertex(strengths, at: place), gain: values[place] / energy,
      ratio: noise > 0 ? values[place] / noise : .infinity, isClipped: peak >= Self.clipping)
  }

  private func correlation(with heard: [Float]) -> [Float] {
    unsafe samples.withUnsafeBufferPointer { samples in
      unsafe heard.withUnsafeBufferPointer { heard in
        (0...heard.count - samples.count).map { lag in
          var sum: Float = 0
          for index in 0..<samples.count { unsafe sum += samples[index] * heard[lag + index] }
          return sum
        }
      }
    }
  }

  /// Where the parabola through three values has its vertex, relative to the middle one.
  private static func vertex(_ values: [Float], at place: Int) -> Double {
    guard place > 0, place < values.count - 1 else { return 0 }
    let (before, here, after) = (Double(values[place - 1]), Double(values[place]), Double(values[place + 1]))
    let curve = before - 2 * here + after
    return curve == 0 ? 0 : max(-0.5, min(0.5, (before - after) / (2 * curve)))
  }
}
