import Basics
import Quantities
import Testing

@testable import Sound

@Suite("Noise and levels")
struct LevelTests {
  @Test("Pink noise has −23 LUFS, the same samples each time, and no more peak than a volume step leaves room for")
  func noise() throws {
    let format = SoundFormat(sampleRate: 48_000, channels: 2)
    let noise = Stimulus.pinkNoise(format, lasting: .seconds(12))
    let measured = Self.loudness(of: noise)
    #expect(abs(try #require(measured?.integrated) + 23) < 0.1)
    #expect(try #require(measured?.truePeak) < -9, "\(String(describing: measured?.truePeak)) dBTP")
    #expect(noise.duration == .seconds(12))
    #expect(
      Array(Stimulus.pinkNoise(format, lasting: .seconds(1)).samples.prefix(500))
        == Array(Stimulus.pinkNoise(format, lasting: .seconds(1)).samples.prefix(500)))
    let louder = Self.loudness(of: noise.amplified(decibels: 6))
    #expect(abs(try #require(louder?.integrated) + 17) < 0.1)
  }

  @Test("Noise of one side is silent on the other", arguments: [0, 1])
  func side(channel: Int) {
    let noise = Stimulus.pinkNoise(SoundFormat(sampleRate: 8000, channels: 2), lasting: .seconds(1), onlyIn: channel)
    let samples = Array(noise.samples)
    #expect(samples.indices.allSatisfy { $0 % 2 == channel || samples[$0] == 0 })
    #expect(samples.contains { $0.magnitude > 0.01 })
  }

  private static func loudness(of sound: Stimulus) -> Loudness? {
    guard var meter = LoudnessMeter(sound.format) else { return nil }
    meter.add(Array(sound.samples))
    return meter.loudness
  }

  private static func control(
    _ integrated: Double?, peak: Double?, gain: Double = 0, chosen: Double?, calibrated: Double? = nil
  ) -> LevelControl {
    var control = LevelControl()
    control.loudness = Loudness(integrated: integrated, truePeak: peak)
    (control.gain, control.chosen, control.calibrated) = (gain, chosen, calibrated)
    return control
  }

  @Test("Nothing chosen through a speaker that is not calibrated leaves no level")
  func nothing() { #expect(Self.control(-20, peak: -3, chosen: nil).level == nil) }

  @Test(
    "A chosen gain is applied as far as it does not clip",
    arguments: [
      (-20, -3, 0, -12, -12, false), (-20, -3, 0, 2, 2, false), (-20, -3, 0, 2.5, 2, true),
      (-20, -3, -4, 6, 6, false), (-20, -3, -4, 7, 6, true), (-20, 0.5, 0, 3, 0, true), (-20, 0.5, 0, -3, -3, false),
    ] as [(Double, Double, Double, Double, Double, Bool)])
  func clipping(integrated: Double, peak: Double, gain: Double, chosen: Double, played: Double, isLimited: Bool) {
    let level = Self.control(integrated, peak: peak, gain: gain, chosen: chosen).level
    #expect(level?.volume == played && level?.isLimitedByPeak == isLimited)
    #expect(level?.level == nil && level?.isLimitedByLevel == false)
  }

  @Test(
    "The level is that of the calibration, with the gains and the difference of loudness, and stays below its maximum",
    arguments: [
      (-23, 0, nil, 68.5, 68.5, 0), (-20, 0, nil, 68.5, 71.5, 0), (-20, -3, nil, 68.5, 68.5, 0),
      (-23, 0, -10, 68.5, 58.5, -10), (-23, 0, 10, 80, 85, 5), (-10, 0, nil, 80, 85, -8),
    ] as [(Double, Double, Double?, Double, Double, Double)])
  func level(
    integrated: Double, gain: Double, chosen: Double?, calibrated: Double, level: Double, volume: Double
  ) throws {
    let played = try #require(
      Self.control(integrated, peak: -40, gain: gain, chosen: chosen, calibrated: calibrated).level)
    #expect(abs(try #require(played.level) - level) < 1e-9 && abs(played.volume - volume) < 1e-9)
    #expect(played.isLimitedByLevel == (level == 85))
  }

  @Test("Noise is no louder than the maximum through a calibrated speaker")
  func noiseLimit() {
    #expect(Self.control(nil, peak: nil, chosen: nil, calibrated: 80).highestNoise == 5)
    #expect(Self.control(nil, peak: nil, chosen: nil).highestNoise == .infinity)
  }

  @Test("Speech and tones keep to the highest level of a calibrated speaker", arguments: [nil, 60.0, 82, 85, 95])
  func speechAndTones(calibrated: Double?) throws {
    var control = LevelControl()
    (control.calibrated, control.maximum) = (calibrated, 85)
    #expect(control.speechGain == (calibrated == 95 ? -10 : 0))
    #expect(control.toneGain == (calibrated == 95 ? -13 : calibrated == 85 ? -3 : 0))
    // How loud a tone is, without its ramps.
    let format = SoundFormat(sampleRate: 48_000, channels: 2)
    let tone = Stimulus.tone(format, duration: .seconds(3))
    let loudness = Self.loudness(of: tone)?.integrated
    #expect((-21 ... -19.9).contains(try #require(loudness)))
  }
}
