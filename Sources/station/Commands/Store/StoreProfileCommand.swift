import Basics
import SampleStore

/// `station store profile`: a person's date of birth, sex, and latest height and body mass.
struct StoreProfileCommand: Command {
  static let syntax = CommandSyntax(
    "store profile", "shows a person's date of birth, sex, latest height and body mass",
    options: [
      .init("participant", value: "ID", "the participant (default: the person whose data have no participant)"),
      SampleSelection.zoneOption, SampleSelection.include,
      .init("json", "print one JSON object"),
    ] + StoreLocation.operatorOptions)

  private let location: StoreLocation
  private let participant: String?
  private let zone: TimeZone
  private let includesSimulated: Bool
  private let isJSON: Bool

  init(_ arguments: Arguments) throws {
    location = StoreLocation(arguments)
    participant = arguments["participant"]
    zone = try arguments.zone()
    includesSimulated = try SampleSelection.includesSimulated(arguments)
    isJSON = arguments.has("json")
  }

  func run() async throws -> ExitStatus {
    let store = try await location.open()
    let profile = try await store.profile(of: participant, includesSimulated: includesSimulated)
    if let note = profile.simulated.leftOut { Console.standard.report(note) }
    guard !isJSON else {
      Console.standard.write(try profile.json(zone).encoded(pretty: true))
      return .done
    }
    for line in try profile.lines(zone) { Console.standard.line(line) }
    return .done
  }
}
