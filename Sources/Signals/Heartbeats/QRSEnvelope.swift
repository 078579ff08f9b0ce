/// Shows where an electrocardiogram is as steep as only a QRS complex is.
///
/// The signal is averaged to 180 to 360 samples a second, smoothed over 1/50 s and 1/60 s, which cancels the hum of either
/// mains, and its absolute slope is averaged over 0.1 s, the duration of a QRS complex (P. S. Hamilton, "Open source ECG
/// analysis", Computers in Cardiology 29:101, 2002, who found the absolute slope as good as the square that J. Pan and
/// W. J. Tompkins used: "A real-time QRS detection algorithm", IEEE Transactions on Biomedical Engineering 32:230, 1985).
/// A baseline that wanders has no slope worth the name.
struct QRSEnvelope: Sendable {
  /// An output.
  struct Output: Hashable, Sendable {
    /// The smoothed signal.
    var smooth: Double?
    /// The averaged absolute slope.
    var envelope: Double?
  }

  /// The duration of a QRS complex, in seconds.
  static let complex = 0.1
  /// More samples a second than this are averaged in groups, in Hz.
  static let enough = 180.0
  /// The periods of the mains, in seconds.
  static let mains = (1.0 / 50, 1.0 / 60)

  /// The number of samples that make one of the output.
  let group: Int
  /// The number of samples per second of the output, in Hz.
  let rate: Double
  /// How much later than its time the envelope comes, in samples of the output.
  var delay: Int { first.delay + second.delay + slopes.delay + 1 }

  private var first: MovingAverage
  private var second: MovingAverage
  private var slopes: MovingAverage
  private var sum = 0.0
  private var count = 0
  /// The two latest smoothed samples.
  private var latest: [Double] = []

  /// Creates an envelope.
  ///
  /// - Parameter rate: the number of samples per second, in Hz.
  init(rate: Double) {
    group = max(1, Int(rate / Self.enough))
    self.rate = rate / Double(group)
    first = MovingAverage(width: Self.mains.0 * self.rate)
    second = MovingAverage(width: Self.mains.1 * self.rate)
    slopes = MovingAverage(width: Self.complex * self.rate)
  }

  /// The place among the samples that a place of the output is.
  func sample(ofPlace place: Double) -> Double { place * Double(group) + Double(group - 1) / 2 }

  /// Takes a sample; both outputs count from the first sample, each without gaps.
  mutating func take(_ sample: Double) -> Output {
    sum += sample
    count += 1
    guard count == group else { return Output() }
    defer { (sum, count) = (0, 0) }
    guard let once = first.take(sum / Double(group)), let smooth = second.take(once) else { return Output() }
    defer { latest = [latest.last ?? smooth, smooth] }
    // The slope at the sample before; that of the first one begins level.
    guard latest.count == 2 else { return Output(smooth: smooth) }
    return Output(smooth: smooth, envelope: slopes.take((smooth - latest[0]).magnitude))
  }

  /// Forgets all samples.
  mutating func reset() { self = QRSEnvelope(rate: rate * Double(group)) }
}
