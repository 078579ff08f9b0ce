import Basics
import Quantities
import Testing

@testable import SampleStore

@Suite("Intervals of the calendar")
struct CalendarTests {
  @Test(
    "An interval ends where the calendar says",
    arguments: [
      ("2018-10-28T00:00:00+02:00", "day", "Europe/Amsterdam", 1, "2018-10-29T00:00:00+01:00"),
      ("2019-03-31T00:00:00+01:00", "day", "Europe/Amsterdam", 1, "2019-04-01T00:00:00+02:00"),
      // A clock that skips 02:30 shows 03:30 then; one that shows it twice means the first.
      ("2019-03-30T02:30:00+01:00", "day", "Europe/Amsterdam", 1, "2019-03-31T03:30:00+02:00"),
      ("2018-10-27T02:30:00+02:00", "day", "Europe/Amsterdam", 1, "2018-10-28T02:30:00+02:00"),
      // Hours pass whatever clocks show.
      ("2018-10-28T00:00:00+02:00", "hour", "Europe/Amsterdam", 3, "2018-10-28T02:00:00+01:00"),
      // The 31st of a month that has none is its last day, and comes back.
      ("2027-01-31T12:00:00Z", "month", "UTC", 1, "2027-02-28T12:00:00Z"),
      ("2027-01-31T12:00:00Z", "month", "UTC", 2, "2027-03-31T12:00:00Z"),
      ("2028-02-29T12:00:00Z", "year", "UTC", 1, "2029-02-28T12:00:00Z"),
      ("2026-11-21T12:00:00Z", "2 weeks", "UTC", -2, "2026-10-24T12:00:00Z"),
      // Samoa went from the 29th to the 31st of December.
      ("2011-12-29T00:00:00-10:00", "day", "Pacific/Apia", 1, "2011-12-31T00:00:00+14:00"),
      ("2011-12-29T00:00:00-10:00", "day", "Pacific/Apia", 2, "2011-12-31T00:00:00+14:00"),
      ("2011-12-29T00:00:00-10:00", "day", "Pacific/Apia", 3, "2012-01-01T00:00:00+14:00"),
      ("2026-11-21T12:00:00.000007Z", "day", "Asia/Kolkata", 1, "2026-11-22T12:00:00.000007Z"),
    ] as [(String, String, String, Int, String)])
  func edges(row: (String, String, String, Int, String)) throws {
    let (anchor, step, zone, index, edge) = row
    let intervals = CalendarIntervals(
      anchor: WallTime(at: anchor).microseconds, step: try IntervalComponents(step), zone: try TimeZone(zone))
    #expect(WallTime(microseconds: intervals.edge(index)) == WallTime(at: edge))
  }

  @Test("A day that a zone skipped is not an interval")
  func skipped() throws {
    let anchor = WallTime(at: "2011-12-29T00:00:00-10:00").microseconds
    let intervals = CalendarIntervals(anchor: anchor, step: .day, zone: try TimeZone("Pacific/Apia"))
    #expect((0..<4).map { intervals.index(of: intervals.edge($0)) } == [0, 2, 2, 3])
  }

  @Test(
    "What is not a length of intervals is refused",
    arguments: ["", "0 days", "-1 day", "fortnight", "1 2 days", "days days", "201 years", "9223372036854775807 hours"])
  func lengths(text: String) {
    #expect(throws: IntervalError.self) { try IntervalComponents(text) }
  }

  @Test(
    "Lengths are read and told",
    arguments: [("day", "1 day"), ("2 weeks", "14 days"), ("year", "12 months"), ("15 minutes", "900 seconds")])
  func reading(row: (String, String)) throws {
    #expect("\(try IntervalComponents(row.0))" == row.1)
  }
}
