import Basics
import Experiment
import Quantities
import Sensors

/// `station sensors`: the sensors that can be used now, and what to type for each; or a device to rehearse with.
struct SensorsCommand: Command {
  static let syntax = CommandSyntax(
    "sensors", "lists the sensors that can be used now, and what to type for each",
    options: [
      .init("for", value: "TIME", "how long to listen for Bluetooth sensors, such as 5s (the default)"),
      .init(
        "pretend", value: Pretended.allCases.map(\.rawValue).joined(separator: "|"),
        "run a device that is not there, to rehearse with, until Ctrl-C"),
      .init("straps", value: "COUNT", "with --pretend bluetooth: how many straps, 1 to 9 (default: 1)"),
      .init(
        "lose-every", value: "TIME",
        "with --pretend bluetooth: every TIME (10s to 1h) a strap is out of reach for "
          + "\(BluetoothPretender.absence) s, by turns in each way that BlueZ has"),
      AppliedSettings.resultsOption,
      .init("json", "print one JSON object"),
    ])

  static let takesInterrupts = true

  /// The devices that can be rehearsed with.
  private enum Pretended: String, CaseIterable {
    case bluetooth, lsl, pulsesensor, nonin, bitalino
  }

  let settings: AppliedSettings
  let duration: Duration
  private let pretended: Pretended?
  private let straps: Int
  /// The seconds from one loss of a link to the next; `nil` for none.
  private let losses: Int?
  let isJSON: Bool

  init(_ arguments: Arguments) throws {
    settings = try AppliedSettings(arguments)
    duration = try arguments.duration("for", 0.1...600, "a time such as 5s or 1min") ?? .seconds(5)
    pretended = try arguments.choice("pretend", Pretended.self)
    straps = try arguments.wholeNumber("straps", BluetoothPretender.counts) ?? 1
    let pauses = BluetoothPretender.pauses
    losses = try arguments.duration(
      "lose-every", Double(pauses.lowerBound)...Double(pauses.upperBound), "a time such as 30s or 2min"
    )
    .map { Int($0.seconds.rounded()) }
    isJSON = arguments.has("json")
    if pretended != nil, isJSON || arguments["for"] != nil {
      throw arguments.refusal("--pretend cannot be combined with --json or --for")
    }
    for option in ["straps", "lose-every"] where arguments[option] != nil && pretended != .bluetooth {
      throw arguments.refusal("--\(option) needs --pretend bluetooth")
    }
  }

  func run() async throws -> ExitStatus {
    if let pretended { return try await run(pretended) }
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

  /// Runs a device until Ctrl-C, or until nothing reads what it says, and prints how to reach it.
  private func run(_ device: Pretended) async throws -> ExitStatus {
    let console = Console.standard
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [straps, losses] in
        if device == .lsl {
          return try await LSLPretender().run(on: MonotonicClock()) { console.line("station check sensor '\($0)'") }
        }
        guard let kind = SerialKind(named: device.rawValue) else {
          return try await BluetoothPretender(straps: straps, losingEvery: losses).run(on: MonotonicClock()) { event in
            switch event {
            case .ready(let bus, let sensors):
              console.line("DBUS_SYSTEM_BUS_ADDRESS=\(bus)")
              for sensor in sensors { console.line("station check sensor \(sensor)") }
            case .lost(let sensor, let objects): console.line("\(sensor) is out of reach: \(objects)")
            case .back(let sensor): console.line("\(sensor) is in reach again")
            }
          }
        }
        try await SerialPretender(kind).run(on: MonotonicClock()) { sensor in
          console.line("station check sensor '\(sensor)'")
        }
      }
      group.addTask { for await _ in Interrupts.stream() { return } }
      group.addTask {
        while !console.isAbandoned { try await MonotonicClock().sleep(for: .seconds(1)) }
      }
      try await group.next()
      group.cancelAll()
    }
    return .done
  }
}
