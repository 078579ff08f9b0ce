import Basics
import Glibc
import Testing

@testable import Signals

@Suite("R peaks as soon as they are over, and predicted beats")
struct RPeakTriggerTests {
  /// Beats with the rhythm of breathing and slow drift, in seconds.
  static func beats(seed: UInt64, until end: Double) -> [Double] {
    var random = SplitMix64(seed: seed)
    func normal(_ random: inout SplitMix64) -> Double {
      (0..<12).reduce(-6.0) { sum, _ in sum + random.uniform() }
    }
    var (beats, time, drift) = ([Double](), 0.5, 0.0)
    while time < end {
      beats.append(time)
      drift = 0.95 * drift + 0.012 * normal(&random)
      time += 0.85 + 0.04 * sin(2 * .pi * 0.25 * time) + drift + 0.006 * normal(&random)
    }
    return beats
  }

  /// The electrocardiogram of beats, as in the model of McSharry and others (2003), in mV.
  static func electrocardiogram(
    of beats: [Double], rate: Double, until end: Double, noise: Double, hum: Double, isInverted: Bool
  ) -> [Double] {
    let bells = [
      (-0.16, 0.022, 0.12), (-0.026, 0.008, -0.12), (0, 0.011, 1.1), (0.028, 0.010, -0.25), (0.30, 0.045, 0.30),
    ]
    var random = SplitMix64(seed: 99)
    var first = 0
    return (0..<Int(end * rate)).map { index in
      let time = Double(index) / rate
      while first < beats.count, beats[first] < time - 1 { first += 1 }
      var value = 0.2 * sin(2 * .pi * 0.25 * time) + hum * sin(2 * .pi * 50 * time)
      for beat in beats[first...].prefix(while: { $0 < time + 0.5 }) {
        for (place, width, height) in bells {
          let distance = (time - beat - place) / width
          if distance.magnitude < 6 { value += height * exp(-0.5 * distance * distance) }
        }
      }
      value += noise * 3.46 * (random.uniform() - 0.5)
      return isInverted ? -value : value
    }
  }

  @Test(
    "Each peak of 5 minutes is found within 20 ms of it, none is missed, none is false, and the times are true to 2 ms",
    arguments: [
      (250.0, 0.01, 0.0, false), (250, 0.02, 0.1, false), (500, 0.05, 0, false), (1000, 0.02, 0, true),
      (130, 0.02, 0.05, false),
    ])
  func triggers(rate: Double, noise: Double, hum: Double, isInverted: Bool) throws {
    let beats = Self.beats(seed: 5, until: 300)
    let signal = Self.electrocardiogram(
      of: beats, rate: rate, until: 300, noise: noise, hum: hum, isInverted: isInverted)
    var trigger = RPeakTrigger(rate: rate)
    let found = signal.enumerated().compactMap { trigger.take($1, at: Double($0) / rate) }
    let first = try #require(found.first)
    #expect(first.peak < 12)
    let expected = beats.filter { $0 >= first.peak - 0.1 && $0 < 299.9 }
    #expect(found.count == expected.count)
    let errors = zip(found, expected).map { $0.peak - $1 }
    let mean = errors.reduce(0, +) / Double(errors.count)
    let deviation = (errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(errors.count)).squareRoot()
    #expect(mean.magnitude < 0.002 && deviation < 0.002, "\(mean) \(deviation)")
    #expect(zip(found, expected).allSatisfy { $0.found - $1 < 0.02 })
  }

  @Test("After a gap in the signal no trigger comes before the signal has begun again")
  func gap() {
    let beats = Self.beats(seed: 5, until: 60)
    let signal = Self.electrocardiogram(of: beats, rate: 250, until: 60, noise: 0.01, hum: 0, isInverted: false)
    var trigger = RPeakTrigger(rate: 250)
    let found = signal.enumerated().compactMap { index, value in
      (30..<35).contains(index / 250) ? nil : trigger.take(value, at: Double(index) / 250)
    }
    #expect(found.allSatisfy { !(29.99..<35).contains($0.peak) } && found.contains { $0.peak > 36 })
  }

  @Test("A beat is predicted within 1.1 of the error of the best predictor", arguments: [1, 2, 3, 4] as [UInt64])
  func predictions(seed: UInt64) throws {
    let beats = Self.beats(seed: seed, until: 600)
    let intervals = zip(beats, beats.dropFirst()).map { $1 - $0 }
    func error(_ methods: [BeatPredictor.Method]) -> Double {
      var predictor = BeatPredictor(methods)
      var squares: [Double] = []
      for (index, interval) in intervals.enumerated() {
        if index >= 60, let next = predictor.next { squares.append((next - interval) * (next - interval)) }
        predictor.add(interval)
      }
      return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    }
    let best = try #require(BeatPredictor.Method.all.map { error([$0]) }.min())
    let chosen = error(BeatPredictor.Method.all)
    #expect(chosen <= 1.1 * best, "\(chosen) \(best)")
  }

  @Test("An interval that no heart has breaks the chain, and the next ones are predicted again")
  func interrupted() {
    var predictor = BeatPredictor()
    for _ in 0..<20 { predictor.add(0.8) }
    #expect(predictor.next.map { abs($0 - 0.8) < 0.001 } == true)
    predictor.add(7)
    #expect(predictor.next == nil)
    predictor.add(0.9)
    #expect(predictor.next.map { (0.5...1.2).contains($0) } == true)
  }
}
