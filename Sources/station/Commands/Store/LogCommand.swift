import Basics
import Quantities
import Reports
import SampleStore

/// `station log WHAT …`: records by hand what no sensor measures.
struct LogCommand: Command {
  static let syntax = CommandSyntax(
    "log", operands: "food NAME|dateOfBirth DATE|biologicalSex SEX|TYPE VALUE", count: 2...16,
    "logs food, a characteristic or a value by hand",
    options: [
      .init("energy", value: "ENERGY", "the energy of the food, with its unit: 250kcal, 1046kJ"),
      .init("at", value: "TIME", "when it was eaten or measured (default: now)"),
      .init("until", value: "TIME", "when the measurement ended (default: when it started)"),
      .init("participant", value: "ID", "the participant (default: none)"),
      .init("yes", "log the value even if it is implausible"),
      SampleSelection.zoneOption,
      .init("json", "print one JSON object"),
    ] + StoreLocation.options)

  /// The source of values that were logged by hand.
  static let source = SourceRevision(
    source: Source(name: "station log", bundleIdentifier: "station.log"), version: Version.current)

  private let location: StoreLocation
  private let entry: Entry
  private let start: WallTime
  private let end: WallTime
  private let participant: String?
  private let zone: TimeZone
  private let isJSON: Bool
  private let isSure: Bool

  private enum Entry {
    case food(String, Quantity)
    case dateOfBirth(CalendarDate)
    case biologicalSex(BiologicalSex)
    case value(String, String)
  }

  init(_ arguments: Arguments) throws {
    location = StoreLocation(arguments)
    isJSON = arguments.has("json")
    isSure = arguments.has("yes")
    participant = try arguments.code("participant")
    let zone = try arguments.zone()
    self.zone = zone
    let now = WallTime.now
    start = try arguments.time("at", zone, now) ?? now
    end = try arguments.time("until", zone, now) ?? start
    guard start <= end else {
      throw Self.refusal("--until \(end) is before --at \(start)")
    }
    entry = try Self.entry(arguments)
    if case .dateOfBirth(let date) = entry, !isSure {
      let today = CalendarDate(String(zone.text(now).prefix(10)))
      guard let today, (0...130).contains(date.years(until: today)) else {
        throw Self.refusal("the date of birth \(date) is implausible; --yes logs it anyway")
      }
    }
    if arguments.has("client") {
      switch entry {
      case .food, .value: break
      case .dateOfBirth, .biologicalSex:
        throw Self.refusal("only the operator can log characteristics; leave out --client")
      }
    }
  }

  private static func entry(_ arguments: Arguments) throws -> Entry {
    // “70 kg” and “Apple pie” may come as several words.
    let (what, text) = (arguments.operands[0], arguments.operands.dropFirst().joined(separator: " "))
    guard what == "food" else {
      if arguments.has("energy") { throw Self.refusal("--energy applies only to food") }
      switch what {
      case "dateOfBirth":
        guard let date = CalendarDate(text) else {
          throw Self.refusal("invalid date “\(text)”: expected a date such as 1990-05-31")
        }
        return .dateOfBirth(date)
      case "biologicalSex":
        return .biologicalSex(try arguments.choice(operand: text, BiologicalSex.self, called: "biological sex"))
      default: return .value(what, text)
      }
    }
    guard let energy = arguments["energy"] else {
      throw Self.refusal("missing --energy, for example --energy 95kcal")
    }
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw Self.refusal("missing the name of the food, for example “Apple”")
    }
    let quantity = try quantity(energy, for: .dietaryEnergyConsumed)
    return .food(text, quantity)
  }

  /// Reads `250kcal` or `1.2 count/s`; a number without a unit is refused.
  private static func quantity(_ text: String, for type: QuantityType) throws -> Quantity {
    do throws(QuantityTextError) {
      return try Quantity(text, for: type)
    } catch {
      if case .unit = error { throw Failure("\(error)", status: .wrongUsage) }
      throw refusal("\(error)")
    }
  }

  func run() async throws -> ExitStatus {
    switch entry {
    case .food(let name, let energy):
      try await save(
        .dietaryEnergyConsumed, energy, [Metadata.Key.foodType: .string(name)], in: try await location.openIfThere())
    case .value(let name, let text):
      let store = try await location.openIfThere()
      let type = try await SampleStore.quantityType(name, in: store)
      try await save(type, try Self.quantity(text, for: type), [:], in: store)
    case .dateOfBirth(let date):
      try await change { $0.dateOfBirth = date }
      tell("date of birth: \(date)", ["dateOfBirth": .string("\(date)")])
    case .biologicalSex(let sex):
      try await change { $0.biologicalSex = sex }
      tell("biological sex: \(sex.rawValue)", ["biologicalSex": .string(sex.rawValue)])
    }
    return .done
  }

  /// Rejects implausible values, unless `--yes` was given.
  private func check(_ quantity: Quantity, _ type: QuantityType) throws {
    guard !isSure, let range = try quantity.implausible(as: type) else { return }
    throw Failure(
      "nothing was logged: \(type) of \(quantity.plainText) is implausible (\(range) \(quantity.unit)); correct it, or "
        + "log it with --yes", status: .wrongUsage)
  }

  /// Saves a value, and creates the store if there is none; a rejected value creates no store.
  private func save(
    _ type: QuantityType, _ quantity: Quantity, _ metadata: [String: Metadata.Value], in known: SampleStore?
  ) async throws {
    try check(quantity, type)
    var metadata = metadata
    metadata[Metadata.Key.wasUserEntered] = .bool(true)
    metadata[Metadata.Key.timeZone] = .string(zone.name)
    metadata[Metadata.Key.participant] = participant.map { .string($0) }
    var source = Self.source
    if let client = known?.client { source.source = Source(name: client, bundleIdentifier: client) }
    let sample = try QuantitySample(
      uuid: UUID(), type: type, quantity: quantity, start: start, end: end, sourceRevision: source,
      metadata: Metadata(metadata))
    if let reason = Storable.problem(with: type, from: start, to: end) { throw Failure(reason) }
    let store = if let known { known } else { try await location.openOrMake() }
    try await store.save([sample])
    guard !isJSON else {
      return Console.standard.write(
        try SampleRendering(unit: quantity.unit, zone: zone).json(sample).encoded(pretty: true))
    }
    Console.standard.line("\(type): \(quantity.plainText) at \(zone.text(start)), \(sample.uuid)")
  }

  /// Prints a characteristic that was logged.
  private func tell(_ line: String, _ characteristic: [String: JSONValue]) {
    guard isJSON else { return Console.standard.line(line) }
    var answer = characteristic
    answer["participant"] = participant.map { .string($0) } ?? .null
    Console.standard.write(JSONValue.object(answer).encoded(pretty: true))
  }

  private func change(_ body: @escaping @Sendable (inout Characteristics) -> Void) async throws {
    try await location.openOrMake().changeCharacteristics(of: participant ?? "", body)
  }
}
