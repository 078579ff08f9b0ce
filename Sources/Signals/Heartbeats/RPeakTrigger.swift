/// Finds R peaks in one lead of an electrocardiogram as soon as they are over: for sounds that follow a heartbeat.
///
/// A lead is averaged over 12 ms. A complex has begun when it has risen, within 40 ms, by half of what the latest complexes
/// did, and its peak is over when the signal has fallen by a tenth of that: 10 to 15 ms after it. What complexes look like
/// is learned from those that ``BeatDetector`` has found, which knows the signal around them and is half a second late; the
/// two are compared afterwards, so that each trigger has its R peak, or is known to be false.
package struct RPeakTrigger: Sendable {
  /// A peak.
  package struct Trigger: Hashable, Sendable {
    /// Its time in seconds.
    package let peak: Double
    /// When it was found.
    package let found: Double
  }

  /// The signal is averaged over this time, in seconds.
  static let smoothing = 0.012
  /// A complex rises within this time, in seconds.
  static let rise = 0.04
  /// By this part of the usual rise it is recognised, and by the other its peak is over.
  static let parts = (begun: 0.5, over: 0.1)
  /// No heart beats again sooner, in seconds.
  static let refractory = 0.3
  /// A rise that lasts longer is none of a complex, in seconds.
  static let maxLength = 0.12
  /// The maximum number of complexes that are learned from, and the number that is needed.
  static let learned = (most: 9, needed: 4)
  /// How long the latest samples are kept, in seconds: longer than the detector takes.
  static let memory = 2.5
  /// Frames that are missing for longer end what was seen, in seconds.
  static let maxGap = 0.1

  private let rate: Double
  private let width: Int
  private let reach: Int
  private var detector: BeatDetector
  private var latest: [Double] = []
  /// The averaged samples with their times.
  private var smooth: [(time: Double, value: Double)] = []
  private var heights: [Double] = []
  private var directions: [Double] = []
  private var rising: (start: Double, place: Int)?
  private var last = -Double.infinity

  /// Whether it has seen enough complexes to find others.
  var isReady: Bool { heights.count >= Self.learned.needed }

  /// Creates a trigger.
  ///
  /// - Parameter rate: the number of samples per second, in Hz; at least 100.
  package init(rate: Double) {
    precondition(rate >= Self.minRate, "an R peak cannot be timed with fewer samples")
    self.rate = rate
    width = max(1, Int((Self.smoothing * rate).rounded()))
    reach = max(2, Int((Self.rise * rate).rounded()))
    detector = BeatDetector(.electrocardiogram, rate: rate)
  }

  /// The least number of samples per second, in Hz.
  package static let minRate = 100.0

  /// Takes a sample.
  ///
  /// - Parameters:
  ///   - sample: the voltage in any unit.
  ///   - time: its time in seconds.
  /// - Returns: the peak that is over with it.
  package mutating func take(_ sample: Double, at time: Double) -> Trigger? {
    for beat in detector.take(sample, at: time).beats { learn(from: beat.peak) }
    guard sample.isFinite else { return nil }
    if let end = smooth.last?.time, time - end > Self.maxGap || time < end { forget() }
    latest = latest.suffix(width - 1) + [sample]
    guard latest.count == width else { return nil }
    let delay = Double(width - 1) / 2 / rate
    smooth.append((time - delay, latest.reduce(0, +) / Double(width)))
    if smooth.count > 2 * Int(Self.memory * rate) {
      let removed = smooth.count - Int(Self.memory * rate)
      smooth.removeFirst(removed)
      rising?.place -= removed
    }
    return isReady ? judge(at: time) : nil
  }

  private mutating func forget() { (latest, smooth, rising) = ([], [], nil) }

  private mutating func judge(at time: Double) -> Trigger? {
    let place = smooth.count - 1
    guard place >= reach else { return nil }
    let direction: Double = directions.reduce(0, +) >= 0 ? 1 : -1
    let height = Self.median(heights)
    let now = smooth[place].value * direction
    guard var rising else {
      let isSteep = now - smooth[place - reach].value * direction >= Self.parts.begun * height
      if isSteep, smooth[place].time - last >= Self.refractory { rising = (smooth[place].time, place) }
      return nil
    }
    let top = smooth[rising.place].value * direction
    if now > top { rising.place = place }
    self.rising = rising
    guard max(top, now) - now >= Self.parts.over * height else {
      if smooth[place].time - rising.start > Self.maxLength { self.rising = nil }
      return nil
    }
    self.rising = nil
    let peak = vertex(at: rising.place)
    last = peak
    return Trigger(peak: peak, found: time)
  }

  /// The time of a peak between samples, by the parabola through three of them.
  private func vertex(at place: Int) -> Double {
    guard place > 0, place < smooth.count - 1 else { return smooth[place].time }
    let (left, top, right) = (smooth[place - 1].value, smooth[place].value, smooth[place + 1].value)
    let curvature = left - 2 * top + right
    let shift = curvature == 0 ? 0 : max(-0.5, min(0.5, 0.5 * (left - right) / curvature))
    return smooth[place].time + shift / rate
  }

  /// Learns from a complex whose peak is known.
  private mutating func learn(from peak: Double) {
    guard let middle = smooth.lastIndex(where: { $0.time <= peak }), middle > 2 * reach,
      middle + reach < smooth.count
    else { return }
    let around = smooth[middle - 2 * reach...middle + reach].map(\.value)
    let mean = (around.first ?? 0) / 2 + (around.last ?? 0) / 2
    directions = directions.suffix(Self.learned.most - 1) + [smooth[middle].value >= mean ? 1 : -1]
    let direction: Double = directions.reduce(0, +) >= 0 ? 1 : -1
    let rises = (middle - reach / 2...middle + reach / 2).map {
      (smooth[$0].value - smooth[$0 - reach].value) * direction
    }
    if let height = rises.max(), height > 0 { heights = heights.suffix(Self.learned.most - 1) + [height] }
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
