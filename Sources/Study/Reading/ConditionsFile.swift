import Basics

/// A table with a row for each condition, as users of other programs have them.
///
/// It is read as the list of conditions that it stands for, in which each value has the place of its cell.
struct ConditionsFile {
  /// A column that says what a condition is called, what it plays, or which code it has.
  enum Property: String, CaseIterable {
    case condition, clip, mood, tag, folder, picture, alt, marker
  }

  /// What a column says.
  enum Heading: Hashable {
    case property(Property)
    case factor(String)
    /// A column without a name, as spreadsheets leave them, which has to be empty.
    case nameless
  }

  /// A cell: its text without the blanks around it, and its place in all texts of the protocol.
  private struct Cell {
    let text: String
    let offset: Int
    var isBlank: Bool { text.isEmpty }
  }

  private struct Row {
    let offset: Int
    let cells: [Cell]
  }

  private let start: Int
  private let problems: ProblemList

  /// A table of which the first byte has this offset.
  init(at start: Int, _ problems: ProblemList) { (self.start, self.problems) = (start, problems) }

  /// Reads the table.
  ///
  /// - Parameters:
  ///   - bytes: the table.
  ///   - arePlayed: whether trials play what their condition says.
  /// - Returns: the conditions as a protocol lists them; `nil` after reporting a problem.
  func read(_ bytes: [UInt8], arePlayed: Bool) -> [JSONNode]? {
    if let reason = Self.foreignForm(of: bytes) { return report(start, reason) }
    guard let rows = rows(of: bytes) else { return nil }
    guard let header = rows.first, rows.count > 1 else {
      return report(start, "the file needs a header row, such as “condition,clip”, and a row for each condition")
    }
    guard rows.count - 1 <= TrialDesign.maxConditions else {
      return report(
        start, "the file has \(rows.count - 1) rows, and a design at most \(TrialDesign.maxConditions) conditions")
    }
    guard let headings = headings(of: header, rows.dropFirst()) else { return nil }
    let sounds: [Property] = [.clip, .mood, .tag, .folder]
    guard !arePlayed || sounds.contains(where: { headings.contains(.property($0)) }) else {
      return report(
        header.offset,
        "no column says what the conditions play; add “clip”, with the name of a clip or “silence” in "
          + "each row, or “mood”, “tag” or “folder”")
    }
    guard !reportCapitals(rows.dropFirst(), headings) else { return nil }
    let conditions = rows.dropFirst().map { condition(of: $0, headings, header) }
    return conditions.contains { $0 == nil } ? nil : conditions.compactMap(\.self)
  }

  /// Reports a problem, and gives `nil`.
  private func report<Value>(_ offset: Int, _ reason: @autoclosure () -> String) -> Value? {
    problems.add(at: offset, .root, reason)
    return nil
  }

