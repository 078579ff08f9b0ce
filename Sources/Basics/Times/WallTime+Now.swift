import CSystem

extension WallTime {
  /// What the system's calendar says now.
  package static var now: WallTime { WallTime(microseconds: csystem_realtime_nanoseconds() / 1000) }

  /// Whole seconds after 1970, rounded down.
  var second: Int64 { microseconds / 1_000_000 - (microseconds % 1_000_000 < 0 ? 1 : 0) }
}
