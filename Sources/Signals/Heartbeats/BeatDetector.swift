/// Finds the heartbeats in one channel of a waveform, live or afterwards alike.
///
/// Frames may be missing or not finite: up to `maxHole` is bridged by a line, and after more the detection begins again,
/// with the heights that it has learned. Memory and the work for each sample are bounded.
package struct BeatDetector: Sendable {
  /// What is in the waveform.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An electrocardiogram, whose R peaks are found (``RPeakDetector``).
    case electrocardiogram
    /// A photoplethysmogram, whose pulse waves are found (`PulseDetector`).
    case photoplethysmogram

    /// The detector's name and version, as results have it; a change that moves beats changes the version.
    package var detector: String {
      switch self {
      case .electrocardiogram: "pan-tompkins/2"
      case .photoplethysmogram: "two-averages/1"
      }
    }

    /// Which beats are no noise: those with as high a mean quality of so many of the latest, or as high a quality of their own.
    ///
    /// That of noise is 0.3 to 0.7. The limits for electrocardiograms were chosen on MIT-BIH 105 and 207 and on noise.
    var acceptance: (latest: Int, mean: Double, own: Double) {
      switch self {
      case .electrocardiogram: (16, 0.75, 0.95)
      case .photoplethysmogram: (8, 0.6, .infinity)
      }
    }

    /// The lowest number of samples per second, in Hz.
    package var minRate: Double {
      switch self {
      case .electrocardiogram: 50
      case .photoplethysmogram: 20
      }
    }
  }

  /// A heartbeat.
  package struct Beat: Hashable, Sendable {
    /// Its time in seconds: of the R peak, or of the steepest part of a pulse wave's rise.
    package let time: Double
    /// The time of the R peak or the wave's peak, in seconds.
    package let peak: Double
    /// The time since the beat before it, in seconds; `nil` for the first one, and where beats are missing in between.
    package let interval: Double?
    /// How much it looks like the beats before it, from 0 to 1.
    let quality: Double
  }

  /// What is known of a second of the signal.
  package struct Report: Hashable, Sendable {
    /// The mean quality of the latest beats, from 0 to 1; 0 where none come.
    package let quality: Double
    /// What is wrong with the signal; `nil` if nothing is.
    package let fault: SignalCondition.Fault?
  }

  /// What a sample leads to.
  package struct Output: Hashable, Sendable {
    /// The beats that are known now, in order.
    package var beats: [Beat] = []
    /// What is known of the latest second, once a second.
    package var report: Report?
  }

  /// The longest time without frames that is bridged, in seconds.
  static let maxHole = 0.1
  /// Frames whose times differ by less from what their rate says follow each other, in seconds.
  static let tolerance = 0.003
  /// The intervals between two beats, in seconds; a longer one is a gap.
  static let intervals = 0.2...3.0

  let kind: Kind
  /// The number of samples per second, in Hz.
  let rate: Double

  /// The detector of that kind; the other is `nil`.
  private var peaks: RPeakDetector?
  private var waves: PulseWaveDetector?
  private var condition: SignalCondition
  /// The number of samples since the last gap.
  private var count = 0
  private var last: (time: Double, value: Double)?
  /// The places at which time does not go on by the rate, and their times.
  private var anchors: [(place: Int, time: Double)] = []
  private var lastBeat: Double?
  private var qualities: [Double] = []
  /// The number of beats that were left out because they and those before them were too unlike each other.
  package private(set) var unclear = 0

  /// The time from a beat to its detection, in seconds, unless it is found in retrospect.
  var delay: Double { peaks?.delay ?? waves?.delay ?? 0 }

  /// Creates a detector.
  ///
  /// - Parameters:
  ///   - kind: what is in the waveform.
  ///   - rate: the nominal number of samples per second, in Hz; at least ``Kind/minRate``.
  package init(_ kind: Kind, rate: Double) {
    precondition(rate >= kind.minRate, "too few samples per second for heartbeats")
    (self.kind, self.rate) = (kind, rate)
    condition = SignalCondition(rate: rate)
    switch kind {
    case .electrocardiogram: peaks = RPeakDetector(rate: rate)
    case .photoplethysmogram: waves = PulseWaveDetector(rate: rate)
    }
  }

  /// Takes a sample; one that is not finite is missing, and one that is not later than the one before is ignored.
  ///
  /// - Parameters:
  ///   - value: the value in any unit.
  ///   - time: its time in seconds.
  /// - Returns: the beats that are known now, and once a second what is known of the signal.
  package mutating func take(_ value: Double, at time: Double) -> Output {
    var output = Output()
    guard value.isFinite else { return output }
    if let last {
      let step = time - last.time
      guard step > 0 else { return output }
      if step > Self.maxHole + 1 / rate {
        output.beats = finish()
      } else if step > 1.5 / rate + Self.tolerance {
        let missing = Int((step * rate).rounded()) - 1
        for index in 0..<max(0, missing) {
          let share = Double(index + 1) / Double(missing + 1)
          output.beats += add(last.value + share * (value - last.value), at: last.time + share * step)
        }
      }
    }
    output.beats += add(value, at: time)
    last = (time, value)
    if condition.take(value) {
      let isSilent = lastBeat.map { time - $0 > Self.intervals.upperBound + delay } ?? true
      output.report = Report(quality: condition.fault == nil && !isSilent ? mean : 0, fault: condition.fault)
    }
    return output
  }

  /// Ends the signal, or its part before a gap.
  ///
  /// - Returns: the last beats.
  package mutating func finish() -> [Beat] {
    let beats = found(peaks?.finish() ?? [], waves?.finish() ?? [])
    (count, last, anchors, lastBeat) = (0, nil, [], nil)
    return beats
  }

  private mutating func add(_ value: Double, at time: Double) -> [Beat] {
    let expected = anchors.last.map { $0.time + Double(count - $0.place) / rate }
    if expected.map({ abs($0 - time) > 1e-5 }) ?? true {
      anchors.append((count, time))
      // Of the last seconds, in which beats are still found.
      if anchors.count > 4096 { anchors.removeFirst(2048) }
    }
    count += 1
    let (peaks, waves) = (peaks?.take(value) ?? [], waves?.take(value) ?? [])
    return peaks.isEmpty && waves.isEmpty ? [] : found(peaks, waves)
  }

  private mutating func found(_ peaks: [RPeakDetector.Peak], _ waves: [PulseWaveDetector.Beat]) -> [Beat] {
    peaks.compactMap { beat(at: $0.place, peak: $0.place, $0.quality) }
      + waves.compactMap { beat(at: $0.place, peak: $0.peak, $0.quality) }
  }

  private func time(of place: Double) -> Double {
    let anchor = anchors.last { Double($0.place) <= place } ?? anchors.first ?? (0, 0)
    return anchor.time + (place - Double(anchor.place)) / rate
  }

  /// The beat at a place; `nil` where the latest ones are so unlike each other that they are noise.
  private mutating func beat(at place: Double, peak: Double, _ quality: Double) -> Beat? {
    let acceptance = kind.acceptance
    qualities = qualities.suffix(acceptance.latest - 1) + [quality]
    guard mean >= acceptance.mean || quality >= acceptance.own else {
      (unclear, lastBeat) = (unclear + 1, nil)
      return nil
    }
    let time = time(of: place)
    defer { lastBeat = time }
    let interval = lastBeat.map { time - $0 }.flatMap { Self.intervals.contains($0) ? $0 : nil }
    return Beat(time: time, peak: self.time(of: peak), interval: interval, quality: quality)
  }

  private var mean: Double { qualities.isEmpty ? 0 : qualities.reduce(0, +) / Double(qualities.count) }
}
