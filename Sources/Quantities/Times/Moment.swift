/// An instant on the station's one clock, CLOCK_MONOTONIC.
///
/// PulseAudio's `pa_rtclock_now` and LSL's clock count on the same one. Nothing outside this run of the machine means
/// anything by it: files hold the time since a trial's zero instead.
///
/// Its arithmetic never overflows: a sum or difference beyond 292 years is held there, since times come from other
/// people's clocks and files.
public struct Moment: InstantProtocol, Hashable, Sendable, CustomStringConvertible {
  /// Nanoseconds since the clock's own beginning.
  public var nanoseconds: Int64

  /// The instant that many nanoseconds after the clock's beginning.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The instant that much later; beyond the clock's range it is held at its end.
  public func advanced(by duration: Duration) -> Moment {
    let (sum, isBeyond) = nanoseconds.addingReportingOverflow(duration.nanoseconds)
    return Moment(nanoseconds: isBeyond ? (nanoseconds < 0 ? .min : .max) : sum)
  }

  /// How much later `other` is; beyond 292 years it is held there.
  public func duration(to other: Moment) -> Duration {
    let (difference, isBeyond) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
    return .nanoseconds(isBeyond ? (other < self ? Int64.min : .max) : difference)
  }

  /// Earlier before later.
  public static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }

  /// `12.345678901 s`.
  public var description: String { "\(Double(nanoseconds) / 1e9) s" }
}

extension Duration {
  /// The whole nanoseconds in it, rounded towards zero; beyond 292 years it is held there.
  public var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isSumBeyond) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return isBeyond || isSumBeyond ? (seconds < 0 ? .min : .max) : sum
  }

  /// Its length in seconds.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Its length in milliseconds.
  public var milliseconds: Double { Double(nanoseconds) / 1e6 }

  /// The duration nearest to that many seconds, in whole nanoseconds; beyond 292 years it is held there.
  public init(seconds: Double) { self.init(nearestNanoseconds: seconds * 1e9) }

  /// The duration nearest to that many milliseconds, in whole nanoseconds; beyond 292 years it is held there.
  public init(milliseconds: Double) { self.init(nearestNanoseconds: milliseconds * 1e6) }

  /// The duration nearest to that many nanoseconds, in whole ones; beyond 292 years it is held there.
  ///
  /// What is not a number is no time at all.
  public init(nearestNanoseconds number: Double) {
    let bound = 0x1p63
    guard number.magnitude < bound else {
      self = .nanoseconds(number.isNaN ? 0 : number < 0 ? Int64.min : .max)
      return
    }
    self = .nanoseconds(Int64(number.rounded()))
  }
}
