package import Basics
package import Quantities
package import Sensors
import Synchronization

/// The events of several sensors, as lines and a status to print.
package final class SensorBoard: Sendable {
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
  package init(_ names: [String], since zero: WallReading) {
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
  package func take(_ event: SensorEvent, from name: String, at now: Moment) {
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
  package func news(at now: Moment, columns: Int) -> (lines: [String], status: String) {
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
  package func summary(after length: Duration) -> [String] {
    state.withLock { $0.tallies.flatMap { $0.summary(after: length) } }
  }

  /// The final summary as JSON.
  package func json(after length: Duration) -> JSONValue {
    [
      "duration_s": .number(length.seconds),
      "sensors": .array(state.withLock { $0.tallies.map { $0.json(after: length) } }),
    ]
  }

  /// Whether every sensor sent something that can be recorded.
  package var isGood: Bool { state.withLock { $0.tallies.allSatisfy(\.isGood) } }
}
