package import Basics
import Bundles
package import Quantities
package import SampleStore
import Synchronization

/// Writes statistics one after the other, as a table for people, as CSV, or as JSON.
///
/// Memory does not grow with their number: the first rows determine the column widths of a table for people.
package final class StatisticsRendering: Sendable {
  private let type: QuantityType
  private let unit: Unit
  private let zone: TimeZone
  private let options: StatisticsOptions
  private let form: OutputForm
  /// What the statistics are grouped by: `participant`.
  private let group: String?
  /// Whether the samples are grouped or chosen by their metadata.
  private let isOfTrials: Bool
  /// How many of the samples are of simulated sensors.
  private let simulated: Int
  /// Writes bytes, and returns whether the output still has a reader.
  private let put: @Sendable ([UInt8]) -> Bool
  private let state = Mutex(State())

  private struct State {
    var bytes: [UInt8] = []
    var count = 0
    var isRead = true
    /// The first rows of a table for people, until its widths are known.
    var rows: [[String]] = []
    var widths: [Int]?
    /// The text of the last interval's end, which is mostly the start of the next.
    var end: (time: WallTime, text: String)?
  }

  /// Begins the output of statistics of a type.
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - unit: the unit of the values.
  ///   - zone: the zone of the times.
  ///   - options: the requested statistics.
  ///   - form: the form of the output.
  ///   - group: what the statistics are grouped by: `participant`; `nil` without groups.
  ///   - isOfTrials: whether the samples are chosen by their metadata.
  ///   - simulated: how many of the samples are of simulated sensors.
  ///   - put: writes bytes, and returns whether the output still has a reader.
  package init(
    type: QuantityType, unit: Unit, zone: TimeZone, options: StatisticsOptions, form: OutputForm, group: String? = nil,
    isOfTrials: Bool = false, simulated: Int = 0, put: @escaping @Sendable ([UInt8]) -> Bool
  ) {
    self.put = put
    self.type = type
    self.unit = unit
    self.zone = zone
    self.options = options
    self.form = form
    self.group = group
    self.isOfTrials = isOfTrials || group != nil
    self.simulated = simulated
    columns = Self.all.filter { options.contains($0.isWanted) }
  }

  /// Writes the statistics of an interval, or of a group in it.
  ///
  /// - Returns: whether the output still has a reader.
  package func write(_ one: Statistics, of value: Metadata.Value? = nil) throws -> Bool {
    try state.withLock { state in
      if state.count == 0 { begin(&state) }
      switch form {
      case .people: try addRows(one, value, &state)
      case .csv: try addLines(one, value, &state)
      case .json:
        state.bytes += (state.count == 0 ? "\n    " : ",\n    ").utf8
        // JSON strings contain no raw newline.
        for byte in try json(one, value).encoded(pretty: true).dropLast() {
          state.bytes.append(byte)
          if byte == UInt8(ascii: "\n") { state.bytes += "    ".utf8 }
        }
      }
      state.count += 1
      if state.bytes.count > 1 << 16 { flush(&state) }
      return state.isRead
    }
  }

  /// Writes the end of the output.
  package func finish() {
    state.withLock { state in
      if state.count == 0 { begin(&state) }
      switch form {
      case .people:
        if state.count == 0 {
          state.bytes += "no samples of \(type)\n".utf8
        } else {
          writeRows(&state)
          if let mark = SimulatedSamples(simulated, areIncluded: true).mark { state.bytes += "\(mark)\n".utf8 }
          state.bytes += ("\(type) in \(unit)" + (method.map { "; average: \($0)" } ?? "") + "\n").utf8
        }
      case .csv: break
      case .json:
        let members: JSONValue = [
          "timeZone": .string("\(zone)"), "type": .string(type.healthKitIdentifier), "unit": .string("\(unit)"),
          "simulatedSamples": .integer(simulated),
        ]
        state.bytes += (state.count == 0 ? "],\n" : "\n  ],\n").utf8 + members.encoded(pretty: true).dropFirst(2)
      }
      flush(&state)
    }
  }

  private func begin(_ state: inout State) {
    switch form {
    case .people: break
    case .csv: state.bytes += (TableRow.text(headings) + "\n").utf8
    case .json:
      let method = method.map { "  \"averageMethod\": \(JSONValue.string($0).text()),\n" } ?? ""
      state.bytes += "{\n\(method)  \"statistics\": [".utf8
    }
  }

  private func flush(_ state: inout State) {
    state.isRead = put(state.bytes)
    state.bytes.removeAll(keepingCapacity: true)
  }

  // MARK: Columns

  private struct Column: Sendable {
    let name: String
    let isWanted: StatisticsOptions
    let value: @Sendable (Statistics.Values) -> Quantity?
  }

  private static let all = [
    Column(name: "average", isWanted: .discreteAverage) { $0.average },
    Column(name: "min", isWanted: .discreteMin) { $0.minimum },
    Column(name: "max", isWanted: .discreteMax) { $0.maximum },
    Column(name: "sum", isWanted: .cumulativeSum) { $0.sum },
    Column(name: "mostRecent", isWanted: .mostRecent) { $0.mostRecent },
  ]

  /// The requested quantities.
  private let columns: [Column]

  private var names: [String] {
    columns.map(\.name) + (options.contains(.duration) ? ["duration_s"] : []) + ["samples"]
  }

  private var headings: [String] {
    (group.map { [$0] } ?? []) + ["start", "end", "timeZone", "source", "simulated"] + names
  }

  private var isBySource: Bool { options.contains(.separateBySource) }

  /// The values of all sources together, then those of each source if they were requested.
  private func rows(_ one: Statistics) -> [(source: Source?, values: Statistics.Values)] {
    guard isBySource else { return [(nil, one.overall)] }
    return [(nil, one.overall)]
      + (one.sources ?? []).compactMap { source in one.bySource?[source].map { (source, $0) } }
  }

  /// How averages were computed; `nil` without averages.
  private var method: String? {
    options.contains(.discreteAverage) ? Statistics.averageMethod(of: type.aggregationStyle, ofTrials: isOfTrials) : nil
  }

  // MARK: For programs

  private func addLines(_ one: Statistics, _ value: Metadata.Value?, _ state: inout State) throws {
    for row in rows(one) {
      if group != nil { state.bytes += (TableRow.field(value?.text ?? "") + ",").utf8 }
      let start = state.end.flatMap { $0.time == one.start ? $0.text : nil } ?? zone.precise(one.start)
      let end = zone.precise(one.end)
      state.end = (one.end, end)
      state.bytes += start.utf8
      state.bytes.append(UInt8(ascii: ","))
      state.bytes += end.utf8
      state.bytes.append(UInt8(ascii: ","))
      state.bytes += zone.name.utf8
      state.bytes.append(UInt8(ascii: ","))
      if let source = row.source { state.bytes += TableRow.field(source.bundleIdentifier).utf8 }
      let isSimulated = row.source?.isSimulated ?? one.sources?.contains(where: \.isSimulated) ?? (simulated > 0)
      state.bytes += isSimulated ? ",true".utf8 : ",false".utf8
      for column in columns {
        state.bytes.append(UInt8(ascii: ","))
        if let value = try column.value(row.values)?.plainValue(in: unit) { state.bytes += "\(value)".utf8 }
      }
      if options.contains(.duration) {
        state.bytes.append(UInt8(ascii: ","))
        if let duration = row.values.duration { state.bytes += "\(duration.seconds)".utf8 }
      }
      state.bytes += ",\(row.values.count)\n".utf8
    }
  }

  private func json(_ one: Statistics, _ value: Metadata.Value?) throws -> JSONValue {
    var entry = try json(one.overall)
    if let group { entry[group] = value.map { .string($0.text) } ?? .null }
    entry["startDate"] = .string(zone.precise(one.start))
    entry["endDate"] = .string(zone.precise(one.end))
    if isBySource, let sources = one.sources {
      entry["bySource"] = .array(
        try sources.compactMap { source in
          guard let own = one.bySource?[source] else { return nil }
          var values = try json(own)
          values["name"] = .string(source.name)
          values["bundleIdentifier"] = .string(source.bundleIdentifier)
          return .object(values)
        })
    }
    return .object(entry)
  }

  private func json(_ values: Statistics.Values) throws -> [String: JSONValue] {
    var members: [String: JSONValue] = ["samples": .integer(values.count)]
    for column in columns {
      members[column.name] = try column.value(values).map { .number(try $0.writtenValue(in: unit)) } ?? .null
    }
    if options.contains(.mostRecent), let interval = values.mostRecentInterval {
      members["mostRecentStartDate"] = .string(zone.precise(interval.lowerBound))
      members["mostRecentEndDate"] = .string(zone.precise(interval.upperBound))
    }
    if options.contains(.duration) {
      members["duration_s"] = values.duration.map { .number($0.seconds) } ?? .null
    }
    return members
  }

  // MARK: For people

  /// The number of statistics that determine the column widths of a table for people.
  private static let rowsForWidths = 1000

  private func addRows(_ one: Statistics, _ value: Metadata.Value?, _ state: inout State) throws {
    let start = state.end.flatMap { $0.time == one.start ? $0.text : nil } ?? zone.short(one.start)
    let end = zone.short(one.end)
    state.end = (one.end, end)
    for row in rows(one) {
      var cells = group == nil ? [] : [value?.text.visible ?? "–"]
      cells.append(start)
      cells.append(end)
      if isBySource { cells.append(row.source.map { $0.name.visible } ?? "all") }
      for column in columns {
        cells.append(try column.value(row.values).map { try $0.plainValue(in: unit).brief } ?? "–")
      }
      if options.contains(.duration) { cells.append(row.values.duration.map { "\($0.seconds.fixed(0)) s" } ?? "–") }
      cells.append("\(row.values.count)")
      if let widths = state.widths {
        line(cells, widths, &state)
      } else {
        state.rows.append(cells)
      }
    }
    if state.widths == nil, state.count >= Self.rowsForWidths { writeRows(&state) }
  }

  /// The number of left-aligned columns.
  private var leftColumns: Int { (group == nil ? 2 : 3) + (isBySource ? 1 : 0) }

  /// Writes the buffered rows, with their headings.
  private func writeRows(_ state: inout State) {
    guard state.widths == nil else { return }
    let titles =
      (group.map { [$0] } ?? []) + ["from", "to"] + (isBySource ? ["source"] : [])
      + names.map { $0 == "duration_s" ? "duration" : $0 }
    let rows = [titles] + state.rows
    let widths = titles.indices.map { column in rows.reduce(0) { max($0, $1[column].columns) } }
    for row in rows { line(row, widths, &state) }
    state.widths = widths
    state.rows = []
  }

  private func line(_ cells: [String], _ widths: [Int], _ state: inout State) {
    for (column, cell) in cells.enumerated() {
      if column > 0 { state.bytes += "  ".utf8 }
      let space = repeatElement(UInt8(ascii: " "), count: max(0, widths[column] - cell.columns))
      if column >= leftColumns { state.bytes += space }
      state.bytes += cell.utf8
      if column < leftColumns { state.bytes += space }
    }
    state.bytes.append(UInt8(ascii: "\n"))
  }
}

extension String {
  /// Its width in terminal columns.
  fileprivate var columns: Int { utf8.allSatisfy { $0 < 0x80 } ? utf8.count : displayWidth }
}
