/// Finds the R peaks in one lead of an electrocardiogram, sample by sample, at 50 samples per second or more.
///
/// A detector of the class of Pan and Tompkins: `QRSEnvelope` shows the steep parts, `QRSClassifier` tells which of them
/// are QRS complexes, and the time of each is that of the highest point of the smoothed signal, or of the lowest in a lead
/// in which the complexes point down, between samples by a parabola. Beats come in order, `delay` seconds late or, where
/// one was looked for in retrospect, after one and a half intervals. A few seconds of the signal are kept.
package struct RPeakDetector: Sendable {
  /// An R peak.
  package struct Peak: Hashable, Sendable {
    /// The number of the sample at the peak, with a fraction; counted from the first sample since the last gap.
    let place: Double
    /// How much the complex looks like the latest ones, from 0 to 1.
    ///
    /// Its correlation with the average of eight of them, or the third largest one with sixteen of them, since extrasystoles
    /// may alternate with other complexes; 0.75 for the first one.
    let quality: Double
  }

  /// The highest point of a complex is so far from that of its envelope, in seconds.
  static let reach = 0.1
  /// The shape of a complex is compared from so long before its peak to so long after it, in seconds.
  static let shape = 0.12
  /// The numbers of complexes that are compared, that are averaged, and that have to be alike.
  static let compared = (all: 16, averaged: 8, alike: 3)
  /// The number of complexes that decide the polarity, and the margin by which they have to point the other way to change it.
  static let polarity = (count: 16, margin: 0.2)
  /// A complex is measured on the other side where it points that way by this multiple of the usual height.
  static let opposite = 2.5
  /// How long the smoothed signal is kept, in seconds.
  static let memory = 12.0

  /// The number of samples per second, in Hz.
  let rate: Double

  private var envelope: QRSEnvelope
  private var classifier: QRSClassifier
  /// The latest smoothed samples, and how many came before them.
  private var smooth: [Double] = []
  private var dropped = 0
  private var count = 0
  private var lastSample = 0.0
  /// How far up more than down the latest complexes point, from −1 to 1.
  private var directions: [Double] = []
  private var pointsDown = false
  private var shapes: [[Double]] = []

  /// The time from a beat to its detection, in seconds, unless it is found in retrospect.
  var delay: Double { Double(envelope.delay) / envelope.rate + QRSClassifier.refractory + Self.reach }

  /// Creates a detector.
  ///
  /// - Parameter rate: the number of samples per second, in Hz; at least 50.
  package init(rate: Double) {
    precondition(rate >= 50, "an R peak detector needs 50 samples per second at least")
    self.rate = rate
    envelope = QRSEnvelope(rate: rate)
    classifier = QRSClassifier(rate: envelope.rate)
  }

  /// Takes a sample, in any unit; it has to be finite.
  ///
  /// - Returns: the peaks that are known now, in order.
  package mutating func take(_ sample: Double) -> [Peak] {
    count += 1
    lastSample = sample
    return add(sample)
  }

  /// Ends the signal, or its part before a gap: samples are counted again from here.
  ///
  /// - Returns: the last peaks.
  package mutating func finish() -> [Peak] {
    var peaks: [Peak] = []
    let length = Double(count)
    // The filters are emptied by a level signal.
    if count > 0 { for _ in 0..<Int((delay + Self.shape) * rate) + envelope.group { peaks += add(lastSample) } }
    peaks += classifier.finish().compactMap { peak($0) }
    envelope.reset()
    classifier.restart()
    (smooth, dropped, count) = ([], 0, 0)
    return peaks.filter { $0.place < length }
  }

  private mutating func add(_ sample: Double) -> [Peak] {
    let output = envelope.take(sample)
    if let value = output.smooth {
      smooth.append(value)
      let kept = Int(Self.memory * envelope.rate)
      if smooth.count > 2 * kept {
        dropped += smooth.count - kept
        smooth.removeFirst(smooth.count - kept)
      }
    }
    guard let height = output.envelope else { return [] }
    let found = classifier.take(height)
    return found.isEmpty ? [] : found.compactMap { peak($0) }
  }

  private mutating func peak(_ complex: QRSClassifier.Peak) -> Peak? {
    let middle = complex.place - dropped
    let reach = Int((Self.reach * envelope.rate).rounded())
    let (first, last) = (middle - reach, min(smooth.count - 2, middle + reach))
    // Of a complex that the beginning cuts, it is not known what was its highest point.
    guard middle - reach >= 1, first < last else { return nil }
    // The baseline: the mean of both ends, where a complex is over.
    let base = (smooth[first] + smooth[last]) / 2
    var (highest, lowest) = (first, first)
    for place in first...last {
      if smooth[place] > smooth[highest] { highest = place }
      if smooth[place] < smooth[lowest] { lowest = place }
    }
    let (up, down) = (max(0, smooth[highest] - base), max(0, base - smooth[lowest]))
    guard up + down > 0 else { return nil }
    directions = directions.suffix(Self.polarity.count - 1) + [(up - down) / (up + down)]
    let direction = directions.reduce(0, +) / Double(directions.count)
    if pointsDown ? direction > Self.polarity.margin : direction < -Self.polarity.margin { pointsDown.toggle() }
    let isDown = pointsDown ? up < Self.opposite * down : down > Self.opposite * up
    let place = isDown ? lowest : highest
    let (left, right, top) = (smooth[place - 1], smooth[place + 1], smooth[place])
    let curvature = left - 2 * top + right
    let shift = curvature == 0 ? 0 : max(-0.5, min(0.5, 0.5 * (left - right) / curvature))
    return Peak(
      place: envelope.sample(ofPlace: Double(place + dropped) + shift), quality: likeness(ofComplexAt: place))
  }

  /// The correlation of a complex with the average of the latest ones, to which it is added.
  private mutating func likeness(ofComplexAt place: Int) -> Double {
    let reach = Int((Self.shape * envelope.rate).rounded())
    let values = (place - reach...place + reach).map { smooth[max(0, min(smooth.count - 1, $0))] }
    let mean = values.reduce(0, +) / Double(values.count)
    let length = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }.squareRoot()
    let shape = values.map { length > 0 ? ($0 - mean) / length : 0 }
    defer { shapes = shapes.suffix(Self.compared.all - 1) + [shape] }
    guard !shapes.isEmpty else { return BeatDetector.Kind.electrocardiogram.acceptance.mean }
    let averaged = shapes.suffix(Self.compared.averaged)
    let average = shape.indices.map { index in averaged.reduce(0) { $0 + $1[index] } }
    let size = average.reduce(0) { $0 + $1 * $1 }.squareRoot()
    guard size > 0 else { return 0 }
    let usual = Self.product(average, shape) / size
    let others = shapes.map { Self.product($0, shape) }.sorted(by: >)
    let alike = others.count < Self.compared.alike ? 0 : others[Self.compared.alike - 1]
    return max(0, min(1, max(usual, alike)))
  }

  private static func product(_ one: [Double], _ other: [Double]) -> Double {
    zip(one, other).reduce(0) { $0 + $1.0 * $1.1 }
  }
}
