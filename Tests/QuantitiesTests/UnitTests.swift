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

}
