import CSystem

extension WallTime {
  /// The current time of the system's wall clock.
  package static var now: WallTime { WallTime(microseconds: csystem_realtime_nanoseconds() / 1000) }

  /// Whole seconds since 1970, rounded down.
  var second: Int64 { microseconds / 1_000_000 - (microseconds % 1_000_000 < 0 ? 1 : 0) }
}
