/// How the store counts time: whole microseconds after 1970-01-01T00:00:00Z, without leap seconds.
enum Tick {
  static let perSecond: Int64 = 1_000_000

  /// The second in which a tick lies.
  static func second(of tick: Int64) -> Int64 { tick / perSecond - (tick % perSecond < 0 ? 1 : 0) }
}
