import Basics
import Testing

@testable import Sensors

@Suite("A simulated heart")
struct SimulatedHeartTests {
  private func intervals(_ settings: SimulatedHeart.Settings, seconds: Double) -> [Double] {
    var heart = SimulatedHeart(settings)
    var beats: [Double] = []
    while let beat = heart.nextBeat(until: seconds) { beats.append(beat) }
    return zip(beats, beats.dropFirst()).map { ($1 - $0) * 1000 }
  }

  // Nunan, Sandercock and Brodie (2010), healthy adults, five minutes at rest: ranges of the studies' means.
  @Test("has the variability of a healthy adult at rest, whoever it is", arguments: 1...60 as ClosedRange<UInt64>)
  func plausible(seed: UInt64) {
    let rr = intervals(.init(seed: seed), seconds: 300)
    let rate = 60_000 / HeartMeasures.mean(rr)
    #expect(abs(rate - 66) < 4, "rate \(rate)")
    #expect((32.0...93).contains(HeartMeasures.sdnn(rr)), "SDNN \(HeartMeasures.sdnn(rr))")
    #expect((19.0...75).contains(HeartMeasures.rmssd(rr)), "RMSSD \(HeartMeasures.rmssd(rr))")
    #expect(rr.allSatisfy { (500.0...1500).contains($0) })
  }

  @Test("breathes at the frequency that was asked for", arguments: [0.18, 0.25, 0.33], [1, 2, 3, 4, 5] as [UInt64])
  func breathing(respiration: Double, seed: UInt64) {
    let rr = intervals(.init(seed: seed, respiration: respiration), seconds: 300)
    #expect(abs(HeartMeasures.peak(rr, in: 0.15...0.4) - respiration) < 0.04)
  }

  @Test("has a Mayer wave near 0.1 Hz", arguments: 1...10 as ClosedRange<UInt64>)
  func mayer(seed: UInt64) {
    #expect(abs(HeartMeasures.peak(intervals(.init(seed: seed), seconds: 300), in: 0.06...0.15) - 0.1) < 0.03)
  }

  @Test("beats like a metronome without variability", arguments: [40.0, 66, 120])
  func metronome(rate: Double) {
    let rr = intervals(.init(rate: rate, variability: 0, response: 0), seconds: 60)
    #expect(rr.allSatisfy { abs($0 - 60_000 / rate) < 1e-6 })
  }

  @Test("keeps its rate for a day")
  func day() {
    let rr = intervals(.init(seed: 3, rate: 60), seconds: 86_400)
    #expect(abs(60_000 / HeartMeasures.mean(rr) - 60) < 1)
  }

  @Test("beats the same for the same seed, and differently for another")
  func seeds() {
    #expect(intervals(.init(seed: 9), seconds: 100) == intervals(.init(seed: 9), seconds: 100))
    #expect(intervals(.init(seed: 9), seconds: 100) != intervals(.init(seed: 10), seconds: 100))
  }

  @Test("does not depend on how far it is asked for at once")
  func pieces() {
    var whole = SimulatedHeart(.init(seed: 4))
    var pieces = SimulatedHeart(.init(seed: 4))
    var expected: [Double] = []
    while let beat = whole.nextBeat(until: 60) { expected.append(beat) }
    var beats: [Double] = []
    for end in stride(from: 0.37, through: 60.3, by: 0.37) {
      while let beat = pieces.nextBeat(until: min(end, 60)) { beats.append(beat) }
    }
    #expect(beats == expected)
  }

  @Test("answers a stimulus in the direction and size asked for, and recovers", arguments: [8.0, -6])
  func response(size: Double) {
    func rates(_ sounds: Bool) -> (before: Double, during: Double, after: Double) {
      var heart = SimulatedHeart(.init(seed: 5, response: size))
      if sounds {
        heart.stimulusChanged(isSounding: true, at: 60)
        heart.stimulusChanged(isSounding: false, at: 120)
      }
      var beats: [Double] = []
      while let beat = heart.nextBeat(until: 240) { beats.append(beat) }
      func rate(_ range: Range<Double>) -> Double {
        let inside = beats.filter(range.contains)
        return 60 * Double(inside.count - 1) / (inside[inside.count - 1] - inside[0])
      }
      return (rate(10..<60), rate(85..<120), rate(180..<240))
    }
    let (with, without) = (rates(true), rates(false))
    #expect(with.before == without.before)
    #expect(abs(with.during - without.during - size) < 1)
    #expect(abs(with.after - without.after) < 0.7)
  }

  @Test("answers gradually: a third after some three seconds, most after fifteen")
  func gradual() {
    var heart = SimulatedHeart(.init(rate: 60, variability: 0, response: 10))
    heart.stimulusChanged(isSounding: true, at: 10)
    var beats: [Double] = []
    while let beat = heart.nextBeat(until: 60) { beats.append(beat) }
    func rate(at time: Double) -> Double {
      let next = beats.firstIndex { $0 > time } ?? 1
      return 60 / (beats[next] - beats[next - 1])
    }
    #expect(abs(rate(at: 10) - 60) < 0.5)
    #expect((62.0...65).contains(rate(at: 13.5)))
    #expect((68.0...70).contains(rate(at: 26)))
  }

  // The first values of SplitMix64 with seed 1234567, from the reference implementation at prng.di.unimi.it.
  @Test("draws from SplitMix64")
  func generator() {
    var random = SplitMix64(seed: 1_234_567)
    #expect(
      (0..<5).map { _ in random.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
      ])
  }
}
