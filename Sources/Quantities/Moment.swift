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
  /// The whole nanoseconds in it, rounded towards zero; good for 292 years.
  public var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// Its length in seconds.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Its length in milliseconds.
  public var milliseconds: Double { Double(nanoseconds) / 1e6 }

  /// The duration nearest to that many seconds, in whole nanoseconds.
  public init(seconds: Double) { self = .nanoseconds(Int64((seconds * 1e9).rounded())) }

  /// The duration nearest to that many milliseconds, in whole nanoseconds.
  public init(milliseconds: Double) { self = .nanoseconds(Int64((milliseconds * 1e6).rounded())) }
}
