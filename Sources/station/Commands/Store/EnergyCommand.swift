import HealthStore
import JSON
import Quantities
import Times

/// `station energy`: what a participant ate, and spent moving and resting, on one day.
struct EnergyCommand: Command {
  static let syntax = CommandSyntax(
    "energy", "prints a day's energy: consumed, active, resting and net",
    options: [
      .init("date", value: "DATE", "the day; today unless it is given"),
      .init("participant", value: "ID", "whose; everything in the store unless it is given"),
      .init("formula", value: "NAME", "harrisBenedict or mifflinStJeor; the first unless it is given"),
      .init("joules", "in kilojoules instead of kilocalories"),
      SampleSelection.zoneOption,
      .init("json", "print one JSON object"),
    ] + StoreLocation.operatorOptions)

  private let location: StoreLocation
  private let day: WallTime
  private let now: WallTime
  private let zone: TimeZone
  private let participant: String?
  private let formula: RestingEnergyFormula
  private let style: EnergyStyle
  private let isJSON: Bool

  init(_ arguments: Arguments) throws {
    location = StoreLocation(arguments)
    let zone = try SampleSelection.zone(arguments, Self.syntax)
    self.zone = zone
    let now = WallTime.now
    self.now = now
    day = zone.startOfDay(containing: try SampleSelection.time(arguments["date"] ?? "today", zone, now, Self.syntax))
    participant = arguments["participant"]
    formula = try arguments.choice("formula", RestingEnergyFormula.self) ?? .harrisBenedict
    style = arguments.has("joules") ? .joules : .kilocalories
    isJSON = arguments.has("json")
  }

  func run() async throws -> ExitStatus {
    let store = try await location.open()
    let end = zone.endOfDay(containing: day)
    let date = String(zone.text(day).prefix(10))
    let consumed = try await sum(.dietaryEnergyConsumed, until: end, in: store)
    let active = try await sum(.activeEnergyBurned, until: end, in: store)
    let profile = try await profile(at: min(now, end), in: store)
    guard let calendarDate = CalendarDate(date) else { throw Failure("“\(date)” is not a day of the calendar") }
    let resting: Quantity
    do {
      resting = try formula.energy(of: profile, on: calendarDate, within: day..<end, until: now)
    } catch {
      guard case .missing(let names, _) = error else { throw Failure("\(error)") }
      let remedies = names.compactMap { name in Self.remedies[name].map { "“station log \($0)\(place)”" } }
      throw Failure(
        "the resting energy of \(participant ?? "the store") cannot be computed: \(names.joined(separator: ", ")) "
          + "missing; \(remedies.joined(separator: ", ")) set\(remedies.count == 1 ? "s" : "") "
          + (remedies.count == 1 ? "it" : "them"))
    }
    try write(EnergyBalance(consumed: consumed, active: active, resting: resting), date: date)
    return .done
  }

  /// What sets a characteristic.
  private static let remedies = [
    "date of birth": "dateOfBirth 1990-05-31", "biological sex": "biologicalSex female", "height": "height 170cm",
    "body mass": "bodyMass 60kg",
  ]

  /// The options by which the same store and participant are meant, as they were given.
  private var place: String {
    (participant.map { " --participant \($0)" } ?? "") + location.given
  }

  /// The day's sum: of what starts in it, as the tutorial's predicate asks.
  private func sum(_ type: QuantityType, until end: WallTime, in store: SampleStore) async throws -> Quantity? {
    var predicate = SamplePredicate(start: day, end: end, options: .strictStartDate)
    predicate.metadata = conditions
    do {
      return try await store.statistics(of: type, matching: predicate, options: .cumulativeSum).overall.sum
    } catch {
      guard (error as? StoreError)?.code == .noData else { throw error }
      return nil
    }
  }

  private var conditions: [MetadataCondition] {
    participant.map { [.allowed(Metadata.Key.participant, [.string($0)])] } ?? []
  }

  /// The characteristics, with the latest mass and height before the day's end.
  private func profile(at time: WallTime, in store: SampleStore) async throws -> EnergyProfile {
    let predicate = SamplePredicate(end: time, metadata: conditions)
    let characteristics = try await store.characteristics(of: participant ?? "")
    return EnergyProfile(
      dateOfBirth: characteristics.dateOfBirth, biologicalSex: characteristics.biologicalSex,
      height: try await store.mostRecent(of: .height, matching: predicate)?.quantity,
      bodyMass: try await store.mostRecent(of: .bodyMass, matching: predicate)?.quantity)
  }

  private func write(_ balance: EnergyBalance, date: String) throws {
    let parts: [(name: String, energy: Quantity)] = [
      ("consumed", balance.consumed), ("active", balance.active), ("resting", balance.resting), ("net", balance.net),
    ]
    guard !isJSON else {
      let unit = style == .joules ? Unit.kilojoule : .kilocalorie
      var members: [String: JSONValue] = [
        "date": .string(date), "timeZone": .string("\(zone)"), "formula": .string(formula.rawValue),
        "unit": .string("\(unit)"), "participant": participant.map { .string($0) } ?? .null,
      ]
      for part in parts { members[part.name] = .number(try part.energy.value(in: unit)) }
      return Console.standard.write(JSONValue.object(members).encoded(pretty: true))
    }
    Console.standard.line("energy of \(date), \(zone)" + (participant.map { ", participant \($0)" } ?? ""))
    for part in parts {
      let text = try part.energy.energyText(in: style, isSigned: part.name == "net")
      Console.standard.line("\(part.name.padded(to: 10)) \(text.padded(to: 12, isRight: true))")
    }
    Console.standard.line(
      "net = consumed − active − resting; resting by \(formula.rawValue)"
        + (zone.endOfDay(containing: day) > now ? ", up to now" : ""))
  }
}
