import Foundation
import Study
import Testing

@testable import Sound

/// Cases of EBU Tech 3341 (2016), "Loudness Metering: 'EBU Mode' metering", and ITU-R BS.2217; tolerance ±0.1 LU.
@Suite("Loudness")
struct LoudnessTests {
  private struct Refused: Error {}

  private func sine(_ parts: [(level: Double, seconds: Double)], frequency: Double = 1000, rate: Int = 48_000)
    -> [Float]
  {
    var samples: [Float] = []
    for (level, seconds) in parts {
      let amplitude = pow(10, level / 20)
      for frame in 0..<Int(seconds * Double(rate)) {
        let value = Float(amplitude * sin(2 * .pi * frequency * Double(frame) / Double(rate)))
        samples += [value, value]
      }
    }
    return samples
  }

  private func measure(_ samples: [Float], rate: Int = 48_000, channels: Int = 2, piece: Int = 4800) throws -> Loudness
  {
    guard var meter = LoudnessMeter(SoundFormat(sampleRate: rate, channels: channels)) else { throw Refused() }
    for start in stride(from: 0, to: samples.count, by: piece * channels) {
      meter.add(Array(samples[start..<min(start + piece * channels, samples.count)]))
    }
    return meter.loudness
  }

  @Test(
    "Integrated loudness of EBU Tech 3341's stereo sine cases 1 to 5",
    arguments: [
      ([(-23, 20)], -23.0),
      ([(-33, 20)], -33.0),
      ([(-36, 10), (-23, 60), (-36, 10)], -23.0),
      ([(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)], -23.0),
      ([(-26, 20), (-20, 20.1), (-26, 20)], -23.0),
    ] as [([(Double, Double)], Double)])
  func integrated(parts: [(Double, Double)], expected: Double) throws {
    let loudness = try measure(sine(parts.map { (level: $0.0, seconds: $0.1) }))
    #expect(abs(try #require(loudness.integrated) - expected) <= 0.1)
  }

  @Test(
    "It is the same at every sample rate and in any pieces", arguments: [(44_100, 1), (22_050, 999), (48_000, 48_000)])
  func rates(rate: Int, piece: Int) throws {
    let loudness = try measure(sine([(-23, 5)], rate: rate), rate: rate, piece: piece)
    #expect(abs(try #require(loudness.integrated) + 23) <= 0.1)
  }

  @Test("One channel is as loud as the two loudspeakers that play it")
  func mono() throws {
    let both = sine([(-20, 5)])
    let loudness = try measure(TestSound.channel(0, of: 2, in: both), channels: 1)
    #expect(abs(try #require(loudness.integrated) - (try #require(try measure(both).integrated))) <= 0.01)
    #expect(abs(try #require(loudness.integrated) + 20) <= 0.1)
  }

  /// EBU Tech 3341, cases 15 to 19: sines at a quarter, a sixth and an eighth of the rate whose samples miss the peak;
  /// tolerance +0.2 and −0.4 dB.
  @Test(
    "True peak finds what lies between the samples",
    arguments: [(4.0, 0.0, -6.0), (4, 45, -6), (6, 60, -6), (8, 67.5, -6), (4, 45, 3)])
  func truePeak(divisor: Double, phase: Double, level: Double) throws {
    let amplitude = pow(10, level / 20)
    var samples: [Float] = []
    for frame in 0..<96_000 {
      let ramp = min(1, Double(frame) / 4800)
      let value = Float(ramp * amplitude * sin(2 * .pi * Double(frame) / divisor + phase * .pi / 180))
      samples += [value, value]
    }
    let peak = try #require(try measure(samples).truePeak)
    #expect(peak <= level + 0.2 && peak >= level - 0.4)
  }

  @Test("Silence and what is too short have no loudness")
  func silence() throws {
    #expect(try measure([Float](repeating: 0, count: 96_000)) == Loudness(integrated: nil, truePeak: nil))
    #expect(try measure(sine([(-20, 0.3)])).integrated == nil)
    #expect(throws: Refused.self) { try measure([0, 0], rate: 0) }
  }

  @Test("The gain reaches the target, unless the true peak forbids it")
  func gain() {
    let target = LoudnessTarget(integrated: -23, truePeakLimit: -1)
    let soft = Loudness(integrated: -30, truePeak: -12).gain(to: target)
    #expect(soft == LoudnessGain(decibels: 7, wanted: 7))
    #expect(soft?.isLimited == false)
    let peaky = Loudness(integrated: -30, truePeak: -5).gain(to: target)
    #expect(peaky == LoudnessGain(decibels: 4, wanted: 7))
    #expect(peaky?.isLimited == true)
    #expect(Loudness(integrated: -10, truePeak: 0.5).gain(to: target)?.decibels == -13)
    #expect(Loudness(integrated: nil, truePeak: -12).gain(to: target) == nil)
  }
}
