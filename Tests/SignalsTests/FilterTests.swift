import Foundation
import Testing

@testable import Signals

@Suite("Even sampling and filters")
struct FilterTests {
  /// The even samples of a sine of 1 Hz that was taken at uneven times.
  private static func sampled(rate: Double, jitter: Double, at even: Double) -> [EvenSampling.Sample] {
    var sampling = EvenSampling(rate: even, maxStep: 0.4)
    var (samples, time, turn): ([EvenSampling.Sample], Double, Double) = ([], 0, 0)
    while time < 10 {
      let value = sin(2 * .pi * time)
      if case .samples(let more) = sampling.take(.init(time: time, values: SIMD4(repeating: value))) { samples += more }
      turn += 1
      time += (1 + jitter * sin(turn * 2.7)) / rate
    }
    return samples
  }

  @Test(
    "A sine taken at uneven times is the same sine at even ones",
    arguments: [(30.0, 0.0, 0.003), (30, 0.4, 0.006), (20, 0.2, 0.02), (60, 0.3, 0.02), (240, 0, 0.02)])
  func interpolation(rate: Double, jitter: Double, tolerance: Double) {
    let samples = Self.sampled(rate: rate, jitter: jitter, at: 50)
    #expect(samples.count > 480)
    for (before, after) in zip(samples, samples.dropFirst()) { #expect(abs(after.time - before.time - 0.02) < 1e-9) }
    for sample in samples.dropFirst(5) {
      #expect(abs(sample.values.x - sin(2 * .pi * sample.time)) < tolerance, "at \(sample.time)")
    }
  }

  @Test("A sample that is not later than the one before is left out, and a long step is a gap")
  func steps() {
    var sampling = EvenSampling(rate: 10, maxStep: 0.5)
    func take(_ time: Double) -> EvenSampling.Output { sampling.take(.init(time: time, values: .one)) }
    #expect(take(0) == .samples([]))
    #expect(take(0) == .samples([]))
    #expect(take(-1) == .samples([]))
    #expect(take(0.6) == .gap)
    #expect(take(0.65) == .samples([]))
  }

  /// The gain of a filter at a frequency, as a fraction of the sampling rate.
  private static func gain(_ filter: SymmetricFilter, at frequency: Double) -> Double {
    let half = filter.delay
    return filter.weights.enumerated().reduce(0) {
      $0 + $1.element * cos(2 * .pi * frequency * Double($1.offset - half))
    }
  }

  @Test("The low-pass has unit gain at 0 Hz, one half at its cutoff, and nearly none beyond")
  func lowPass() {
    let filter = SymmetricFilter.lowPass(cutoff: 0.1, delay: 20)
    #expect(abs(Self.gain(filter, at: 0) - 1) < 1e-12)
    #expect(abs(Self.gain(filter, at: 0.1) - 0.5) < 0.01)
    #expect(abs(Self.gain(filter, at: 0.2)) < 0.005)
  }

  @Test("The baseline is the product of two moving averages")
  func baseline() {
    let filter = SymmetricFilter.baseline(width: 51)
    func average(_ frequency: Double) -> Double { sin(51 * .pi * frequency) / (51 * sin(.pi * frequency)) }
    for frequency in [0.005, 0.01, 0.015, 0.03] {
      #expect(abs(Self.gain(filter, at: frequency) - average(frequency) * average(frequency)) < 1e-12)
    }
  }

  @Test("A filter gives one output for each input after its delay, and forgets everything on request")
  func streaming() throws {
    var filter = SymmetricFilter.lowPass(cutoff: 0.1, delay: 3)
    for turn in 0..<40 {
      let output = filter.take(SIMD4(repeating: Double(turn)))
      #expect((output == nil) == (turn < 6))
      // A straight line goes through a symmetric filter unchanged.
      if let output { #expect(abs(output.x - Double(turn - 3)) < 1e-9) }
    }
    filter.reset()
    #expect(filter.take(.one) == nil)
  }
}
