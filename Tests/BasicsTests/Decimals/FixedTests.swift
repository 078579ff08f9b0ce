import Basics
import Testing

@Suite("A number for people")
struct FixedTests {
  @Test(
    "has the digits asked for after its point",
    arguments: [
      (0.05, 1, "0.1"), (-0.04, 1, "0.0"), (-2.25, 1, "-2.3"), (12, 0, "12"), (1.005, 3, "1.005"), (7, 3, "7.000"),
      (0.0012, 3, "0.001"), (-0.5, 0, "-1"), (123_456_789.125, 2, "123456789.13"),
    ])
  func digits(number: Double, digits: Int, text: String) { #expect(number.fixed(digits) == text) }

  @Test(
    "is printed whole where it has no room for them",
    arguments: [
      (Double.nan, "nan"), (-.infinity, "-inf"), (1e300, "1e+300"), (-1e13, "-10000000000000.0"),
    ])
  func extremes(number: Double, text: String) { #expect(number.fixed(3) == text) }

  @Test("can have a sign of its own below zero", arguments: [(-1.5, "−1.5"), (-0.01, "0.0"), (1.5, "1.5")])
  func sign(number: Double, text: String) { #expect(number.fixed(1, minus: "−") == text) }
}
