import Quantities
import Testing

@testable import HealthStore

@Suite("Characteristics")
struct CharacteristicsTests {
  @Test("They are kept for each person, replaced and forgotten", arguments: TestedEngine.allCases)
  func kept(engine: TestedEngine) async throws {
    let store = try await engine.make().store
    #expect(try await store.characteristics(of: "p1") == Characteristics())
    let first = Characteristics(dateOfBirth: CalendarDate("1990-05-31"), biologicalSex: .female)
    try await store.setCharacteristics(first, of: "p1")
    try await store.setCharacteristics(Characteristics(biologicalSex: .other), of: "p'; DROP TABLE samples; --")
    #expect(try await store.characteristics(of: "p1") == first)
    #expect(try await store.characteristics(of: "p'; DROP TABLE samples; --").biologicalSex == .other)
    #expect(try await store.characteristics() == Characteristics())
    try await store.setCharacteristics(Characteristics(dateOfBirth: CalendarDate("1991-01-01")), of: "p1")
    #expect(try await store.characteristics(of: "p1").biologicalSex == .notSet)
    #expect(try await store.characteristics(of: "p1").dateOfBirth == CalendarDate("1991-01-01"))
  }

  @Test("Changes that come at once lose none of each other", arguments: TestedEngine.allCases)
  func changes(engine: TestedEngine) async throws {
    let store = try await engine.make().store
    let date = try #require(CalendarDate("1990-05-31"))
    async let one: Void = store.changeCharacteristics { $0.dateOfBirth = date }
    async let two: Void = store.changeCharacteristics { $0.biologicalSex = .female }
    _ = try await (one, two)
    #expect(try await store.characteristics() == Characteristics(dateOfBirth: date, biologicalSex: .female))
  }

  @Test("They are the operator's", arguments: TestedEngine.allCases)
  func operators(engine: TestedEngine) async throws {
    let client = try await engine.make().store.asClient("org.example.app")
    #expect(await refusal { _ = try await client.characteristics() } == "Not authorized")
    #expect(await refusal { try await client.setCharacteristics(Characteristics()) } == "Not authorized")
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
}
