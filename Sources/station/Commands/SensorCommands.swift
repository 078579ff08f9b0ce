import Basics
import Laboratory
import Quantities
import Sensors
import Session

extension Command {
  /// The sensors that can be used now, and what to type for each.
  static let sensors = Command(
    "sensors", "lists the sensors that can be used now, and what to type for each", takesInterrupts: true,
    options: [
      .init("for", value: "TIME", "how long to listen for Bluetooth sensors, such as 5s (the default)"),
      .resultsOfSettings, .json(),
    ]
  ) { arguments in
    let settings = try AppliedSettings(arguments)
    let duration = try arguments.duration("for", 0.1...600, "a time such as 5s or 1min") ?? .seconds(5)
    let console = Console.standard
    if !arguments.isJSON { console.show(status: "searching for \(Int(duration.seconds.rounded(.up))) s") }
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
    console.answer(arguments, found.json(settings), found.lines(settings))
    return .done
  }

  /// What sensors send, live, and which lines cannot be read and why.
  static let checkSensor = Command(
    "check sensor", operands: "SENSOR…", count: 1...32,
    "shows live what sensors send, and which lines cannot be read and why", takesInterrupts: true,
    options: [
      .init("for", value: "TIME", "the duration, such as 10s or 2min (default: until Ctrl-C)"), .resultsOfSettings,
      .json("only one JSON object, at the end"),
    ]
  ) { arguments in
    let settings = try AppliedSettings(arguments)
    let sensors = try arguments.operands.map { text in try arguments.checked { try settings.address(text) } }
    for (index, sensor) in sensors.enumerated() where sensors[..<index].contains(sensor) {
      throw arguments.refusal("the sensor “\(sensor.text)” is given twice")
    }
    let limit = try arguments.duration("for", 0.001...604_800, "a time such as 10s, 500ms, 2min or 1h")
    let (console, isJSON) = (Console.standard, arguments.isJSON)
    // Lines do not wait for a slow reader, so that Ctrl-C always works. The JSON summary is one write at the end.
    if !isJSON { console.decouple() }
    let clock = MonotonicClock()
    let hub = try SensorHub(sensors.map { try $0.sensor() }, clock: clock)
    let start = clock.now
    let board = SensorBoard(sensors.map(\.text), since: clock.wallReading())
    await hub.listen { name, event in board.take(event, from: name, at: clock.now) }
    @Sendable func show() {
      let (lines, status) = board.news(at: clock.now, columns: TerminalSize.current?.columns ?? 80)
      console.lines(lines)
      console.show(status: status)
    }
    let end = Bell()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await hub.run()
        end.ring()
      }
      group.addTask { for await _ in Interrupts.stream() { end.ring() } }
      if let limit {
        group.addTask {
          try? await clock.sleep(for: limit)
          end.ring()
        }
      }
      if !isJSON {
        group.addTask {
          while (try? await clock.sleep(for: .milliseconds(200))) != nil {
            show()
            if console.isUnread { end.ring() }
          }
        }
      }
      _ = await end.wait()
      group.cancelAll()
    }
    let length = start.duration(to: clock.now)
    if isJSON {
      console.write(board.json(after: length))
    } else {
      show()
      console.show(status: "")
      console.line()
      console.lines(board.summary(after: length))
    }
    return board.isGood ? .done : .failed
  }
}

extension SensorsInReach {
  fileprivate func lines(_ settings: AppliedSettings) -> [String] {
    func named(_ sensor: ReachableSensor) -> String {
      settings.sensors.first { $0.value.address.text == sensor.address }.map { " (\($0.value.name))" } ?? ""
    }
    var table = TextTable([("sensor", .left), ("what to type", .left), ("signal", .right), ("battery", .right)])
    for sensor in sensors {
      table.add([
        sensor.name + named(sensor), sensor.words, sensor.strength.map { "\($0) dBm" } ?? "",
        sensor.battery.map { "\($0) %" } ?? "",
      ])
    }
    var lines = table.lines
    let width = TerminalSize.current?.columns ?? .max
    if lines.contains(where: { $0.displayWidth > width }) {
      // Below each other.
      lines = sensors.flatMap { sensor in
        let facts = [sensor.strength.map { "signal \($0) dBm" }, sensor.battery.map { "battery \($0) %" }].compactMap(
          \.self)
        return ["\(sensor.name.visible)\(named(sensor))", "  \(sensor.words.visible)"]
          + (facts.isEmpty ? [] : ["  \(facts.joined(separator: ", "))"])
      }
    }
    for (kind, reason) in faults.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      lines += ["", "\(kind.rawValue): \(reason)"]
    }
    let known = Set(sensors.map(\.address))
    let others = settings.sensors.filter { !known.contains($0.value.address.text) }
    guard !others.isEmpty else { return lines }
    return lines + ["", "named in the settings, and not found in this search:"]
      + others.map { "  \($0.value.name): \($0.value.address.text)" }
  }

  fileprivate func json(_ settings: AppliedSettings) -> JSONValue {
    [
      "sensors": .array(sensors.map(\.json)),
      "named": .object(
        Dictionary(settings.sensors.map { ($0.value.name, .string($0.value.address.text)) }) { first, _ in first }),
      "notSearched": .object(Dictionary(uniqueKeysWithValues: faults.map { ($0.key.rawValue, .string($0.value)) })),
    ]
  }
}

extension ReachableSensor {
  /// What to type for the sensor.
  fileprivate var words: String { "--sensor \("\(quantity.channelName)=\(address)".shellQuoted)" }
}
