/// Whether a signal can hold heartbeats at all: whether it is flat, or cut off where the amplifier ends.
package struct SignalCondition: Sendable {
  /// What is wrong with a signal.
  package enum Fault: Hashable, Sendable {
    /// It does not change: an electrode or a cable is off.
    case flat
    /// It rests at its highest or lowest value: the amplifier is saturated.
    case saturated
  }

  /// The minimum share of a second that is equal to one value where the signal is flat.
  static let flatShare = 0.98
  /// The minimum share of a second that is equal to its highest or its lowest value where the signal is cut off.
  ///
  /// Where that value is the usual one, it is a baseline without noise.
  static let saturatedShare = 0.1..<0.5

  /// What is wrong with the latest whole second; `nil` if nothing is.
  private(set) var fault: Fault?

  private let length: Int
  private var highest = -Double.infinity
  private var lowest = Double.infinity
  private var counts = (highest: 0, lowest: 0, same: 0, all: 0)
  private var last = Double.nan

  /// Creates a condition.
  ///
  /// - Parameter rate: the number of samples per second, in Hz.
  init(rate: Double) { length = max(2, Int(rate)) }

  /// Takes a finite sample.
  ///
  /// - Returns: whether a second is over.
  mutating func take(_ sample: Double) -> Bool {
    if sample > highest { (highest, counts.highest) = (sample, 0) }
    if sample < lowest { (lowest, counts.lowest) = (sample, 0) }
    if sample == highest { counts.highest += 1 }
    if sample == lowest { counts.lowest += 1 }
    if sample == last { counts.same += 1 }
    last = sample
    counts.all += 1
    guard counts.all == length else { return false }
    let share = (
      highest: Double(counts.highest) / Double(length), lowest: Double(counts.lowest) / Double(length),
      same: Double(counts.same) / Double(length)
    )
    // One of ten samples at either end has to stay there, rather than to turn there.
    let rests = share.same > Self.saturatedShare.lowerBound / 2
    fault =
      share.same >= Self.flatShare
      ? .flat
      : rests
        && (Self.saturatedShare.contains(share.highest) || Self.saturatedShare.contains(share.lowest))
        ? .saturated : nil
    (highest, lowest, counts) = (-.infinity, .infinity, (0, 0, 0, 0))
    return true
  }
}
