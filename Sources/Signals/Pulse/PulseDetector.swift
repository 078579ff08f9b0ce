/// Finds the beats in a pulse wave by two moving averages.
///
/// M. Elgendi, I. Norton, M. Brearley, D. Abbott and D. Schuurmans, "Systolic peak detection in acceleration
/// photoplethysmograms measured from emergency responders in tropical conditions", PLoS ONE 8:e76585, 2013: where the
/// average of the squared positive signal over 111 ms is above that over 667 ms, there is a systolic wave. The time of
/// the beat is the steepest part of its rise, which noise moves less than its peak.
struct PulseDetector: Sendable {
  /// A beat.
  struct Beat: Hashable, Sendable {
    /// The number of the sample at the steepest part of the rise, with a fraction.
    let place: Double
    /// The number of the sample at the peak of the wave, with a fraction.
    let peak: Double
    /// The signal around it, from ``PulseDetector/before`` to ``PulseDetector/after``, of zero mean and unit length.
    let shape: [Double]
    /// The height of the wave: from the lowest value before the rise to the peak.
    let height: Double
  }

  /// The duration of a systolic wave, in seconds.
  static let wave = 0.111
  /// The duration of a heartbeat, in seconds.
  static let heartbeat = 0.667
  /// The share of the mean of the squared signal that is added to the threshold.
  static let offset = 0.02
  /// The time over which that mean is taken, in seconds.
  static let memory = 4.0
  /// How long before its peak a wave begins to rise at the earliest, in seconds.
  static let rise = 0.35
  /// The shape of a beat begins so long before its time, in seconds.
  static let before = 0.2
  /// The shape of a beat ends so long after its time, in seconds.
  static let after = 0.36
  /// Two beats are at least so far apart, in seconds: 220 per minute.
  static let refractory = 60.0 / 220

  /// The number of samples per second, in Hz.
  let rate: Double
  private let waveHalf: Int
  private let beatHalf: Int
  private let memoryLength: Int

  /// The latest samples of the signal, and how many came before them.
  private var signal: [Double] = []
  private var dropped = 0
  /// The sums of the squared positive signal up to and including each sample of `signal`.
  private var sums: [Double] = []
  /// Where the current block began; `nil` between blocks.
  private var blockStart: Int?
  private var lastPlace = -Double.infinity
  /// The peaks whose shapes are not complete yet.
  private var waiting: [Int] = []

  /// The time from a beat to its detection, in samples: half a heartbeat, or the rest of the shape.
  var delay: Int { max(beatHalf + 2 * waveHalf, Int(Self.after * rate) + 1) }

  /// Creates a detector.
  ///
  /// - Parameter rate: the number of samples per second, in Hz.
  init(rate: Double) {
    precondition(rate >= 20, "a pulse detector needs 20 samples per second at least")
    self.rate = rate
    waveHalf = Int((Self.wave * rate / 2).rounded(.down))
    beatHalf = Int((Self.heartbeat * rate / 2).rounded(.down))
    memoryLength = Int(Self.memory * rate)
  }

  /// Takes a sample of the signal, without baseline.
  ///
  /// - Returns: the beats that it completes.
  mutating func take(_ value: Double) -> [Beat] {
    signal.append(value)
    let square = value > 0 ? value * value : 0
    sums.append((sums.last ?? 0) + square)
    let place = dropped + signal.count - 1
    look(at: place - beatHalf)
    defer { trim() }
    let reach = Int((Self.after * rate).rounded(.up)) + 1
    var beats: [Beat] = []
    while let peak = waiting.first, peak + reach <= place {
      waiting.removeFirst()
      if let beat = beat(withPeak: peak), beat.place - lastPlace >= Self.refractory * rate {
        lastPlace = beat.place
        beats.append(beat)
      }
    }
    return beats
  }

  /// Decides whether a sample belongs to a systolic wave.
  private mutating func look(at place: Int) {
    guard place - dropped >= beatHalf else { return }
    let wave = average(place - waveHalf, place + waveHalf)
    let heartbeat = average(place - beatHalf, place + beatHalf)
    let level = average(max(dropped, place + beatHalf - memoryLength), place + beatHalf)
    if wave > heartbeat + Self.offset * level {
      if blockStart == nil { blockStart = place }
    } else if let start = blockStart {
      blockStart = nil
      guard place - start > waveHalf else { return }
      let block = (start..<place).map { signal[$0 - dropped] }
      guard let most = block.max(), let peak = block.firstIndex(of: most) else { return }
      waiting.append(start + peak)
    }
  }

  /// The mean of the squared positive signal from one sample to another.
  private func average(_ from: Int, _ to: Int) -> Double {
    let before = from - 1 - dropped
    return (sums[to - dropped] - (before >= 0 ? sums[before] : 0)) / Double(to - from + 1)
  }

  private func beat(withPeak peak: Int) -> Beat? {
    let reach = Int((Self.rise * rate).rounded())
    let first = peak - reach - dropped
    guard first >= 1 else { return nil }
    func slope(_ index: Int) -> Double { signal[index + 1] - signal[index - 1] }
    // Backwards from the peak to the foot of the wave, where the signal no longer falls.
    var steepest = peak - dropped
    var index = steepest
    while index > first, slope(index) >= 0 || peak - dropped - index < 2 {
      if slope(index) > slope(steepest) { steepest = index }
      index -= 1
    }
    let shift = Self.vertex(slope(steepest - 1), slope(steepest), slope(steepest + 1))
    let top = peak - dropped
    let peakShift = top + 1 < signal.count ? Self.vertex(signal[top - 1], signal[top], signal[top + 1]) : 0
    let (before, after) = (Int((Self.before * rate).rounded()), Int((Self.after * rate).rounded()))
    guard steepest - before >= 0, steepest + after < signal.count else { return nil }
    let cut = signal[(steepest - before)...(steepest + after)]
    return Beat(
      place: Double(steepest + dropped) + shift, peak: Double(peak) + peakShift, shape: Self.normalized(cut),
      height: signal[peak - dropped] - signal[index])
  }

  /// How far the highest point of the parabola through three numbers is from the middle one.
  private static func vertex(_ left: Double, _ middle: Double, _ right: Double) -> Double {
    let curvature = left - 2 * middle + right
    return curvature < 0 ? max(-0.5, min(0.5, 0.5 * (left - right) / curvature)) : 0
  }

  private static func normalized(_ cut: ArraySlice<Double>) -> [Double] {
    let mean = cut.reduce(0, +) / Double(cut.count)
    let length = cut.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }.squareRoot()
    return cut.map { length > 0 ? ($0 - mean) / length : 0 }
  }

  /// Forgets what is no longer needed; the sums begin again, so that they stay exact.
  private mutating func trim() {
    let kept = memoryLength + 2 * beatHalf
    guard signal.count >= 4 * kept else { return }
    let excess = signal.count - kept
    signal.removeFirst(excess)
    dropped += excess
    var sum = 0.0
    sums = signal.map { value in
      sum += value > 0 ? value * value : 0
      return sum
    }
  }
}
