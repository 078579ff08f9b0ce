import Basics
import Quantities
import Testing

@Suite("Time zones")
struct TimeZoneTests {
  private static func time(_ text: String) throws -> WallTime { try #require(WallTime(text)) }

  @Test(
    "What is not a zone is refused by name",
    arguments: [
      "", "Europe/Atlantis", "/etc/passwd", "../../etc/passwd", "UTC\0", "file:/etc/passwd", "Europe/Amsterdam'; --",
    ])
  func zones(name: String) {
    #expect {
      try TimeZone(name)
    } throws: {
      "\($0)".hasPrefix("“\(name)” is not a time zone of this system")
    }
  }

  @Test("The machine has a zone, and a day its start")
  func current() throws {
    #expect(!TimeZone.current.name.isEmpty)
    let amsterdam = try TimeZone("Europe/Amsterdam")
    #expect(
      try amsterdam.startOfDay(containing: Self.time("2018-10-28T12:00:00+01:00"))
        == Self.time("2018-10-28T00:00:00+02:00"))
    // Midnight did not exist there.
    let paulo = try TimeZone("America/Sao_Paulo")
    #expect(
      try paulo.startOfDay(containing: Self.time("2018-11-04T12:00:00-02:00"))
        == Self.time("2018-11-04T01:00:00-02:00"))
    #expect(try amsterdam.offset(at: Self.time("2018-10-28T12:00:00Z")) == .seconds(3600))
  }

  @Test(
    "A zone's clocks name instants, before, in and after the hours that they skip and repeat",
    arguments: [
      ("2018-10-28", "2018-10-27T22:00:00.000Z"), ("2018-10-28T02:30", "2018-10-28T00:30:00.000Z"),
      ("2018-03-25T02:30:15.5", "2018-03-25T01:30:15.500Z"), ("2018-07-01 12:00", "2018-07-01T10:00:00.000Z"),
      ("2018-02-30", nil), ("12:00", nil), ("", nil),
    ] as [(String, String?)])
  func localTimes(text: String, expected: String?) throws {
    let zone = try TimeZone("Europe/Amsterdam")
    #expect(zone.time(text)?.precise == expected)
  }

  @Test("A day of a zone begins and ends at its midnights, and shows its offset")
  func days() throws {
    let zone = try TimeZone("Europe/Amsterdam")
    let noon = try #require(WallTime("2018-10-28T11:00:00Z"))
    #expect(zone.startOfDay(containing: noon).duration(to: zone.endOfDay(containing: noon)) == .seconds(25 * 3600))
    #expect(zone.text(noon) == "2018-10-28T12:00:00.000+01:00")
    #expect(zone.text(zone.startOfDay(containing: noon)) == "2018-10-28T00:00:00.000+02:00")
    #expect(try TimeZone("America/St_Johns").text(noon) == "2018-10-28T08:30:00.000-02:30")
  }

  @Test("People read whole seconds and the offset")
  func plain() throws {
    let time = try Self.time("2026-07-01T12:00:59.900Z")
    #expect(try TimeZone("Europe/Amsterdam").plainText(time) == "2026-07-01 14:00:59 +02:00")
    #expect(TimeZone.utc.plainText(time) == "2026-07-01 12:00:59 +00:00")
  }
}
