import Basics
import Glibc

/// An electrocardiogram whose beats are known: a sum of bell curves around each.
struct MadeElectrocardiogram {
  /// The times of its R peaks in seconds.
  private(set) var beats: [Double] = []
  /// Its values in millivolts.
  private(set) var values: [Double]
  let rate: Double

  /// How the heart beats.
  struct Heart {
    var perMinute = 70.0
    /// The spread of intervals, as a share of their mean.
    var spread = 0.04
    var tWave = 0.3
    var isInverted = false
    var noise = 0.02
  }

  init(_ heart: Heart = Heart(), rate: Double, seconds: Double, seed: UInt64 = 1) {
    self.rate = rate
    var random = SplitMix64(seed: seed)
    values = [Double](repeating: 0, count: Int(seconds * rate))
    var beat = 0.7
    while beat < seconds - 0.5 {
      beats.append(beat)
      let interval = max(
        0.3, 60 / heart.perMinute * (1 + 2 * heart.spread * (random.uniform() + random.uniform() - 1)))
      let root = interval.squareRoot()
      // P, Q, R, S and T: the time after the R peak and the width in seconds, and the height in millivolts.
      let bells = [
        (-0.16, 0.022, 0.12), (-0.026, 0.008, -0.12), (0, 0.011, 1.1), (0.028, 0.010, -0.25),
        (0.30 * root, 0.045 * root, heart.tWave),
      ]
      for (time, width, height) in bells {
        let (from, to) = ((beat + time - 6 * width) * rate, (beat + time + 6 * width) * rate)
        for place in max(0, Int(from))..<max(0, min(values.count, Int(to))) {
          let distance = (Double(place) / rate - beat - time) / width
          values[place] += height * exp(-0.5 * distance * distance)
        }
      }
      beat += interval
    }
    for place in values.indices {
      let noise = (0..<4).reduce(0) { sum, _ in sum + random.uniform() - 0.5 } * 3.0.squareRoot()
      values[place] = (heart.isInverted ? -1 : 1) * values[place] + heart.noise * noise
    }
  }

  /// Adds something that depends on the time.
  mutating func add(_ disturbance: (Double) -> Double) {
    for place in values.indices { values[place] += disturbance(Double(place) / rate) }
  }

  /// Changes each value, given its time.
  mutating func change(_ change: (_ time: Double, _ value: Double) -> Double) {
    for place in values.indices { values[place] = change(Double(place) / rate, values[place]) }
  }
}

/// How many of the true beats were found, and of the found ones were true; and how far off, in milliseconds.
struct Found {
  let sensitivity: Double
  let precision: Double
  let errors: [Double]

  init(_ found: [Double], of truth: [Double], within tolerance: Double = 0.05) {
    var rest = found[...]
    var errors: [Double] = []
    for beat in truth {
      rest = rest.drop { $0 < beat - tolerance }
      guard let first = rest.first, first <= beat + tolerance else { continue }
      errors.append((first - beat) * 1000)
      rest = rest.dropFirst()
    }
    self.errors = errors
    sensitivity = Double(errors.count) / Double(max(1, truth.count))
    precision = Double(errors.count) / Double(max(1, found.count))
  }

  var worst: Double { errors.map(\.magnitude).max() ?? .infinity }
}
