import Basics
import Study

extension Stimulus {
  /// Pink noise, the same at every call and in every channel, or in one alone, at a measured −23 LUFS before the gain in
  /// decibels; what is longer than its period repeats.
  package static func pinkNoise(
    _ format: SoundFormat, gain: Double = 0, lasting duration: Duration, onlyIn channel: Int? = nil
  ) -> Stimulus {
    let frames = format.frames(in: min(duration, noisePeriod))
    var samples = pink(frames)
    if var meter = LoudnessMeter(SoundFormat(sampleRate: format.sampleRate, channels: 1)) {
      meter.add(samples)
      let measured = meter.loudness.integrated ?? Speech.target.integrated
      amplify(&samples, decibels: Speech.target.integrated - measured + gain)
    }
    if format.channels > 1 { samples = samples.flatMap { [Float](repeating: $0, count: format.channels) } }
    if let channel { for index in samples.indices where index % format.channels != channel { samples[index] = 0 } }
    let ramp = format.frames(in: .milliseconds(20))
    let whole = StimulusSamples(samples, channels: format.channels, frames: format.frames(in: duration))
    return Stimulus(sampleRate: format.sampleRate, whole.rising(over: ramp).falling(over: ramp))
  }

  /// The noise repeats after this.
  private static let noisePeriod = Duration.seconds(10)

  /// White noise through Kellet's filter, which falls by 3 dB an octave to within 0.05 dB above 9 Hz at 44.1 kHz.
  private static func pink(_ count: Int) -> [Float] {
    var random = SplitMix64(seed: 23)
    let poles = [0.99886, 0.99332, 0.96900, 0.86650, 0.55000, -0.7616]
    let gains = [0.0555179, 0.0750759, 0.1538520, 0.3104856, 0.5329522, -0.0168980]
    var states = [Double](repeating: 0, count: poles.count)
    var delayed = 0.0
    return (0..<count).map { _ in
      let white = 2 * random.uniform() - 1
      var sum = delayed + white * 0.5362
      for index in states.indices {
        states[index] = poles[index] * states[index] + white * gains[index]
        sum += states[index]
      }
      delayed = white * 0.115926
      return Float(0.1 * sum)
    }
  }
}
