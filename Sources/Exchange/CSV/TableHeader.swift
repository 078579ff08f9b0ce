import Basics
import Quantities

/// The first row of a table: which column holds what, and what separates them.
struct TableHeader {
  /// What a column holds.
  enum Column: String, CaseIterable {
    case time, start, end, value, unit, type, source, bundle, version, device, id, participant

    /// Other programs' names for it, in small letters without blanks and marks.
    private var names: [String] {
      switch self {
      case .time: ["time", "date", "datetime", "timestamp", "phonetimestamp", "phonedatarxtimestamp"]
      case .start: ["start", "startdate", "starttime", "startdatetime"]
      case .end: ["end", "enddate", "endtime", "enddatetime"]
      case .value: ["value"]
      case .unit: ["unit", "units"]
      case .type: ["type", "quantitytype"]
      case .source: ["source", "sourcename"]
      case .bundle: ["sourcebundleidentifier", "bundleidentifier"]
      case .version: ["sourceversion"]
      case .device: ["device", "devicename"]
      case .id: ["id", "uuid", "identifier"]
      case .participant: ["participant", "participantid", "subject", "subjectid"]
      }
    }

    init?(name: String) {
      let folded = name.lowercased().filter { $0.isLetter || $0.isNumber }
      guard let column = Self.allCases.first(where: { $0.names.contains(folded) }) else { return nil }
      self = column
    }
  }

  /// What a column of values says by its name alone, as an analysis reads it: `HR`, `RR (ms)`.
  struct Measure {
    let type: QuantityType
    let unit: Unit
    /// Whether it is an interval between pulses, beside which optical sensors send a heart rate that may be 0.
    let isOfPulses: Bool

    init?(name: String) {
      var words = name.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber })
      var unit: Unit?
      if words.count > 1, let last = words.last {
        switch last {
        case "ms", "msec", "milliseconds": unit = .millisecond
        case "s", "sec", "seconds": unit = .second
        case "bpm", "min": unit = .countPerMinute
        default: break
        }
        if unit != nil { words.removeLast() }
        while words.count > 1, words.last == "1" || words.last == "count" { words.removeLast() }
      }
      let folded = words.joined()
      isOfPulses = ["pp", "ppi", "ppinterval"].contains(folded)
      if ["hr", "bpm", "heartrate", "heartrates", "pulse"].contains(folded) {
        guard unit == nil || unit == .countPerMinute else { return nil }
        (type, self.unit) = (.heartRate, .countPerMinute)
      } else if isOfPulses || ["rr", "ibi", "nn", "rri", "nni", "rrinterval", "nninterval"].contains(folded) {
        guard unit != .countPerMinute else { return nil }
        (type, self.unit) = (.rrInterval, unit ?? .millisecond)
      } else {
        return nil
      }
    }
  }

  /// What the column of values is by its name; `nil` where it is called “value”.
  let measure: Measure?

  let delimiter: Unicode.Scalar
  /// How many columns there are.
  let count: Int
  /// Columns that are not read.
  let ignored: [String]
  private let places: [Column: Int]

  /// The index of a column.
  subscript(column: Column) -> Int? { places[column] }

  init(_ text: String, line: Int, _ options: ImportOptions) throws(Fault) {
    delimiter = TableRow.delimiter(of: text) { Column(name: $0) != nil || Measure(name: $0) != nil }
    let fields = TableRow.fields(of: text, delimiter)
    count = fields.count
    var places: [Column: Int] = [:]
    var ignored: [String] = []
    for (index, field) in fields.enumerated() {
      guard let column = Column(name: field.text) else {
        ignored.append(field.text)
        continue
      }
      guard places[column] == nil else {
        throw Fault(line: line, column: field.column, reason: "a second column “\(column)”; leave one out")
      }
      places[column] = index
    }
    // A column that is called as what it holds is the column of values where there is no other.
    var measure: Measure?
    var measures = fields.indices.filter {
      Column(name: fields[$0].text) == nil && Measure(name: fields[$0].text) != nil
    }
    if let pulses = measures.first(where: { Measure(name: fields[$0].text)?.isOfPulses == true }) {
      measures = [pulses]
    }
    if places[.value] == nil, measures.count == 1, let index = measures.first {
      places[.value] = index
      measure = Measure(name: fields[index].text)
      ignored.removeAll { $0 == fields[index].text }
    }
    self.measure = measure
    self.places = places
    self.ignored = ignored
    if places[.value] == nil, measures.count > 1 {
      throw Fault(
        line: line, column: fields[measures[1]].column,
        reason:
          "the columns \(measures.map { "“\(fields[$0].text)”" }.joined(separator: " and ")) both hold values; give "
          + "the table one of them, or a column “type” and one row a value")
    }
    if let reason = Self.problem(places, ignored, measure, options) {
      throw Fault(line: line, column: 1, reason: reason)
    }
  }

  // What is wrong with the columns as a whole.
  private static func problem(
    _ places: [Column: Int], _ ignored: [String], _ measure: Measure?, _ options: ImportOptions
  ) -> String? {
    func missing(_ column: Column, _ remedy: String = "") -> String {
      let found = ignored.lazy.compactMap { name in
        Spelling.nearest(to: name, among: Column.allCases.map(\.rawValue)) == column.rawValue ? name : nil
      }.first
      return "the header has no column “\(column)”" + (found.map { "; is it “\($0)”?" } ?? "") + remedy
    }
    if places[.value] == nil { return missing(.value) }
    if places[.time] == nil, places[.start] == nil { return missing(.time, ", nor “start”") }
    if places[.time] != nil, places[.start] != nil || places[.end] != nil {
      return "a column “time” beside “start” or “end”; samples have one or the other"
    }
    if places[.type] == nil, options.type == nil, measure == nil {
      return missing(.type, "; add it, or say the type for all rows")
    }
    if places[.unit] == nil, options.unit == nil, measure == nil {
      return missing(.unit, "; add it, or say the unit for all rows")
    }
    return nil
  }
}
