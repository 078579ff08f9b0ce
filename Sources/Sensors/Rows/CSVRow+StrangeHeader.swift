import Basics
import Quantities
import Recordings

// Headers of tables that the station cannot read; without them, times and temperatures would be taken for heart rates.
extension CSVRow {
  /// Parses a line that is a header although none of its names is one that the station reads; `nil` for any other line.
  ///
  /// It has at least two fields with words and none with a number, or a single field that is a name of the station's or
  /// nearly one. A greeting is no header: it addresses a person, or has many words.
  static func strangeHeader(_ line: Span<UInt8>) -> RowReader.Header? {
    guard line.count <= maxHeaderLength, let text = String(validating: line.copied, as: UTF8.self) else { return nil }
    let delimiter = TableRow.delimiters.reduce(TableRow.delimiters[0]) { best, other in
      TableRow.fields(of: text, other).count > TableRow.fields(of: text, best).count ? other : best
    }
    let names = TableRow.fields(of: text, delimiter).map(\.text)
    guard !isGreeting(names), !names.contains(where: isValue),
      names.contains(where: { $0.contains(where: \.isLetter) }), names.count > 1 || isNearName(names[0])
    else { return nil }
    let columns = TableColumns(text)
    return RowReader.Header(
      strange: columns, delimiter, count: names.count, problem: columns.ambiguity ?? problem(names))
  }

  private static func problem(_ names: [String]) -> String {
    let shown = names.filter { !$0.isEmpty }.prefix(12).map { "“\($0.prefix(40).visible)”" }
    let list = "the header \(shown.joined(separator: ", ")) names no column that the station reads"
    if let name = names.first(where: isOfUnknownUnit) {
      return "\(list): the unit in “\(name.prefix(40).visible)” is not known"
    }
    let near = names.lazy.filter { HeartColumn.named($0) == nil }.compactMap { nearChannel($0) }.first
    return "\(list); " + (near.map { "did you mean “\($0)”? " } ?? "")
      + "name heart rates “hr” and intervals “rr_ms”, and begin a line that is not a header with #"
  }

  private static let greetings: Set<String> = [
    "hello", "hi", "welcome", "ready", "connected", "connecting", "waiting", "wait", "please", "starting", "started",
    "searching", "streaming", "sending", "ok", "info", "debug", "warning", "warn", "error",
  ]

  private static func isGreeting(_ names: [String]) -> Bool {
    let words = names[0].lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    return words.count > 4 || !greetings.isDisjoint(with: words)
      || names.contains { name in name.hasSuffix("...") || name.contains { "!?…".contains($0) } }
  }

  private static let missing: Set<String> = ["nan", "na", "n/a", "null", "nil", "none", "inf", "-inf", "true", "false"]

  /// Whether a field is a number, a date, a missing value, or a name with its number: `HR:72`, `72bpm`.
  private static func isValue(_ field: String) -> Bool {
    guard let first = field.unicodeScalars.first else { return false }
    func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }
    if isDigit(first) || missing.contains(field.lowercased()) { return true }
    if "+-.".unicodeScalars.contains(first) { return field.unicodeScalars.contains(where: isDigit) }
    let value = field.drop { $0 != ":" && $0 != "=" }.dropFirst().drop(while: \.isWhitespace)
    return value.unicodeScalars.first.map { isDigit($0) || $0 == "-" } ?? false
  }

  private static let contents: Set<HeartColumn> = [.time, .day, .beat, .rate, .interval, .value]

  /// Whether a name alone is that of a column: one that is known, nearly one, or one with its unit in brackets.
  private static func isNearName(_ name: String) -> Bool {
    let (base, unit) = parts(name)
    guard base.split(separator: " ").count <= 2 else { return false }
    if isKnown(base) || nearChannel(name) != nil { return true }
    return unit.map { (try? Unit($0)) != nil } ?? false
  }

  private static func isKnown(_ name: String) -> Bool {
    HeartColumn.named(name).map { contents.contains($0.column) } ?? false || QuantityWords.quantity(name) != nil
  }

  private static func isOfUnknownUnit(_ name: String) -> Bool {
    let (base, unit) = parts(name)
    guard let unit, let column = HeartColumn.named(base)?.column, HeartColumn.named(name) == nil else { return false }
    return !unit.isEmpty && [.rate, .interval, .beat].contains(column)
  }

  /// The quantity whose channel's name a name is part of, or nearly is.
  private static func nearChannel(_ name: String) -> String? {
    let base = parts(name).base
    guard let near = Spelling.nearest(to: base, among: QuantityType.recordable.map(\.channelName)),
      base.count <= near.count + 2
    else { return nil }
    return near
  }

  /// A name's first part, and the unit behind it.
  private static func parts(_ name: String) -> (base: String, unit: String?) {
    let base = name.prefix { !"_([".contains($0) }
    guard base.count < name.count else { return (name, nil) }
    let unit = name.dropFirst(base.count + 1).filter { !")]".contains($0) }
    return (String(base.reversed().drop(while: \.isWhitespace).reversed()), unit)
  }
}
