import Basics

/// The files of an Empatica E4 other than its intervals: a start, a sampling rate, and samples.
package enum EmpaticaSignal: Sendable {
  /// Judges how the numbers of a text begin.
  ///
  /// - Parameters:
  ///   - first: the first number.
  ///   - second: the second number.
  /// - Returns: why they are refused; `nil` if they do not begin as such a file.
  package static func problem(_ first: Double, _ second: Double) -> String? {
    guard (1e9...1e10).contains(first), [1, 4, 32, 64].contains(second) else { return nil }
    let start = WallTime(microseconds: Int64(first * 1e6))
    return "it begins with a start (\(start)) and a sampling rate (\(second.shown) Hz), as the signals of an "
      + "Empatica E4 do; only its “IBI.csv” has intervals between beats"
  }
}
