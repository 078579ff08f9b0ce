import Basics
import Laboratory
import Quantities
import Sensors

/// `station sensors`: the sensors that can be used now, and what to type for each.
struct SensorsCommand: Command {
  static let syntax = CommandSyntax(
    "sensors", "lists the sensors that can be used now, and what to type for each",
    options: [
      .init("for", value: "TIME", "how long to listen for Bluetooth sensors, such as 5s (the default)"),
      AppliedSettings.resultsOption,
      .init("json", "print one JSON object"),
    ])

  static let takesInterrupts = true

  let settings: AppliedSettings
  let duration: Duration
  let isJSON: Bool

  init(_ arguments: Arguments) throws {
    settings = try AppliedSettings(arguments)
    duration = try arguments.duration("for", 0.1...600, "a time such as 5s or 1min") ?? .seconds(5)
    isJSON = arguments.has("json")
  }

  func run() async throws -> ExitStatus {
    let console = Console.standard
    if !isJSON { console.show(status: "searching for \(Int(duration.seconds.rounded(.up))) s") }
    let found: SensorsInReach? = await withTaskGroup(of: SensorsInReach?.self) { group in
      group.addTask { await SensorsInReach.search(for: duration) }
      group.addTask {
        for await _ in Interrupts.stream() { return nil }
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    console.show(status: "")
    guard let found else { return .failed }
    if isJSON { console.write(json(found).encoded(pretty: true)) } else { show(found, on: console) }
    return .done
  }

  /// The name that the settings give to an address; `nil` for none.
  private func name(of address: String) -> String? {
    settings.sensors.first { $0.value.address.text == address }?.value.name
  }

  private func show(_ found: SensorsInReach, on console: Console) {
    var table = TextTable([("sensor", .left), ("what to type", .left), ("signal", .right), ("battery", .right)])
    for sensor in found.sensors {
      let named = name(of: sensor.address).map { " (\($0))" } ?? ""
      table.add([
        sensor.name + named, Self.words(sensor), sensor.strength.map { "\($0) dBm" } ?? "",
        sensor.battery.map { "\($0) %" } ?? "",
      ])
    }
    let width = TerminalSize.current?.columns ?? .max
    let fits = table.lines.allSatisfy { $0.displayWidth <= width }
    for line in fits ? table.lines : list(of: found.sensors) { console.line(line) }
    for (kind, reason) in found.faults.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      console.line()
      console.line("\(kind.rawValue): \(reason)")
    }
    let known = Set(found.sensors.map(\.address))
    let others = settings.sensors.filter { !known.contains($0.value.address.text) }
    guard !others.isEmpty else { return }
    console.line()
    console.line("named in the settings, and not found in this search:")
    for sensor in others { console.line("  \(sensor.value.name): \(sensor.value.address.text)") }
  }

  /// What to type for a sensor.
  private static func words(_ sensor: ReachableSensor) -> String {
    "--sensor \("\(sensor.quantity.channelName)=\(sensor.address)".shellQuoted)"
  }

  /// The sensors below each other, for a terminal that is narrower than their table.
  private func list(of sensors: [ReachableSensor]) -> [String] {
    sensors.flatMap { sensor in
      let named = name(of: sensor.address).map { " (\($0))" } ?? ""
      let facts = [sensor.strength.map { "signal \($0) dBm" }, sensor.battery.map { "battery \($0) %" }]
        .compactMap(\.self)
      return ["\(sensor.name.visible)\(named)", "  \(Self.words(sensor).visible)"]
        + (facts.isEmpty ? [] : ["  \(facts.joined(separator: ", "))"])
    }
  }

  private func json(_ found: SensorsInReach) -> JSONValue {
    [
      "sensors": .array(found.sensors.map(\.json)),
      "named": .object(
        Dictionary(settings.sensors.map { ($0.value.name, .string($0.value.address.text)) }) { first, _ in first }),
      "notSearched": .object(
        Dictionary(uniqueKeysWithValues: found.faults.map { ($0.key.rawValue, .string($0.value)) })),
    ]
  }
}
