/// An instant on the station's one clock, CLOCK_MONOTONIC.
///
/// PulseAudio's `pa_rtclock_now` and LSL's clock count on the same one. Nothing outside this run of the machine means
/// anything by it: files hold the time since a trial's zero instead.
public struct Moment: InstantProtocol, Hashable, Sendable, CustomStringConvertible {
  /// Nanoseconds since the clock's own beginning.
  public var nanoseconds: Int64

  /// The instant that many nanoseconds after the clock's beginning.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The instant that much later.
  public func advanced(by duration: Duration) -> Moment {
    Moment(nanoseconds: nanoseconds + duration.nanoseconds)
  }

  /// How much later `other` is.
  public func duration(to other: Moment) -> Duration {
    .nanoseconds(other.nanoseconds - nanoseconds)
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

  // What is not a number is no time at all.
  private init(nearestNanoseconds number: Double) {
    let bound = 0x1p63
    guard number.magnitude < bound else {
      self = .nanoseconds(number.isNaN ? 0 : number < 0 ? Int64.min : .max)
      return
    }
    self = .nanoseconds(Int64(number.rounded()))
  }
}
