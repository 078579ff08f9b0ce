/// The values of one line of text.
struct Sample: Hashable, Sendable {
  /// The valid rates, in beats per minute; others are faults.
  static let rates = 20.0...300
  /// The valid intervals, in milliseconds; others are faults.
  static let intervals = 200.0...3000

  /// Beats per minute.
  var heartRate: Double?
  /// Milliseconds, oldest first.
  var rrIntervals: [Double] = []
  /// Whether the sensor has skin contact.
  var contact: Bool?
  /// The sender's own time in seconds.
  var time: Double?

  /// Validates the values; returns why they are invalid, or `nil`.
  ///
  /// Many bridges send a rate of 0 without contact when there is no rate: it is removed.
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

/// The result of parsing a line.
enum Row: Hashable, Sendable {
  /// A sample.
  case sample(Sample)
  /// A blank line, a comment or a header.
  case nothing
  /// None of these, with the reason.
  case unreadable(String)
}
