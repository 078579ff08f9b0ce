import Testing

@testable import Analysis

@Suite("Digits that people are shown")
struct DigitsTests {
  @Test(
    "are those of the quantity, wherever it is shown",
    arguments: [
      (Measure.timeWeightedHeartRate, 72.345, "/min", 1), (.rmssd, 2.772, "ms", 1), (.pnn50, 48.5, "%", 1),
      (.nn50, 12, "1", 0), (.lf, 1678.886, "ms2", 0), (.lf, 67.8, "ms2", 1), (.sampleEntropy, 1.712, "1", 2),
      (.lf, 0.0123, "1", 4), (.nn50, 3.25, "%", 1),
    ] as [(Measure, Double, String, Int)])
  func digits(measure: Measure, number: Double, unit: String, expected: Int) {
    #expect(measure.digits(of: number, unit: unit) == expected)
    #expect(measure.digits(of: -number, unit: unit) == expected)
  }
}
