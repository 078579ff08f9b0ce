import Basics
import HealthStore
import Quantities

/// `station store profile`: a person's date of birth, sex, and latest height and body mass.
struct StoreProfileCommand: Command {
  static let syntax = CommandSyntax(
    "store profile", "shows a person's date of birth, sex, latest height and body mass",
    options: [
      .init("participant", value: "ID", "the participant (default: the person whose data have no participant)"),
      SampleSelection.zoneOption,
      .init("json", "print one JSON object"),
    ] + StoreLocation.operatorOptions)

  private let location: StoreLocation
  private let participant: String?
  private let zone: TimeZone
  private let isJSON: Bool

  init(_ arguments: Arguments) throws {
    location = StoreLocation(arguments)
    participant = arguments["participant"]
    zone = try arguments.zone()
    isJSON = arguments.has("json")
  }

  func run() async throws -> ExitStatus {
    let store = try await location.open()
    let person = try await store.characteristics(of: participant ?? "")
    let conditions = MetadataCondition.participant(participant)
    var values: [(type: QuantityType, words: String, sample: QuantitySample?)] = [
      (.height, "height", nil), (.bodyMass, "body mass", nil),
    ]
    for index in values.indices {
      values[index].sample = try await store.mostRecent(
        of: values[index].type, matching: SamplePredicate(metadata: conditions))
    }
    let sex = person.biologicalSex == .notSet ? nil : person.biologicalSex.rawValue
    guard !isJSON else {
      var answer: [String: JSONValue] = [
        "participant": .text(participant),
        "dateOfBirth": .text(person.dateOfBirth.map { "\($0)" }),
        "biologicalSex": .text(sex),
      ]
      for (type, _, sample) in values {
        answer[type.identifier] =
          try sample.map { sample in
            [
              "value": .number(try sample.value(in: type.defaultUnit)), "unit": .string("\(type.defaultUnit)"),
              "startDate": .string(zone.precise(sample.start)),
            ]
          } ?? .null
      }
      Console.standard.write(JSONValue.object(answer).encoded(pretty: true))
      return .done
    }
    if let participant { Console.standard.line("participant \(participant)") }
    Console.standard.line("date of birth: \(person.dateOfBirth.map { "\($0)" } ?? "not set")")
    Console.standard.line("biological sex: \(sex ?? "not set")")
    for (type, words, sample) in values {
      let value = try sample.map { sample in
        "\(try sample.value(in: type.defaultUnit).brief) \(type.defaultUnit), "
          + "\(zone.short(sample.start))"
      }
      Console.standard.line("\(words): \(value ?? "not logged")")
    }
    return .done
  }
}
