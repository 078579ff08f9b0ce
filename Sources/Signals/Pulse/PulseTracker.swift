import Glibc

/// Follows the pulse in the colours of a film: finds it, gives its beats while it is there, and nothing else.
///
/// The relative changes of each colour around its course over two seconds are the pulse wave; its beats are found by
/// `PulseDetector` and judged by `PulseJudge`. A pulse is there once three beats in a row are judged to be one. It is
/// lost when three of five beats are unlike the others, or none comes.
package struct PulseTracker: Sendable {
  /// What a picture leads to.
  package enum Output: Hashable, Sendable {
    /// A beat: its time and the interval since the beat before in seconds, and the colour in which they were found.
    case beat(time: Double, interval: Double, colour: PulseColour)
    /// The gap was so long that tracking began again.
    case gap
  }

  /// The number of samples per second to which pictures are converted, in Hz.
  static let rate = 50.0
  /// The cutoff of the low-pass before the detector, in Hz.
  static let cutoff = 5.0
  /// Pictures further apart, in seconds, are a gap.
  static let maxStep = 0.4
  /// In how many decibels another colour has to be better, and for how many beats, before it is taken.
  static let margin = 3.0
  static let patience = 6

  private let colours: [PulseColour]
  private var sampling = EvenSampling(rate: rate, maxStep: maxStep)
  private var lowPass = SymmetricFilter.lowPass(cutoff: cutoff / rate, delay: 10)
  private var baseline = SymmetricFilter.baseline(width: Int(rate) + 1)
  /// The low-passed samples for which the baseline is not known yet.
  private var waiting: [SIMD4<Double>] = []
  private var start: Double?
  private var traces: [Trace]
  private var active: Int?
  private var betterBeats = 0
  /// The time of the latest beat that was given, in seconds.
  private var lastBeat = -Double.infinity

  /// Creates a tracker.
  ///
  /// - Parameter colours: the colours in which the pulse is looked for; with several, the one with the best
  ///   signal-to-noise ratio is taken.
  package init(_ colours: [PulseColour]) {
    precondition(!colours.isEmpty, "a pulse is looked for in one colour at least")
    self.colours = colours
    traces = colours.map { Trace($0, rate: Self.rate) }
  }

  /// The longest time from a beat to its detection, in seconds.
  package var delay: Double {
    let slowest = traces.map { $0.mixture.delay + $0.detector.delay }.max() ?? 0
    return Double(lowPass.delay + baseline.delay + slowest) / Self.rate + 2 / 30
  }

  /// The colour in which the pulse is; `nil` where there is none.
  package var colour: PulseColour? { active.map { colours[$0] } }

  /// The mean correlation of the latest beats with their average, from 0 to 1, in the colour of the pulse, else in the
  /// best one; 0 where there are no beats.
  package var quality: Double {
    active.map { traces[$0].correlation } ?? traces.map(\.correlation).max() ?? 0
  }

  /// Takes a picture's colours: red, green and blue, above zero.
  ///
  /// - Parameters:
  ///   - colours: the means of red, green and blue in any unit.
  ///   - time: its time in seconds.
  /// - Returns: the beats that it completes, or that it came after a gap.
  package mutating func take(_ colours: SIMD4<Double>, at time: Double) -> [Output] {
    switch sampling.take(EvenSampling.Sample(time: time, values: colours)) {
    case .gap:
      reset()
      return [.gap]
    case .samples(let samples): return samples.flatMap { take($0) }
    }
  }

  private mutating func take(_ sample: EvenSampling.Sample) -> [Output] {
    if start == nil { start = sample.time }
    guard let smooth = lowPass.take(sample.values) else { return [] }
    waiting.append(smooth)
    guard let base = baseline.take(smooth) else { return [] }
    let middle = waiting[waiting.count - 1 - baseline.delay]
    if waiting.count > 4 * baseline.delay { waiting.removeFirst(waiting.count - 2 * baseline.delay) }
    let change = middle / base.replacing(with: 1, where: base .<= 0) - 1
    var outputs: [Output] = []
    for index in traces.indices {
      guard let value = traces[index].mixture.take(change) else { continue }
      for beat in traces[index].detector.take(value) {
        let delay = lowPass.delay + baseline.delay + traces[index].mixture.delay
        let time = (start ?? 0) + (beat.place + Double(delay)) / Self.rate
        let intervals = traces[index].take(beat, at: time)
        choose(after: index)
        // Another colour may have shown the same beats before.
        let least = PulseJudge.intervals.lowerBound
        for interval in intervals where index == active && interval.upperBound > lastBeat + least {
          lastBeat = interval.upperBound
          outputs.append(
            .beat(time: lastBeat, interval: lastBeat - interval.lowerBound, colour: colours[index]))
        }
      }
      traces[index].expire(at: sample.time - delay)
    }
    if let place = active, !traces[place].isLocked { choose(after: place) }
    return outputs
  }

  /// Chooses the colour of the pulse after a beat in one of them.
  private mutating func choose(after index: Int) {
    let locked = traces.indices.filter { traces[$0].isLocked }
    let best = locked.max { traces[$0].correlation < traces[$1].correlation }
    guard let place = active, traces[place].isLocked else {
      (active, betterBeats) = (best, 0)
      return
    }
    guard index == place, let best else { return }
    betterBeats = traces[best].decibels > traces[place].decibels + Self.margin ? betterBeats + 1 : 0
    guard betterBeats >= Self.patience else { return }
    (active, betterBeats) = (best, 0)
  }

  private mutating func reset() {
    lowPass.reset()
    baseline.reset()
    (waiting, start, active, betterBeats, lastBeat) = ([], nil, nil, 0, -.infinity)
    traces = colours.map { Trace($0, rate: Self.rate) }
  }
}

