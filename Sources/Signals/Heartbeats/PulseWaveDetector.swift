/// Finds the beats in one channel of a photoplethysmogram in which the volume of blood rises, sample by sample.
///
/// The signal is averaged to 60 to 120 samples a second, smoothed and freed of its baseline; ``PulseDetector`` finds the
/// waves, and ``PulseJudge`` leaves out those that are parts of others.
struct PulseWaveDetector: Sendable {
  /// A beat.
  struct Beat: Hashable, Sendable {
    /// The number of the sample at the steepest part of the rise, with a fraction.
    let place: Double
    /// The number of the sample at the peak, with a fraction.
    let peak: Double
    /// The mean correlation of the latest waves with their average, from 0 to 1.
    let quality: Double
  }

  /// More samples a second than this are averaged in groups, in Hz.
  static let enough = 60.0
  /// The width of either smoothing, in seconds: half of 8 Hz remains.
  static let smoothing = 0.04
  /// The width of either average of the baseline, in seconds.
  static let baseline = 1.0

  private let group: Int
  private let rate: Double
  private var smoothing: (MovingAverage, MovingAverage)
  private var baseline: (MovingAverage, MovingAverage)
  private var detector: PulseDetector
  private var judge: PulseJudge
  private var waiting: [Double] = []
  private var sum = 0.0
  private var count = 0
  private var total = 0
  private var lastSample = 0.0

  /// The longest time from a beat to its detection, in seconds.
  var delay: Double {
    let samples = smoothing.0.delay + smoothing.1.delay + baseline.0.delay + baseline.1.delay + detector.delay
    return Double(samples) / rate
  }

  /// Creates a detector.
  ///
  /// - Parameter rate: the number of samples per second, in Hz; at least 20.
  init(rate: Double) {
    group = max(1, Int(rate / Self.enough))
    let rate = rate / Double(group)
    self.rate = rate
    func average(_ seconds: Double) -> (MovingAverage, MovingAverage) {
      (MovingAverage(width: seconds * rate), MovingAverage(width: seconds * rate))
    }
    smoothing = average(Self.smoothing)
    baseline = average(Self.baseline)
    detector = PulseDetector(rate: rate)
    judge = PulseJudge(rate: rate)
  }

  /// Takes a finite sample, in any unit.
  ///
  /// - Returns: the beats that are known now, in order.
  mutating func take(_ sample: Double) -> [Beat] {
    lastSample = sample
    total += 1
    sum += sample
    count += 1
    guard count == group else { return [] }
    defer { (sum, count) = (0, 0) }
    guard let once = smoothing.0.take(sum / Double(group)), let smooth = smoothing.1.take(once) else { return [] }
    waiting.append(smooth)
    let delay = baseline.0.delay + baseline.1.delay
    guard let slow = baseline.0.take(smooth), let base = baseline.1.take(slow) else { return [] }
    let middle = waiting[waiting.count - 1 - delay]
    if waiting.count > 8 * delay { waiting.removeFirst(waiting.count - 2 * delay) }
    return detector.take(middle - base).compactMap { wave -> Beat? in
      let time = wave.place / rate
      guard let findings = judge.take(wave, at: time) else { return nil }
      let place = (findings.time ?? time) * rate
      return Beat(place: number(ofPlace: place), peak: number(ofPlace: wave.peak), quality: findings.correlation)
    }
  }

  private func number(ofPlace place: Double) -> Double { place * Double(group) + Double(group - 1) / 2 }

  /// Ends the signal, or its part before a gap: samples are counted again from here.
  ///
  /// - Returns: the last beats.
  mutating func finish() -> [Beat] {
    var beats: [Beat] = []
    let length = Double(total)
    // The filters are emptied by a level signal.
    if total > 0 { for _ in 0..<Int((delay + 0.5) * rate) * group { beats += take(lastSample) } }
    self = PulseWaveDetector(rate: rate * Double(group))
    return beats.filter { $0.place < length }
  }
}
