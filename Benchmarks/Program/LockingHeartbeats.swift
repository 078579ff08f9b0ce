import Glibc
import Signals

/// `benchmark heartbeats MINUTES SEED`: R peaks of a generated electrocardiogram as soon as they are over, and each beat
/// predicted from those before it.
struct LockingHeartbeats {
  private let length: Double
  private let seed: Int

  /// The waves of a beat: place, width and height, as in the model of McSharry, Clifford, Tarassenko and Smith (2003).
  private static let waves = [
    (-0.16, 0.022, 0.12), (-0.026, 0.008, -0.12), (0, 0.011, 1.1), (0.028, 0.010, -0.25), (0.30, 0.045, 0.30),
  ]
  private static let rate = 250.0
  /// So many beats are left to the predictors to learn from.
  private static let learned = 60

  init(_ words: [String]) throws {
    guard words.count == 2, let minutes = Double(words[0]), minutes >= 2, let seed = Int(words[1]) else {
      throw WrongUsage()
    }
    (length, self.seed) = (60 * minutes, seed)
  }

  func run() throws {
    srand48(seed)
    let beats = Self.beats(until: length)
    trigger(beats)
    predict(zip(beats, beats.dropFirst()).map { $1 - $0 })
  }

  private static func normal() -> Double { (0..<12).reduce(-6.0) { sum, _ in sum + drand48() } }

  /// Beats with the rhythm of breathing, a slow drift and a little chance.
  private static func beats(until end: Double) -> [Double] {
    var (beats, time, drift) = ([Double](), 0.5, 0.0)
    while time < end {
      beats.append(time)
      drift = 0.95 * drift + 0.012 * normal()
      time += 0.85 + 0.04 * sin(2 * .pi * 0.25 * time) + drift + 0.006 * normal()
    }
    return beats
  }

  private func trigger(_ beats: [Double]) {
    var trigger = RPeakTrigger(rate: Self.rate)
    var errors: [Double] = []
    var delays: [Double] = []
    var (falses, first, next) = (0, Double?.none, 0)
    for index in 0..<Int(length * Self.rate) {
      let time = Double(index) / Self.rate
      while next < beats.count, beats[next] < time - 1 { next += 1 }
      var value = 0.2 * sin(2 * .pi * 0.25 * time) + 0.02 * Self.normal()
      for beat in beats[next...].prefix(while: { $0 < time + 0.5 }) {
        for (place, width, height) in Self.waves {
          let distance = (time - beat - place) / width
          if distance.magnitude < 6 { value += height * exp(-0.5 * distance * distance) }
        }
      }
      guard let found = trigger.take(value, at: time) else { continue }
      first = first ?? found.peak
      let near = beats[max(0, next - 2)...].prefix { $0 < time + 1 }.min {
        abs($0 - found.peak) < abs($1 - found.peak)
      }
      guard let near, abs(near - found.peak) < 0.1 else {
        falses += 1
        continue
      }
      errors.append(1000 * (found.peak - near))
      delays.append(1000 * (found.found - near))
    }
    let all = beats.count { $0 >= (first ?? 0) - 0.1 && $0 < length - 0.1 }
    print(
      "beats=\(all) missed=\(all - errors.count) false=\(falses) mean_ms=\(Self.mean(errors)) "
        + "sd_ms=\(Self.deviation(errors)) found_ms=\(Self.mean(delays)) latest_ms=\(delays.max() ?? 0)")
  }

  private func predict(_ intervals: [Double]) {
    let differences = zip(intervals, intervals.dropFirst()).map { 1000 * ($1 - $0) }
    let singles = BeatPredictor.Method.all.map { ($0, Self.errors([$0], intervals)) }
    let best = singles.map { Self.size($0.1) }.min() ?? 0
    let chosen = Self.size(Self.errors(BeatPredictor.Method.all, intervals))
    print(
      "rmssd_ms=\(Self.size(differences)) predicted_ms=\(chosen) best_ms=\(best) ratio=\(chosen / best) "
        + singles.map { "\($0.0)=\(Self.size($0.1))" }.joined(separator: " "))
  }

  /// The errors of one-step predictions, in milliseconds.
  private static func errors(_ methods: [BeatPredictor.Method], _ intervals: [Double]) -> [Double] {
    var predictor = BeatPredictor(methods)
    return intervals.enumerated().compactMap { index, interval in
      defer { predictor.add(interval) }
      guard index >= learned, let next = predictor.next else { return nil }
      return 1000 * (next - interval)
    }
  }

  private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }

  private static func size(_ values: [Double]) -> Double { mean(values.map { $0 * $0 }).squareRoot() }

  private static func deviation(_ values: [Double]) -> Double {
    let mean = mean(values)
    return size(values.map { $0 - mean })
  }
}
