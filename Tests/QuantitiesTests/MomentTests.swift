import Basics
import Quantities
import Testing

@Suite("Moments and durations")
struct MomentTests {
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

  @Test(
    "Times beyond the clock's range are held at its ends, and never overflow",
    arguments: [Int64.min, -1, 0, 1, .max], [Int64.min, -1, 0, 1, .max])
  func extremes(one: Int64, other: Int64) {
    let (first, second) = (Moment(nanoseconds: one), Moment(nanoseconds: other))
    let gap = first.duration(to: second)
    #expect((gap > .zero) == (first < second))
    #expect((gap < .zero) == (second < first))
    let sum = first.advanced(by: .nanoseconds(other))
    #expect(other < 0 ? sum <= first : sum >= first)
  }
}
