import Basics
import Glibc

/// A sinus node that beats like a healthy adult's at rest: an integral pulse frequency modulator.
///
/// The IPFM model (Bayly 1968; Berger, Akselrod, Gordon and Cohen 1986) integrates the instantaneous rate and beats
/// whenever the integral has grown by one. The rate here is `rate · (1 + m(t)) + response(t)`, where the modulation `m`
/// sums
/// - respiratory sinus arrhythmia: a sine at the breathing frequency (0.25 Hz by default), which drifts slowly;
/// - the Mayer wave: a sine near 0.1 Hz, which drifts as well;
/// - noise whose spectrum falls roughly as 1/f: three first-order autoregressive processes with time constants of 2, 20
///   and 200 s and equal variances.
///
/// The strengths of the three differ between seeds by up to a quarter. They give five minutes at rest an SDNN and an
/// RMSSD within the ranges that Nunan, Sandercock and Brodie (2010) found in studies of healthy adults: 32 to 93 ms and
/// 19 to 75 ms. A stimulus changes the rate by `Settings.response` with a delay of 1 s and time constants of 6 s
/// after its onset and 12 s after its offset, the order in which the sympathetic branch acts.
///
/// The same settings give the same beats: SplitMix64 generates all random numbers.
package struct SimulatedHeart: Sendable {
  /// The parameters of a heart.
  package struct Settings: Hashable, Sendable {
    /// The seed of the random numbers.
    var seed: UInt64
    /// The mean rate at rest, in beats per minute.
    var rate: Double
    /// The strength of the variability: 1 is typical, 0 is a metronome.
    var variability: Double
    /// The breathing frequency, in hertz.
    var respiration: Double
    /// The final change of the rate during a stimulus, in beats per minute; negative slows the heart.
    var response: Double

    /// Creates settings.
    package init(
      seed: UInt64 = 1, rate: Double = 66, variability: Double = 1, respiration: Double = 0.25, response: Double = 4
    ) {
      self.seed = seed
      self.rate = rate
      self.variability = variability
      self.respiration = respiration
      self.response = response
    }
  }

  private static let step = 0.01

  private let settings: Settings
  private var random: SplitMix64
  private let strengths: (respiratory: Double, mayer: Double, noise: Double)
  private var waves: (respiratory: Wave, mayer: Wave)
  private var drifts = (respiratory: 0.0, mayer: 0.0)
  private var noises: (Double, Double, Double)
  private var noise = 0.0
  private var steps = 0
  private var integral = 0.0
  private var changes: [(time: Double, isSounding: Bool)] = []
  private var isSounding = false
  private var responded = 0.0

  /// Creates a heart at time 0, between two beats.
  package init(_ settings: Settings = Settings()) {
    self.settings = settings
    random = SplitMix64(seed: settings.seed)
    func strength(_ usual: Double, _ random: inout SplitMix64) -> Double {
      usual * settings.variability * (0.75 + 0.5 * random.uniform())
    }
    strengths = (strength(0.044, &random), strength(0.038, &random), strength(0.03, &random))
    waves = (Wave(phase: random.uniform()), Wave(phase: random.uniform()))
    noises = (random.normal(), random.normal(), random.normal())
    integral = random.uniform()
  }

  /// Notifies the heart that a stimulus begins or ends at a time in seconds; a time in the past means now.
  mutating func stimulusChanged(isSounding: Bool, at time: Double) {
    changes.append((time, isSounding))
    changes.sort { $0.time < $1.time }
  }

  /// The next beat up to a time, both in seconds since the heart's beginning; `nil` if there is none.
  package mutating func nextBeat(until end: Double) -> Double? {
    while Double(steps + 1) * Self.step <= end {
      let before = integral
      let rate = advance()
      integral += rate / 60 * Self.step
      let start = Double(steps) * Self.step
      steps += 1
      if integral >= 1 {
        integral -= 1
        return start + Self.step * (1 - before) / (integral + 1 - before)
      }
    }
    return nil
  }

  /// Advances by one step.
  ///
  /// - Returns: the rate in that step, in beats per minute.
  private mutating func advance() -> Double {
    let step = Self.step
    // Slow drifts are updated every 0.2 s; the stationary variance of each is 1.
    if steps % 20 == 0 {
      Self.drift(&drifts.respiratory, over: 30, &random)
      Self.drift(&drifts.mayer, over: 30, &random)
      Self.drift(&noises.0, over: 2, &random)
      Self.drift(&noises.1, over: 20, &random)
      Self.drift(&noises.2, over: 200, &random)
      noise = strengths.noise * (noises.0 + noises.1 + noises.2) / 1.732
      waves.respiratory.goOn(by: settings.respiration * (1 + 0.06 * drifts.respiratory) * step)
      waves.mayer.goOn(by: 0.1 * (1 + 0.08 * drifts.mayer) * step)
    }
    let modulation =
      strengths.respiratory * waves.respiratory.next() + strengths.mayer * waves.mayer.next() + noise
    let rate = settings.rate * (1 + modulation) + respond()
    return min(max(rate, 25), 240)
  }

  /// The stimulus's contribution to the rate: a first-order response, in beats per minute.
  private mutating func respond() -> Double {
    let now = Double(steps) * Self.step
    while let change = changes.first, change.time + 1 <= now {
      isSounding = change.isSounding
      changes.removeFirst()
    }
    responded += ((isSounding ? settings.response : 0) - responded) * Self.step / (isSounding ? 6 : 12)
    return responded
  }

  /// Advances a first-order autoregressive process with the given time constant (in seconds) by 0.2 s.
  private static func drift(_ value: inout Double, over constant: Double, _ random: inout SplitMix64) {
    let kept = 1 - 0.2 / constant
    value = kept * value + (1 - kept * kept).squareRoot() * random.normal()
  }
}

/// A sine that goes on in equal steps; between changes of its frequency each value follows from the one before by a rotation,
/// which costs far less than a sine.
private struct Wave: Sendable {
  private var phase: Double
  private var change = 0.0
  private var point = (sine: 0.0, cosine: 1.0)
  private var rotation = (sine: 0.0, cosine: 1.0)

  init(phase: Double) { self.phase = phase }

  /// Goes on by so many turns a step from now on.
  mutating func goOn(by turns: Double) {
    change = turns
    point = (sin(2 * .pi * phase), cos(2 * .pi * phase))
    rotation = (sin(2 * .pi * turns), cos(2 * .pi * turns))
  }

  /// The value after the next step.
  mutating func next() -> Double {
    phase += change
    if phase >= 1 { phase -= 1 }
    point = (
      point.sine * rotation.cosine + point.cosine * rotation.sine,
      point.cosine * rotation.cosine - point.sine * rotation.sine
    )
    return point.sine
  }
}