/// One colour's pulse wave, and whether it is a pulse.
private struct Trace: Sendable {
  var mixture: PulseMixture
  var detector: PulseDetector
  private var judge: PulseJudge
  /// The mean correlation of the latest beats.
  private(set) var correlation = 0.0
  private(set) var isLocked = false
  /// The number of judgements in a row that have to find a pulse.
  static let streak = 3
  private var streak = 0
  /// Whether each of the latest five beats was like the others.
  private var likes: [Bool] = []
  private var lastTime: Double?
  private var lastInterval = 1.0

  init(_ colour: PulseColour, rate: Double) {
    mixture = PulseMixture(colour, rate: rate)
    detector = PulseDetector(rate: rate)
    judge = PulseJudge(rate: rate)
  }

  /// The signal-to-noise ratio in decibels: that of a beat whose correlation with the average is that.
  var decibels: Double {
    let power = min(0.9999, correlation * correlation)
    return 10 * log10(max(1e-4, power / (1 - power)))
  }

  /// Takes a beat.
  ///
  /// - Returns: the intervals between beats that are known now to belong to a pulse: their times in seconds.
  mutating func take(_ beat: PulseDetector.Beat, at time: Double) -> [Range<Double>] {
    guard let findings = judge.take(beat, at: time), let time = findings.time else { return [] }
    correlation = findings.correlation
    let before = lastTime
    lastTime = time
    streak = findings.isPulse ? streak + 1 : 0
    let isLike = findings.isPulse || findings.continues
    likes = likes.suffix(4) + [isLike]
    guard isLocked else {
      guard streak >= Self.streak else { return [] }
      (isLocked, likes) = (true, [true, true, true])
      return findings.intervals
    }
    guard likes.count(where: { !$0 }) < 3 else {
      unlock()
      return []
    }
    // After an unlike beat two that are alike have to come; the interval between them is known.
    guard likes.suffix(2) == [true, true], findings.isAdjacent, let before else { return [] }
    lastInterval = time - before
    return [before..<time]
  }

  /// Ends a pulse of which nothing has come for long.
  mutating func expire(at time: Double) {
    guard let last = lastTime, time - last > max(1.5, 2.2 * lastInterval) else { return }
    unlock()
    judge.reset()
    (correlation, lastTime) = (0, nil)
  }

  private mutating func unlock() { (isLocked, streak, likes) = (false, 0, []) }
}
