internal import Decimals

/// A row of comma-separated values.
///
/// Without a header there are one to four columns: `hr`; `hr,rr`; `t,hr,rr`; `t,hr,rr,contact`. Several intervals
/// stand in one field, separated by `;` or spaces. A field may be empty or in double quotes; `contact` is `1`, `0`, `true` or `false`.
enum CSVRow {
  /// The columns of a header line; `nil` where it is none: it has a name that is neither ours nor like a name.
  static func header(_ line: Span<UInt8>) -> [RowReader.Column]? {
    var columns: [RowReader.Column] = []
    var name = ""
    for index in 0...line.count {
      guard index < line.count, line[index] != UInt8(ascii: ",") else {
        columns.append(column(name))
        name = ""
        continue
      }
      guard line[index] >= 0x20, line[index] < 0x7F else { return nil }
      let scalar = Unicode.Scalar(line[index])
      if scalar != " ", scalar != "\"" { name.unicodeScalars.append(scalar) }
    }
    let known = columns.filter { $0 == .rate || $0 == .intervals || $0 == .contact }
    return known.isEmpty || known.count != Set(known).count ? nil : columns
  }

  /// The column of that name.
  static func column(_ name: String) -> RowReader.Column {
    switch name.lowercased() {
    case "hr", "bpm": .rate
    case "rr", "rr_ms": .intervals
    case "contact": .contact
    case "t", "time": .time
    default: .other
    }
  }

  /// Reads a row into a sample.
  ///
  /// - Returns: why it cannot be read; `nil` when it was.
  static func read(_ line: Span<UInt8>, header: [RowReader.Column]?, into sample: inout Sample) -> String? {
    var commas = 0
    for index in line.indices where line[index] == UInt8(ascii: ",") { commas += 1 }
    if let header {
      guard commas + 1 == header.count else { return "\(commas + 1) columns, where the header has \(header.count)" }
    } else if commas > 3 {
      return "\(commas + 1) columns without a header; expected hr, or hr,rr, or t,hr,rr"
    }
    var start = 0
    for column in 0...commas {
      var end = start
      while end < line.count, line[end] != UInt8(ascii: ",") { end += 1 }
      let kind = header.map { $0[column] } ?? Self.kind(column, of: commas + 1)
      if let complaint = read(line, start, end, kind, into: &sample) { return complaint }
      start = end + 1
    }
    return nil
  }

  private static func kind(_ column: Int, of count: Int) -> RowReader.Column {
    switch count > 2 ? column - 1 : column {
    case -1: .time
    case 0: .rate
    case 1: .intervals
    default: .contact
    }
  }

  private static func read(
    _ line: Span<UInt8>, _ from: Int, _ to: Int, _ column: RowReader.Column, into sample: inout Sample
  ) -> String? {
    guard column != .other else { return nil }
    var start = from
    var end = to
    func isPadding(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: "\"") }
    while start < end, isPadding(line[start]) { start += 1 }
    while end > start, isPadding(line[end - 1]) { end -= 1 }
    guard start < end else { return nil }
    var position = start
    switch column {
    case .rate:
      guard let value = Decimal.read(line, &position), position == end else { return notANumber(line, start, end) }
      sample.heartRate = value
    case .time:
      guard let value = Decimal.read(line, &position), position == end else { return notANumber(line, start, end) }
      sample.time = value
    case .intervals:
      while true {
        guard let value = Decimal.read(line, &position) else { return notANumber(line, start, end) }
        sample.rrIntervals.append(value)
        let before = position
        while position < end, line[position] == UInt8(ascii: ";") || line[position] == 0x20 { position += 1 }
        if position == end { return nil }
        if position == before { return notANumber(line, start, end) }
      }
    case .contact:
      guard let value = truth(line.extracting(start..<end)) else {
        return "contact is \(excerpt(line.extracting(start..<end))); expected 1, 0, true or false"
      }
      sample.contact = value
    case .other: break
    }
    return nil
  }

  private static func truth(_ field: Span<UInt8>) -> Bool? {
    if field.count == 1 {
      return field[0] == UInt8(ascii: "1") ? true : field[0] == UInt8(ascii: "0") ? false : nil
    }
    return switch excerpt(field).lowercased() {
    case "“true”": true
    case "“false”": false
    default: nil
    }
  }

  private static func notANumber(_ line: Span<UInt8>, _ start: Int, _ end: Int) -> String {
    "\(excerpt(line.extracting(start..<end))) is not a number"
  }
}
