import Basics
import Quantities
import SampleStore

extension Command {
  /// What a participant ate, and spent moving and resting, on one day.
  static let energy = Command(
    "energy", "prints a day's energy: consumed, active, resting and net",
    options: [
      .init("date", value: "DATE", "the day (default: today)"),
      .init("participant", value: "ID", "only this participant (default: the whole store)"),
      .init("formula", value: "NAME", "harrisBenedict or mifflinStJeor (default: harrisBenedict)"),
      .init("joules", "print kilojoules instead of kilocalories"), .timeZone, .includeSimulatedSamples, .json(),
    ] + StoreLocation.operatorOptions
  ) { try await EnergyRequest($0).run() }
}

private struct EnergyRequest {
  private let arguments: Arguments
  private let location: StoreLocation
  private let day: WallTime
  private let now: WallTime
  private let zone: TimeZone
  private let participant: String?
  private let formula: RestingEnergyFormula
  private let includesSimulated: Bool

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    location = StoreLocation(arguments)
    (zone, now) = (try arguments.zone(), WallTime.now)
    day = zone.startOfDay(containing: try arguments.time("date", zone, now) ?? now)
    participant = arguments["participant"]
    formula = try arguments.choice("formula", RestingEnergyFormula.self) ?? .harrisBenedict
    includesSimulated = try arguments.includesSimulated()
  }

  func run() async throws -> ExitStatus {
    let store = try await location.open()
    let end = zone.endOfDay(containing: day)
    let date = String(zone.text(day).prefix(10))
    let records = try await store.energyRecords(
      of: participant, from: day, to: end, knownBy: min(now, end), includesSimulated: includesSimulated)
    if let note = records.simulated.leftOut { Console.standard.report(note) }
    guard let calendarDate = CalendarDate(date) else { throw Failure("“\(date)” is not a calendar date") }
    let resting: Quantity
    do {
      resting = try formula.energy(of: records.profile, on: calendarDate, within: day..<end, until: now)
    } catch {
      guard case .missing(let names, _) = error else { throw Failure("\(error)") }
      throw try await missing(names, date, end, in: store)
    }
    let report = EnergyReport(
      balance: try EnergyBalance(consumed: records.consumed, active: records.active, resting: resting),
      records: records, date: date, zone: zone, formula: formula, participant: participant, isUnfinished: end > now)
    let isJoules = arguments.has("joules")
    try Console.standard.answer(
      arguments, report.json(in: isJoules ? .kilojoule : .kilocalorie),
      report.lines(in: isJoules ? .joules : .kilocalories))
    return .done
  }

  /// The `station log` arguments that set each characteristic.
  private static let remedies = [
    "date of birth": "dateOfBirth 1990-05-31", "biological sex": "biologicalSex female", "height": "height 170cm",
    "body mass": "bodyMass 60kg",
  ]

  /// The error for missing characteristics, with the commands that set them for the requested day.
  private func missing(
    _ names: [String], _ date: String, _ end: WallTime, in store: SampleStore
  ) async throws -> Failure {
    let measured = ["height": QuantityType.height, "body mass": .bodyMass]
    var remedies: [String] = []
    var later: [String] = []
    for name in names {
      guard let remedy = Self.remedies[name] else { continue }
      guard let type = measured[name] else {
        remedies.append("“station log \(remedy)\(place)”")
        continue
      }
      // A value logged without a time is dated now, which is too late for a past day.
      remedies.append("“station log \(remedy)\(now < end ? "" : " --at \(date)")\(place)”")
      var predicate = SamplePredicate(metadata: MetadataCondition.participant(participant))
      predicate.includesSimulated = includesSimulated
      let known = try await store.samples(of: type, matching: predicate, limit: 1).first
      if let known { later.append("\(try known.valueText) is known only from \(zone.text(known.start).prefix(10))") }
    }
    return Failure(
      "cannot compute the resting energy of \(participant ?? "the store") on \(date): missing "
        + "\(names.joined(separator: ", "))" + (later.isEmpty ? "" : " (\(later.joined(separator: ", ")))")
        + "; set \(names.count == 1 ? "it" : "them") with \(remedies.joined(separator: ", "))")
  }

  /// The options that select the same store and participant, as the user gave them.
  private var place: String {
    (participant.map { " --participant \($0.shellQuoted)" } ?? "") + location.given
  }
}
