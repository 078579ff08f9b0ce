import Testing

@testable import Charts

@Suite("Ticks")
struct TickTests {
  private func texts(_ scale: HorizontalAxis.Scale, _ low: Double, _ high: Double, _ limit: Int) -> [String] {
    TickSets(scale: scale, low: low, high: high, limit: limit).first { _ in true }.map { $0.text }
  }

  @Test(
    "Numbers are round",
    arguments: [
      (0.0, 100.0, 5, ["0", "25", "50", "75", "100"]), (58, 93, 4, ["60", "70", "80", "90"]),
      (-1, 1, 5, ["−1.0", "−0.5", "0", "0.5", "1.0"]), (0, 15_000, 4, ["0", "5,000", "10,000", "15,000"]),
      (0.001, 0.005, 5, ["0.001", "0.002", "0.003", "0.004", "0.005"]),
      (0, 3e9, 4, ["0", "1×10⁹", "2×10⁹", "3×10⁹"]), (0, 4e-7, 5, ["0", "1×10⁻⁷", "2×10⁻⁷", "3×10⁻⁷", "4×10⁻⁷"]),
      (0.1, 0.3, 3, ["0.1", "0.2", "0.3"]), (7, 7, 5, []),
    ])
  func numbers(low: Double, high: Double, limit: Int, expected: [String]) {
    #expect(texts(.number, low, high, limit) == expected)
  }

  @Test(
    "Times since a zero have round steps and their unit",
    arguments: [
      (0.0, 120.0, 5, ["0 s", "30 s", "60 s", "90 s", "120 s"]),
      (-10, 30, 5, ["−10 s", "0 s", "10 s", "20 s", "30 s"]),
      (0, 600, 4, ["0 min", "5 min", "10 min"]),
      (
        0, 240, 9,
        ["0:00 min", "0:30 min", "1:00 min", "1:30 min", "2:00 min", "2:30 min", "3:00 min", "3:30 min", "4:00 min"]
      ),
      (0, 86_400, 5, ["0 h", "6 h", "12 h", "18 h", "24 h"]), (0, 1.5, 4, ["0 s", "0.5 s", "1.0 s", "1.5 s"]),
      (0, 9000, 6, ["0:00 h", "0:30 h", "1:00 h", "1:30 h", "2:00 h", "2:30 h"]),
    ])
  func elapsed(low: Double, high: Double, limit: Int, expected: [String]) {
    #expect(texts(.elapsed, low, high, limit) == expected)
  }

  @Test(
    "Days are named, in weeks from Mondays, months and years from their firsts, with the year where it is new",
    arguments: [
      // 20,818 days after 1970-01-01 is 2026-12-31; 2026-11-02 is a Monday.
      (20_817.5, 20_820.5, 5, ["31 Dec 2026", "1 Jan 2027", "2 Jan"]),
      (20_757.5, 20_787.5, 6, ["2 Nov 2026", "9 Nov", "16 Nov", "23 Nov", "30 Nov"]),
      (20_700, 20_900, 8, ["Oct 2026", "Nov", "Dec", "Jan 2027", "Feb", "Mar"]),
      (19_400, 20_770, 5, ["2024", "2025", "2026"]),
      (19_400, 20_770, 9, ["Jul 2023", "Jan 2024", "Jul", "Jan 2025", "Jul", "Jan 2026", "Jul"]),
      (-800, 800, 6, ["1968", "1969", "1970", "1971", "1972"]),
    ] as [(Double, Double, Int, [String])])
  func days(low: Double, high: Double, limit: Int, expected: [String]) {
    #expect(texts(.day, low, high, limit) == expected)
  }

  @Test("Ticks lie within their axis, are in order and not too many", arguments: 1...200)
  func property(seed: UInt64) {
    var noise = Noise(seed: seed)
    let size = (0..<Int(seed % 40)).reduce(1e-20) { value, _ in value * 10 }
    let low = noise.next(within: size)
    let high = low + noise.next(within: size).magnitude + size * 1e-3
    for scale in [HorizontalAxis.Scale.number, .elapsed, .day] {
      let ticks = TickSets(scale: scale, low: low, high: high, limit: 8).first { _ in true }
      #expect(ticks.count <= 8)
      #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0.value < $1.value })
      #expect(ticks.allSatisfy { $0.value >= low - (high - low) * 1e-6 && $0.value <= high + (high - low) * 1e-6 })
      #expect(Set(ticks.map { $0.text }).count == ticks.count || scale != .number)
      if scale == .number { #expect(ticks.count >= 2) }
    }
  }
}