  /// What the file is instead of text in UTF-8; `nil` for text.
  private static func foreignForm(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: "PK\u{3}\u{4}".utf8) || bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) {
      return "the file is a workbook; save the sheet as CSV, and name that file"
    }
    return UnicodeForm(bytes).map { "the file is in \($0.rawValue); save it as CSV in UTF-8" }
  }

  /// Reports levels and names of conditions that differ in capitals only, and would be two; whether there are any.
  private func reportCapitals(_ rows: ArraySlice<Row>, _ headings: [Heading]) -> Bool {
    var found = false
    for (index, heading) in headings.enumerated() {
      switch heading {
      case .property(.condition), .factor: break
      default: continue
      }
      var known: [String: String] = [:]
      for cell in rows.compactMap({ index < $0.cells.count ? $0.cells[index] : nil }) {
        guard let other = known.updateValue(cell.text, forKey: cell.text.lowercased()), other != cell.text else {
          continue
        }
        found = true
        problems.add(at: cell.offset, .root) {
          "“\(cell.text.shortened)” and “\(other.shortened)” differ in capitals only; write both alike"
        }
        break
      }
    }
    return found
  }

  // MARK: Rows

  /// The rows that are not blank, the header first; `nil` after reporting a problem.
  private func rows(of bytes: [UInt8]) -> [Row]? {
    var cutter = RowCutter()
    let (all, fault) = cutter.take(bytes, isLast: true)
    if let fault { return report(start + fault.offset, "\(fault)") }
    var rows = all.filter { row in !row.bytes.allSatisfy { $0 == UInt8(ascii: " ") } }
    var delimiter = rows.first.flatMap { TableRow.separator(declaredBy: $0.bytes) }
    if delimiter != nil { rows.removeFirst() }
    var cut: [Row] = []
    for row in rows {
      guard let text = row.text else {
        return report(start + row.offset, "the row is not valid UTF-8; save the file as UTF-8")
      }
      let used = delimiter ?? Self.delimiter(of: text)
      delimiter = used
      let cells = TableRow.fields(of: text, used).map { field in
        Cell(text: Self.trimmed(field.text), offset: start + row.offset + field.offset)
      }
      if !cells.allSatisfy(\.isBlank) { cut.append(Row(offset: start + row.offset, cells: cells)) }
    }
    return cut
  }

  /// The delimiter with which most columns are known; of several, the one with which there are most.
  private static func delimiter(of header: String) -> Unicode.Scalar {
    func count(_ delimiter: Unicode.Scalar) -> (known: Int, all: Int) {
      let names = TableRow.fields(of: header, delimiter).map { trimmed($0.text) }
      return (names.count { property(called: $0) != nil }, names.count)
    }
    return TableRow.delimiters.reduce(TableRow.delimiters[0]) { count($1) > count($0) ? $1 : $0 }
  }

  static func trimmed(_ text: some StringProtocol) -> String {
    func isBlank(_ character: Character) -> Bool { character.isWhitespace || character == "\u{FEFF}" }
    guard let first = text.firstIndex(where: { !isBlank($0) }), let last = text.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(text[first...last])
  }

  /// What the columns say; `nil` after reporting a problem.
  private func headings(of header: Row, _ rows: ArraySlice<Row>) -> [Heading]? {
    let properties = Set(header.cells.compactMap { Self.property(called: $0.text) })
    var headings: [Heading] = []
    var names: [Heading: String] = [:]
    var isRight = true
    for (index, cell) in header.cells.enumerated() {
      let heading = Self.heading(cell.text)
      let levels = rows.compactMap { index < $0.cells.count ? $0.cells[index].text : nil }.filter { !$0.isEmpty }
      var reason = Self.problem(with: cell.text, beside: properties, levels)
      if reason == nil, heading != .nameless, let other = names.updateValue(cell.text, forKey: heading.folded) {
        reason = "“\(cell.text.shortened)” is the same column as “\(other.shortened)”; each needs a name of its own"
      }
      if let reason { problems.add(at: cell.offset, .root) { reason } }
      isRight = isRight && reason == nil
      headings.append(heading)
    }
    return isRight ? headings : nil
  }

  // MARK: Conditions

  private func condition(of row: Row, _ headings: [Heading], _ header: Row) -> JSONNode? {
    var properties: [Property: Cell] = [:]
    var levels: [(factor: String, keyOffset: Int, cell: Cell)] = []
    for (index, cell) in row.cells.enumerated() where !cell.isBlank {
      switch index < headings.count ? headings[index] : .nameless {
      case .property(let property): properties[property] = cell
      case .factor(let name):
        // What was written “factor:” is known as such by the place of its key.
        let isMeant = Self.factor(called: header.cells[index].text) != nil
        levels.append((name, isMeant ? header.cells[index].offset : cell.offset, cell))
      case .nameless:
        return report(cell.offset, "the column of “\(cell.text.shortened)” has no name; give it one in the first row")
      }
    }
    guard headings.dropFirst(row.cells.count).allSatisfy({ $0 == .nameless }) else {
      return report(
        row.offset,
        "\(row.cells.count.counted("field")) in a table of \(headings.count.counted("column"))")
    }
    let sound = sound(of: row, headings, properties)
    guard let name = name(of: row, headings, properties, levels.map(\.cell.text)), let sound else { return nil }
    var members = [("name", name), ("clips", sound)]
    if !levels.isEmpty {
      let factors = levels.map { JSONMember(key: $0.factor, keyOffset: $0.keyOffset, value: Self.string($0.cell)) }
      members.append(("factors", JSONNode(.null, at: row.offset).with(.object(factors))))
    }
    if let cell = properties[.picture] ?? properties[.alt] {
      let parts = [("file", properties[.picture]), ("alt", properties[.alt])]
      members.append(
        (
          "picture",
          Self.object(
            parts.compactMap { key, cell in
              cell.map { (key, Self.string($0)) }
            }, at: cell.offset)
        ))
    }
    if let cell = properties[.marker] {
      guard let code = Int(cell.text), MarkerCodes.range.contains(code) else {
        return report(
          cell.offset,
          "expected a code from \(MarkerCodes.range.lowerBound) to \(MarkerCodes.range.upperBound), "
            + "found “\(cell.text.shortened)”")
      }
      members.append(("marker", JSONNode(.integer(code), at: cell.offset)))
    }
    return Self.object(members, at: row.offset)
  }

  /// The name of the condition: that of its column, else its levels or its clip.
  private func name(
    of row: Row, _ headings: [Heading], _ properties: [Property: Cell], _ levels: [String]
  ) -> JSONNode? {
    if let cell = properties[.condition] {
      guard !Located.isIdentifier(cell.text) else { return Self.string(cell) }
      return report(cell.offset, Self.notAName(cell.text))
    }
    if let index = headings.firstIndex(of: .property(.condition)) {
      return report(row.cells[index].offset, "the name of the condition is blank")
    }
    guard let name = levels.isEmpty ? properties[.clip]?.text : levels.joined(separator: "-") else {
      return report(row.offset, "the row has neither a condition nor a clip nor the level of a factor")
    }
    guard Located.isIdentifier(name) else {
      return report(row.offset, Self.notAName(name) + "; give the row one in a column “condition”")
    }
    return JSONNode(.string(name), at: row.offset)
  }

  private static func notAName(_ name: String) -> String {
    "“\(name.shortened)” is not the name of a condition: a letter or digit, then at most 63 letters, digits or . _ -"
  }

  /// What the condition plays.
  private func sound(of row: Row, _ headings: [Heading], _ properties: [Property: Cell]) -> JSONNode? {
    let draws = [Property.mood, .tag].compactMap { property in properties[property].map { (property, $0) } }
    let pool = draws + [Property.folder].compactMap { property in properties[property].map { (property, $0) } }
    if let clip = properties[.clip] {
      let isSilent = clip.text.lowercased() == "silence"
      if let (property, cell) = (isSilent ? pool : draws).first {
        return report(
          cell.offset,
          isSilent
            ? "the condition is silent, and has no “\(property)”"
            : "the clip “\(clip.text.shortened)” is named, and “\(property)” belongs to a draw")
      }
      if isSilent { return JSONNode("silence", at: clip.offset) }
    } else if pool.isEmpty, let index = headings.firstIndex(where: { Heading.ofSound.contains($0) }) {
      let place = headings.firstIndex(of: .property(.clip)) ?? index
      return report(
        row.cells[place].offset, "the row says no clip; name one, or write “silence” in a column “clip”")
    }
    let names = properties[.clip].map { ("from", JSONNode(.null, at: $0.offset).with(.array([Self.string($0)]))) }
    let members = pool.map { ($0.0.rawValue, Self.string($0.1)) }
    return Self.object([names].compactMap(\.self) + members, at: properties[.clip]?.offset ?? row.offset)
  }

  private static func string(_ cell: Cell) -> JSONNode { JSONNode(.string(cell.text), at: cell.offset) }

  private static func object(_ members: [(String, JSONNode)], at offset: Int) -> JSONNode {
    JSONNode(.null, at: offset)
      .with(.object(members.map { JSONMember(key: $0.0, keyOffset: $0.1.offset, value: $0.1) }))
  }
}

extension ConditionsFile.Heading {
  /// What says what a condition plays.
  fileprivate static let ofSound: [Self] = [.property(.clip), .property(.mood), .property(.tag), .property(.folder)]

  /// The heading without capitals, by which columns are the same.
  fileprivate var folded: Self {
    if case .factor(let name) = self { .factor(name.lowercased()) } else { self }
  }
}
