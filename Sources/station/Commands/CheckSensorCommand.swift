import Basics
import Laboratory
import Quantities
import Sensors
import Session

/// `station check sensor SENSOR…`: shows live what sensors send, and which lines cannot be read and why.
struct CheckSensorCommand: Command {
  static let syntax = CommandSyntax(
    "check sensor", operands: "SENSOR…", count: 1...32,
    "shows live what sensors send, and which lines cannot be read and why",
    options: [
      .init("for", value: "TIME", "the duration, such as 10s or 2min (default: until Ctrl-C)"),
      AppliedSettings.resultsOption,
      .init("json", "print only one JSON object, at the end"),
    ])

  static let takesInterrupts = true

  let sensors: [SensorAddress]
  /// The duration of the check; `nil` until Ctrl-C.
  let limit: Duration?
  let isJSON: Bool

  init(_ arguments: Arguments) throws {
    let settings = try AppliedSettings(arguments)
    sensors = try arguments.operands.map { text in
      do { return try settings.address(text) } catch { throw arguments.refusal("\(error)") }
    }
    for (index, sensor) in sensors.enumerated() where sensors[..<index].contains(sensor) {
      throw arguments.refusal("the sensor “\(sensor.text)” is given twice")
    }
    limit = try arguments.duration("for", 0.001...604_800, "a time such as 10s, 500ms, 2min or 1h")
    isJSON = arguments.has("json")
  }

  func run() async throws -> ExitStatus {
    let console = Console.standard
    // Lines do not wait for a slow reader, so that Ctrl-C always works. The JSON summary is one write at the end.
    if !isJSON { console.decouple() }
    let clock = MonotonicClock()
    let hub = try SensorHub(sensors.map { try $0.sensor() }, clock: clock)
    let start = clock.now
    let board = SensorBoard(sensors.map(\.text), since: clock.wallReading())
    await hub.listen { name, event in board.take(event, from: name, at: clock.now) }
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
            Self.show(board, at: clock.now, on: console)
            if console.isUnread { end.ring() }
          }
        }
      }
      _ = await end.wait()
      group.cancelAll()
    }
    let length = start.duration(to: clock.now)
    if isJSON {
      console.write(board.json(after: length).encoded(pretty: true))
    } else {
      Self.show(board, at: clock.now, on: console)
      console.show(status: "")
      console.line()
      for line in board.summary(after: length) { console.line(line) }
    }
    return board.isGood ? .done : .failed
  }

  private static func show(_ board: SensorBoard, at now: Moment, on console: Console) {
    let (lines, status) = board.news(at: now, columns: TerminalSize.current?.columns ?? 80)
    for line in lines { console.line(line) }
    console.show(status: status)
  }
}
