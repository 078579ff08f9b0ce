internal import Quantities
internal import Spelling
internal import Tables

/// The first row of a table: which column holds what, and what separates them.
struct TableHeader {
  /// What a column holds.
  enum Column: String, CaseIterable {
    case time, start, end, value, unit, type, source, bundle, version, device, id

    /// Other programs' names for it, in small letters without blanks and marks.
    private var names: [String] {
      switch self {
      case .time: ["time", "date", "datetime", "timestamp"]
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
      }
    }

    init?(name: String) {
      let folded = name.lowercased().filter { $0.isLetter || $0.isNumber }
      guard let column = Self.allCases.first(where: { $0.names.contains(folded) }) else { return nil }
      self = column
    }
  }

  let delimiter: Unicode.Scalar
  /// How many columns there are.
  let count: Int
  /// Columns that are not read.
  let ignored: [String]
  private let places: [Column: Int]

  /// The index of a column.
  subscript(column: Column) -> Int? { places[column] }

  init(_ text: String, line: Int, _ options: ImportOptions) throws(Fault) {
    delimiter = TableRow.delimiter(of: text) { Column(name: $0) != nil }
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
    self.places = places
    self.ignored = ignored
    if let reason = Self.complaint(places, ignored, options) { throw Fault(line: line, column: 1, reason: reason) }
  }

  // What is wrong with the columns as a whole.
  private static func complaint(_ places: [Column: Int], _ ignored: [String], _ options: ImportOptions) -> String? {
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
    if places[.type] == nil, options.type == nil { return missing(.type, "; add it, or say the type for all rows") }
    if places[.unit] == nil, options.unit == nil { return missing(.unit, "; add it, or say the unit for all rows") }
    return nil
  }
}
