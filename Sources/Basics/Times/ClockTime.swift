/// Times of day without a date, `10:04:06.250`, in the order in which they were written.
package struct ClockTime: Hashable, Sendable {
  private static let day: Int64 = 86_400_000_000

  private var last: Int64?
  private var days: Int64 = 0

  /// Creates a clock that has shown no time yet.
  package init() {}

  /// The microseconds from the midnight before the first time to this one; `nil` for a text that is no time of day.
  ///
  /// A time that is more than twelve hours before the last one is of the next day.
  package mutating func take(_ text: String) -> Int64? {
    guard let time = Self.microseconds(text) else { return nil }
    if let last, last - time > Self.day / 2 { days += 1 }
    if let last, time - last > Self.day / 2, days > 0 { days -= 1 }
    last = time
    return time + days * Self.day
  }

  /// The microseconds of `10:04:06`, `9:04:06.25` or `10:04:06,250`; `nil` for any other text.
  ///
  /// Fractions are rounded down to the microsecond.
  package static func microseconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count <= 32 else { return nil }
    let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 3, (1...2).contains(parts[0].count), parts[1].count == 2 else { return nil }
    let seconds = parts[2].prefix(2)
    let fraction = parts[2].dropFirst(2)
    guard seconds.count == 2, fraction.isEmpty || fraction.count > 1 else { return nil }
    if let sign = fraction.first, sign != UInt8(ascii: "."), sign != UInt8(ascii: ",") { return nil }
    func number(_ digits: ArraySlice<UInt8>) -> Int64? {
      digits.allSatisfy { (48...57).contains($0) } ? Int64(String(decoding: digits, as: UTF8.self)) : nil
    }
    guard let hour = number(parts[0]), let minute = number(parts[1]), let second = number(seconds), minute < 60,
      second <= 60, fraction.dropFirst().allSatisfy({ (48...57).contains($0) })
    else { return nil }
    let digits = fraction.dropFirst().prefix(6)
    let part = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 48) }
    let scale = (digits.count..<6).reduce(Int64(1)) { scale, _ in scale * 10 }
    return ((hour * 60 + minute) * 60 + second) * 1_000_000 + part * scale
  }
}
