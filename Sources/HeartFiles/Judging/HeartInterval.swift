/// What hearts' intervals can be, in milliseconds.
public enum HeartInterval: Sendable {
  /// Heart rates from 24 to 240 a minute, which people's hearts have.
  public static let plausible = 250.0...2500
  /// From 6 to 3000 a minute, which any animal's heart has.
  public static let possible = 20.0...10_000
}
