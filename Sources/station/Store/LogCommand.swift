import Basics
import Quantities
import Reports
import SampleStore

extension Command {
  /// What no sensor measures, recorded by hand.
  static let log = Command(
    "log", operands: "food NAME|dateOfBirth DATE|biologicalSex SEX|TYPE VALUE", count: 2...16,
    "logs food, a characteristic or a value by hand",
    options: [
      .init("energy", value: "ENERGY", "the energy of the food, with its unit: 250kcal, 1046kJ"),
      .init("at", value: "TIME", "when it was eaten or measured (default: now)"),
      .init("until", value: "TIME", "when the measurement ended (default: when it started)"),
      .init("participant", value: "ID", "the participant (default: none)"),
      .init("yes", "log the value even if it is implausible"), .timeZone, .json(),
    ] + StoreLocation.options
  ) { try await LogRequest($0).run() }
}

private struct LogRequest {
  private let arguments: Arguments
  private let location: StoreLocation
  private let now = WallTime.now
  private let start: WallTime
  private let end: WallTime
  private let participant: String?
  private let zone: TimeZone

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    location = StoreLocation(arguments)
    participant = try arguments.code("participant")
    zone = try arguments.zone()
    start = try arguments.time("at", zone, now) ?? now
    end = try arguments.time("until", zone, now) ?? start
    guard start <= end else { throw arguments.refusal("--until \(end) is before --at \(start)") }
  }

  func run() async throws -> ExitStatus {
    // “70 kg” and “Apple pie” may come as several words.
    let (what, text) = (arguments.operands[0], arguments.operands.dropFirst().joined(separator: " "))
    if what != "food", arguments.has("energy") { throw arguments.refusal("--energy applies only to food") }
    switch what {
    case "food":
      guard let energy = arguments["energy"] else {
        throw arguments.refusal("missing --energy, for example --energy 95kcal")
      }
      guard text.contains(where: { !$0.isWhitespace }) else {
        throw arguments.refusal("missing the name of the food, for example “Apple”")
      }
      let quantity = try quantity(energy, for: .dietaryEnergyConsumed)
      try await save(
        .dietaryEnergyConsumed, quantity, [Metadata.Key.foodType: .string(text)], in: try await location.openIfThere())
    case "dateOfBirth":
      guard let date = CalendarDate(text) else {
        throw arguments.refusal("invalid date “\(text)”: expected a date such as 1990-05-31")
      }
      let today = CalendarDate(String(zone.text(now).prefix(10)))
      guard isSure || today.map({ (0...130).contains(date.years(until: $0)) }) ?? false else {
        throw arguments.refusal("the date of birth \(date) is implausible; --yes logs it anyway")
      }
      try await change("dateOfBirth", "\(date)", "date of birth") { $0.dateOfBirth = date }
    case "biologicalSex":
      let sex = try arguments.choice(operand: text, BiologicalSex.self, called: "biological sex")
      try await change("biologicalSex", sex.rawValue, "biological sex") { $0.biologicalSex = sex }
    default:
      let store = try await location.openIfThere()
      let type = try await SampleStore.quantityType(what, in: store)
      try await save(type, try quantity(text, for: type), [:], in: store)
    }
    return .done
  }

  /// Whether implausible values are logged too.
  private var isSure: Bool { arguments.has("yes") }

  /// Reads `250kcal` or `1.2 count/s`; a number without a unit is refused.
  private func quantity(_ text: String, for type: QuantityType) throws -> Quantity {
    do throws(QuantityTextError) {
      return try Quantity(text, for: type)
    } catch {
      if case .unit = error { throw Failure("\(error)", status: .wrongUsage) }
      throw arguments.refusal("\(error)")
    }
  }

  /// Saves a value, and creates the store if there is none; a rejected value creates no store.
  private func save(
    _ type: QuantityType, _ quantity: Quantity, _ metadata: [String: Metadata.Value], in known: SampleStore?
  ) async throws {
    if !isSure, let range = try quantity.implausible(as: type) {
      throw Failure(
        "nothing was logged: \(type) of \(quantity.plainText) is implausible (\(range) \(quantity.unit)); correct it, "
          + "or log it with --yes", status: .wrongUsage)
    }
    var metadata = metadata
    metadata[Metadata.Key.wasUserEntered] = .bool(true)
    metadata[Metadata.Key.timeZone] = .string(zone.name)
    metadata[Metadata.Key.participant] = participant.map { .string($0) }
    let sample = try QuantitySample(
      uuid: UUID(), type: type, quantity: quantity, start: start, end: end,
      sourceRevision: .of("log", client: known?.client), metadata: Metadata(metadata))
    if let reason = Storable.problem(with: type, from: start, to: end) { throw Failure(reason) }
    let store = if let known { known } else { try await location.openOrMake() }
    try await store.save([sample])
    try Console.standard.answer(
      arguments, SampleRendering(unit: quantity.unit, zone: zone).json(sample),
      ["\(type): \(quantity.plainText) at \(zone.text(start)), \(sample.uuid)"])
  }

  /// Changes a characteristic, and prints it.
  private func change(
    _ key: String, _ value: String, _ name: String, _ body: @escaping @Sendable (inout Characteristics) -> Void
  ) async throws {
    if arguments.has("client") {
      throw arguments.refusal("only the operator can log characteristics; leave out --client")
    }
    try await location.openOrMake().changeCharacteristics(of: participant ?? "", body)
    Console.standard.answer(
      arguments, [key: .string(value), "participant": .text(participant)], ["\(name): \(value)"])
  }
}

extension SourceRevision {
  /// The source of what a command saves, which is the client that it acts for, or else the command.
  static func of(_ command: String, client: String?) -> SourceRevision {
    SourceRevision(
      source: Source(name: client ?? "station \(command)", bundleIdentifier: client ?? "station.\(command)"),
      version: Version.current)
  }
}
