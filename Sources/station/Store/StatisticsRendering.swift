import Decimals
import HealthStore
import JSON
import Quantities
import Spelling
import Tables
import Times

/// Statistics as a table for people, as a table for programs, and as JSON.
struct StatisticsRendering: Sendable {
  let type: QuantityType
  let unit: Unit
  let zone: TimeZone
  let options: StatisticsOptions

  func write(_ statistics: [Statistics], as form: OutputForm) throws {
    switch form {
    case .people: try writeTable(statistics)
    case .csv:
      Console.standard.data((["start", "end", "source"] + columns.map(\.name)).joined(separator: ","))
      for row in try rows(statistics) {
        let fields = [row.statistics.start.precise, row.statistics.end.precise, row.source?.bundleIdentifier ?? ""]
        let line = fields + (try cells(row.values)).map { $0 ?? "" }
        Console.standard.data(TableRow.text(line))
      }
    case .json: Console.standard.write(try json(statistics).encoded(pretty: true))
    }
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

  private var quantities: [Column] { Self.all.filter { options.contains($0.isWanted) } }

  private var columns: [(name: String, unit: String)] {
    quantities.map { ($0.name, "\(unit)") }
      + (options.contains(.duration) ? [("duration_s", "s")] : []) + [("samples", "")]
  }

  private func cells(_ values: Statistics.Values) throws -> [String?] {
    var cells: [String?] = try quantities.map { column in
      try column.value(values).map { "\(try $0.value(in: unit))" }
    }
    if options.contains(.duration) { cells.append(values.duration.map { "\($0.seconds)" }) }
    return cells + ["\(values.count)"]
  }

  private struct Row {
    let statistics: Statistics
    /// Whose values they are; `nil` for all sources together.
    let source: Source?
    let values: Statistics.Values
  }

  private func rows(_ statistics: [Statistics]) throws -> [Row] {
    statistics.flatMap { one in
      [Row(statistics: one, source: nil, values: one.overall)]
        + (one.sources ?? []).compactMap { source in
          one.bySource?[source].map { Row(statistics: one, source: source, values: $0) }
        }
    }
  }

  // MARK: For people

  private func writeTable(_ statistics: [Statistics]) throws {
    guard !statistics.isEmpty else { return Console.standard.line("no samples of \(type)") }
    let isBySource = options.contains(.separateBySource)
    var table = Table(
      [("from", .left), ("to", .left)] + (isBySource ? [("source", .left)] : [])
        + columns.map { ($0.name == "duration_s" ? "duration" : $0.name, .right) })
    for row in try rows(statistics) {
      let values = try quantities.map { column in
        try column.value(row.values).map { SampleRendering.number(try $0.value(in: unit)) } ?? "–"
      }
      let duration =
        options.contains(.duration) ? [row.values.duration.map { "\($0.seconds.fixed(0)) s" } ?? "–"] : []
      table.add(
        [text(row.statistics.start), text(row.statistics.end)]
          + (isBySource ? [row.source.map { $0.name.visible } ?? "all"] : [])
          + values + duration + ["\(row.values.count)"])
    }
    for line in table.lines { Console.standard.line(line) }
    Console.standard.line("\(type) in \(unit)" + (method.map { "; average: \($0)" } ?? ""))
  }

  /// What the zone's clocks show; intervals begin at whole seconds nearly always.
  private func text(_ time: WallTime) -> String { zone.text(time).replacing(".000", with: "") }

  /// How averages were computed, where there are any.
  private var method: String? {
    options.contains(.discreteAverage) ? Statistics.averageMethod(of: type.aggregationStyle) : nil
  }

  // MARK: For programs

  private func json(_ statistics: [Statistics]) throws -> JSONValue {
    var members: [String: JSONValue] = [
      "type": .string(type.healthKitIdentifier), "unit": .string("\(unit)"), "timeZone": .string("\(zone)"),
      "statistics": .array(
        try statistics.map { one in
          var entry = try json(one.overall)
          entry["startDate"] = .string(one.start.precise)
          entry["endDate"] = .string(one.end.precise)
          if let sources = one.sources {
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
        }),
    ]
    members["averageMethod"] = method.map { .string($0) }
    return .object(members)
  }

  private func json(_ values: Statistics.Values) throws -> [String: JSONValue] {
    var members: [String: JSONValue] = ["samples": .integer(values.count)]
    for column in quantities {
      members[column.name] = try column.value(values).map { .number(try $0.value(in: unit)) } ?? .null
    }
    if options.contains(.mostRecent), let interval = values.mostRecentInterval {
      members["mostRecentStartDate"] = .string(interval.lowerBound.precise)
      members["mostRecentEndDate"] = .string(interval.upperBound.precise)
    }
    if options.contains(.duration) {
      members["duration_s"] = values.duration.map { .number($0.seconds) } ?? .null
    }
    return members
  }
}
