import Basics
import Experiment
import Quantities
import Sensors
import Synchronization

/// `station check sensor SENSOR…`: shows live what sensors send, and which lines cannot be read and why.
struct CheckSensorCommand: Command {
  static let syntax = CommandSyntax(
    "check sensor", operands: "SENSOR…", count: 1...32,
    "shows live what sensors send, and which lines cannot be read and why",
    options: [
      .init("for", value: "TIME", "the duration, such as 10s or 2min (default: until Ctrl-C)"),
      .init("json", "print only one JSON object, at the end"),
    ])

  static let takesInterrupts = true

  let sensors: [SensorAddress]
  /// The duration of the check; `nil` until Ctrl-C.
  let limit: Duration?
  let isJSON: Bool

  init(_ arguments: Arguments) throws {
    sensors = try arguments.operands.map { text in
      do { return try SensorAddress(text) } catch { throw arguments.refusal("\(error)") }
    }
    for (index, sensor) in sensors.enumerated() where sensors[..<index].contains(sensor) {
      throw arguments.refusal("the sensor “\(sensor.text)” is given twice")
    }
    limit = try arguments["for"].map { text in
      guard let limit = Self.duration(text) else {
        throw arguments.refusal("invalid value “\(text)” for --for: expected a time such as 10s, 500ms, 2min or 1h")
      }
      return limit
    }
    isJSON = arguments.has("json")
  }

  /// A duration with its unit; in seconds if it has none.
  static func duration(_ text: String) -> Duration? {
    let units = [("ms", 0.001), ("min", 60), ("s", 1), ("h", 3600)]
    let unit = units.first { text.hasSuffix($0.0) }
    let number = text.dropLast(unit?.0.count ?? 0)
    guard number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let value = Double(number),
      case let seconds = value * (unit?.1 ?? 1), (0.001...604_800).contains(seconds)
    else { return nil }
    return Duration(seconds: seconds)
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

/// The events of several sensors, as lines and a status to print.
final class SensorBoard: Sendable {
  /// The maximum number of lines printed per sensor and second; the others are counted.
  static let linesASecond = 10

  /// Wider addresses are replaced by numbers if there are several sensors.
  private static let widestLabel = 16

  private struct State {
    var tallies: [SensorTally]
    var lines: [String]
    /// The lines printed and omitted for each sensor in the current second.
    var printed: [String: (second: Int64, count: Int, omitted: Int)] = [:]
  }

  private let zero: WallReading
  /// The label at the beginning of each sensor's lines, by its name.
  private let labels: [String: String]
  private let state: Mutex<State>

  /// Creates a board for these sensors, in this order.
  init(_ names: [String], since zero: WallReading) {
    self.zero = zero
    let isNumbered = names.count > 1 && names.contains { $0.displayWidth > Self.widestLabel }
    let labels = names.enumerated().map { names.count == 1 ? "" : isNumbered ? "[\($0 + 1)]" : "\($1):" }
    self.labels = Dictionary(uniqueKeysWithValues: zip(names, labels))
    let legend = isNumbered ? zip(labels, names).map { "\($0) \($1)" } : []
    state = Mutex(State(tallies: names.map { SensorTally($0) }, lines: legend))
  }

  private func labelled(_ text: String, _ name: String) -> String {
    labels[name].map { $0.isEmpty ? text : "\($0) \(text)" } ?? text
  }

  /// Adds an event of a sensor.
  func take(_ event: SensorEvent, from name: String, at now: Moment) {
    let texts = SensorTally.lines(of: event)
    let (moment, zero) = (zero.moment.duration(to: now), zero)
    state.withLock { state in
      guard let place = state.tallies.firstIndex(where: { $0.name == name }) else { return }
      state.tallies[place].take(event, since: zero)
      let second = moment.components.seconds
      if let last = state.printed[name], last.second != second {
        if last.omitted > 0 { state.lines.append(labelled("\(last.omitted) more in this second", name)) }
        state.printed[name] = nil
      }
      for (index, text) in texts.enumerated() {
        var printed = state.printed[name] ?? (second, 0, 0)
        defer { state.printed[name] = printed }
        guard printed.count < Self.linesASecond else {
          printed.omitted += SensorTally.size(of: event) - index
          return
        }
        printed.count += 1
        state.lines.append("\(moment.seconds.fixed(3)) s  \(labelled(text, name))")
      }
    }
  }

  /// The lines since the last call, and the status of all sensors: the long form if it fits the columns.
  func news(at now: Moment, columns: Int) -> (lines: [String], status: String) {
    state.withLock { state in
      defer { state.lines = [] }
      let length = zero.moment.duration(to: now)
      let statuses = [false, true].map { isBrief in
        state.tallies.map { labelled($0.status(after: length, isBrief: isBrief), $0.name) }.joined(separator: " | ")
      }
      return (state.lines, statuses[0].displayWidth < columns ? statuses[0] : statuses[1])
    }
  }

  /// The final summary, with at least one line for each sensor.
  func summary(after length: Duration) -> [String] {
    state.withLock { $0.tallies.flatMap { $0.summary(after: length) } }
  }

  /// The final summary as JSON.
  func json(after length: Duration) -> JSONValue {
    [
      "duration_s": .number(length.seconds),
      "sensors": .array(state.withLock { $0.tallies.map { $0.json(after: length) } }),
    ]
  }

  /// Whether every sensor sent something that can be recorded.
  var isGood: Bool { state.withLock { $0.tallies.allSatisfy(\.isGood) } }
}
