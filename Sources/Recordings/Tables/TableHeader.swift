import Basics
import Quantities

/// The first row of a table: which column holds what, and what separates them.
struct TableHeader {
  /// What a column of values says by its name alone, as an analysis reads it: `HR`, `RR (ms)`.
  struct Measure {
    let type: QuantityType
    let unit: Unit
    /// Whether the unit is in the name.
    let isUnitNamed: Bool
  }

  /// What the column of values is by its name; `nil` where it is called “value”.
  let measure: Measure?

  /// Columns that are not read.
  let ignored: [String]

  /// The columns, as all readers of tables know them.
  let columns: TableColumns
  private let value: Int?

  var delimiter: Unicode.Scalar { columns.delimiter }
  /// How many columns there are.
  var count: Int { columns.count }

  /// The index of a column.
  subscript(column: HeartColumn) -> Int? { column == .value ? value : columns[column] }

  init(_ text: String, rows: [String], line: Int, _ options: ImportOptions) throws(Fault) {
    let columns = TableColumns(
      text, rows: rows, for: .imports, ReadingOptions(samplingRate: options.samplingRate))
    self.columns = columns
    let fields = columns.fields
    if let reason = columns.problem { throw Fault(line: line, column: 1, reason: reason) }
    if let (column, field) = columns.repeated {
      throw Fault(line: line, column: field.column, reason: "a second column “\(column)”; leave one out")
    }
    // A column that is called as what it holds is the column of values where there is no other.
    var measure: Measure?
    var value = columns[.value]
    if value == nil {
      var places = (columns.places(of: .rate) + columns.places(of: .interval)).sorted()
      // Beside intervals between pulses optical sensors send a heart rate that may be 0.
      if let pulses = columns[.interval], columns.isOfPulses { places = [pulses] }
      if places.count > 1 {
        throw Fault(
          line: line, column: fields[places[1]].column,
          reason:
            "the columns \(places.map { "“\(fields[$0].text)”" }.joined(separator: " and ")) both hold values; give "
            + "the table one of them, or a column “type” and one row a value")
      }
      value = places.first
      if let place = places.first {
        let isRate = columns[.rate] == place
        let unit = columns.unit(of: .interval)
        measure = Measure(
          type: isRate ? .heartRate : .rrInterval,
          unit: isRate ? .countPerMinute : unit == .seconds ? .second : .millisecond, isUnitNamed: unit != nil)
        if let unit, unit != .seconds, unit != .milliseconds {
          throw Fault(
            line: line, column: fields[place].column,
            reason: "intervals in \(unit.name); intervals are in milliseconds or seconds")
        }
      }
    }
    self.measure = measure
    self.value = value
    let read = Set(
      columns.contents.indices.filter { index in
        columns.contents[index].map { $0 != .rate && $0 != .interval } ?? false || index == value
      })
    ignored = fields.indices.filter { !read.contains($0) }.map { fields[$0].text }
    if options.samplingRate != nil, measure?.type != .rrInterval || measure?.isUnitNamed != false {
      throw Fault(
        line: line, column: 1,
        reason: "--sampling-rate is for a column of intervals without a unit, such as “rr”, and it has none")
    }
    if let reason = problem(options) { throw Fault(line: line, column: 1, reason: reason) }
  }

  // What is wrong with the columns as a whole.
  private func problem(_ options: ImportOptions) -> String? {
    func missing(_ column: HeartColumn, _ remedy: String = "") -> String {
      let found = ignored.lazy.compactMap { name in
        Spelling.nearest(to: name, among: HeartColumn.allCases.map(\.rawValue)) == column.rawValue ? name : nil
      }.first
      return "the header has no column “\(column)”" + (found.map { "; is it “\($0)”?" } ?? "") + remedy
    }
    if value == nil { return missing(.value) }
    if columns[.time] == nil, columns[.start] == nil { return missing(.time, ", nor “start”") }
    if columns[.time] != nil, columns[.start] != nil || columns[.end] != nil {
      return "a column “time” beside “start” or “end”; samples have one or the other"
    }
    if columns[.type] == nil, options.type == nil, measure == nil {
      return missing(.type, "; add it, or say the type for all rows")
    }
    if columns[.unit] == nil, options.unit == nil, measure == nil {
      return missing(.unit, "; add it, or say the unit for all rows")
    }
    return nil
  }
}
