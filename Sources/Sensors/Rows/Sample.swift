/// What one line of text says.
struct Sample: Hashable, Sendable {
  /// Rates outside are taken for faults, in beats a minute.
  static let rates = 20.0...300
  /// Intervals outside are taken for faults, in milliseconds.
  static let intervals = 200.0...3000

  /// Beats a minute.
  var heartRate: Double?
  /// Milliseconds, oldest first.
  var rrIntervals: [Double] = []
  /// Whether the sensor touches the skin.
  var contact: Bool?
  /// The sender's own time in seconds.
  var time: Double?

  /// Why these values cannot be; `nil` when they can.
  ///
  /// A rate of 0 without contact is how many bridges say that there is no rate: it is taken out.
  mutating func check() -> String? {
    if heartRate == 0, contact == false { heartRate = nil }
    if let heartRate, !Self.rates.contains(heartRate) { return "hr \(plain(heartRate)) is outside 20…300" }
    for interval in rrIntervals where !Self.intervals.contains(interval) {
      return "rr \(plain(interval)) is outside 200…3000 ms"
    }
    if let time, time.magnitude > 1e12 { return "the time \(plain(time)) is no number of seconds" }
    if heartRate == nil, rrIntervals.isEmpty, contact == nil { return "neither hr nor rr nor contact" }
    return nil
  }

  private func plain(_ number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

/// What became of a line.
enum Row: Hashable, Sendable {
  /// A sample.
  case sample(Sample)
  /// A blank line, a comment or a header.
  case nothing
  /// Neither, and why.
  case unreadable(String)
}
