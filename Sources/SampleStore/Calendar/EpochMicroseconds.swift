/// The store's unit of time: whole microseconds since 1970-01-01T00:00:00Z, without leap seconds.
enum EpochMicroseconds {
  static let perSecond: Int64 = 1_000_000

  /// The second that contains a tick.
  static func second(of tick: Int64) -> Int64 { tick / perSecond - (tick % perSecond < 0 ? 1 : 0) }
}
