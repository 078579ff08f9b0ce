import Basics

/// The columns of a table with heart rates or intervals, recognised by their names.
struct TableColumns {
  let delimiter: Unicode.Scalar
  /// The number of columns.
  let count: Int
  private let places: [HeartColumn: Int]
  private let units: [HeartColumn: ReadingOptions.TimeUnit]

  /// The ignored columns.
  let unread: [Unread]

  /// An ignored column.
  struct Unread: Hashable {
    let place: Int
    /// Its name in the header; may be empty.
    let name: String

    /// The name for messages.
    var shown: String { name.isEmpty ? "column \(place + 1), which has no name" : "“\(name.prefix(40).visible)”" }
  }

  /// The index of a column.
  subscript(column: HeartColumn) -> Int? { places[column] }

  /// The unit in a column's name.
  func unit(of column: HeartColumn) -> ReadingOptions.TimeUnit? { units[column] }

  /// Parses a header.
  ///
  /// - Throws: which columns are missing or duplicate, or that there are too many.
  init(_ header: String, line: Int) throws(RecordingFault) {
    guard !HeartColumn.isTooWide(header) else {
      throw RecordingFault(
        line: line, reason: "more than \(HeartColumn.most) columns; a table of heart data needs a time and one value")
    }
    delimiter = TableRow.delimiter(of: header) { HeartColumn.named($0) != nil }
    let fields = TableRow.fields(of: header, delimiter)
    count = fields.count
    var best: [HeartColumn: (place: Int, rank: Int)] = [:]
    var units: [HeartColumn: ReadingOptions.TimeUnit] = [:]
    for (place, field) in fields.enumerated() {
      guard let name = HeartColumn.named(field.text), case let column = name.column else { continue }
      if let other = best[column] {
        // A start and an end count as one time; two columns of heart rates are ambiguous.
        guard column == .time, other.rank != name.rank else {
          let names = "“\(fields[other.place].text)” and “\(field.text)”"
          throw RecordingFault(line: line, reason: "two columns of \(column.rawValue)s, \(names); leave one out")
        }
        guard name.rank < other.rank else { continue }
      }
      best[column] = (place, name.rank)
      units[column] = ReadingOptions.TimeUnit.allCases.first { $0.perSecond == name.perSecond }
    }
    places = best.mapValues(\.place)
    self.units = units
    var read = places
    // Times of beats take precedence over other times, and a value column needs a type column.
    if places[.beat] != nil { read[.time] = nil }
    if places[.value] == nil || places[.type] == nil {
      for column in [.value, .type, .unit] as [HeartColumn] { read[column] = nil }
    }
    unread = fields.indices.filter { !read.values.contains($0) }.map { Unread(place: $0, name: fields[$0].text) }
    if places[.rate] == nil, places[.interval] == nil, places[.beat] == nil,
      places[.value] == nil || places[.type] == nil
    {
      throw RecordingFault(
        line: line,
        reason: "no column of heart rates (“hr”, “bpm”), of intervals (“rr_ms”, “ibi”), of the times of beats "
          + "(“beat_s”, “r_peaks”) or of values with their “type”")
    }
    if places[.time] == nil, places[.beat] == nil, places[.interval] == nil {
      throw RecordingFault(line: line, reason: "heart rates need their times, in a column “time”")
    }
  }
}
