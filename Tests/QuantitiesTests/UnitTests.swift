import Quantities
import Testing

@Suite("Units, quantity types and moments")
struct UnitTests {
  @Test(
    "72 beats a minute are 1.2 a second, as in HealthKit",
    arguments: [
      (72, .countPerMinute, .countPerSecond, 1.2), (1.2, .countPerSecond, .countPerMinute, 72),
      (800, .millisecond, .second, 0.8), (0.8, .second, .millisecond, 800),
      (61.3, .countPerMinute, .countPerMinute, 61.3),
    ] as [(Double, Unit, Unit, Double)])
  func conversion(value: Double, from: Unit, to: Unit, expected: Double) {
    #expect(abs(from.convert(value, to: to) - expected) < 1e-12)
  }

  @Test("Every unit is read by its symbol and prints it", arguments: Unit.all)
  func symbols(unit: Unit) {
    #expect(Unit(unit.symbol) == unit)
    #expect(unit.description == unit.symbol)
  }

  @Test(
    "Other spellings of beats a minute are read, what is no unit is not",
    arguments: [
      ("beats/min", "count/min"), ("bpm", "count/min"), ("count/hour", nil), ("", nil), ("Count/min", nil), ("MS", nil),
    ] as [(String, String?)])
  func spellings(text: String, symbol: String?) { #expect(Unit(text)?.symbol == symbol) }

  @Test("Every quantity type is read by both its names", arguments: QuantityType.all)
  func types(type: QuantityType) {
    #expect(QuantityType(type.identifier) == type)
    #expect(QuantityType(type.healthKitIdentifier) == type)
    #expect(type.description == type.identifier)
    #expect(QuantityType(type.identifier.uppercased()) == nil)
  }

  @Test(
    "Moments and durations count in nanoseconds",
    arguments: [
      (.nanoseconds(1), 1), (.seconds(1), 1_000_000_000), (.milliseconds(-1), -1_000_000), (.zero, 0),
    ] as [(Duration, Int64)])
  func moments(duration: Duration, nanoseconds: Int64) {
    let start = Moment(nanoseconds: 7)
    #expect(duration.nanoseconds == nanoseconds)
    #expect(start.advanced(by: duration).nanoseconds == 7 + nanoseconds)
    #expect(start.duration(to: start.advanced(by: duration)) == duration)
    #expect((start < start.advanced(by: duration)) == (nanoseconds > 0))
  }

  @Test(
    "Seconds and milliseconds become the nearest nanosecond",
    arguments: [
      (0.1, 100_000_000), (30, 30_000_000_000), (1e-9, 1), (1.4e-9, 1), (1.6e-9, 2), (-0.25, -250_000_000),
    ] as [(Double, Int64)])
  func seconds(seconds: Double, nanoseconds: Int64) {
    #expect(Duration(seconds: seconds).nanoseconds == nanoseconds)
    #expect(Duration(milliseconds: seconds * 1000).nanoseconds == nanoseconds)
    #expect(abs(Duration.nanoseconds(nanoseconds).seconds - seconds) < 1e-9)
    #expect(abs(Duration.nanoseconds(nanoseconds).milliseconds - seconds * 1000) < 1e-6)
  }
}
