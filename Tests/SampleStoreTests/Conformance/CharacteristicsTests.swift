import Basics
import Quantities
import Testing

@testable import SampleStore

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
}
