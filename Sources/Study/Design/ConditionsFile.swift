import Basics

/// A table with a row for each condition, as users of other programs have them.
///
/// The columns `condition`, `clip`, `mood`, `tag` and `folder` say what the condition is called and plays; each other
/// column is a factor. The clip `silence` plays nothing. A column `marker` has the codes of conditions.
enum ConditionsFile {
  private static let known = ["condition", "clip", "mood", "tag", "folder", "marker"]

  /// Reads the file that a protocol names; `nil` after reporting a problem.
  static func read(_ place: Located) -> [StudyCondition]? {
    guard let bytes = place.fileNamedHere() else { return nil }
    var cutter = RowCutter()
    let (rows, fault) = cutter.take(bytes, isLast: true)
    if let fault {
      place.report("line \(fault.line): \(fault)")
      return nil
    }
    let filled = rows.filter { row in !row.bytes.allSatisfy { $0 == UInt8(ascii: " ") } }
    guard let head = filled.first, let header = head.text, filled.count > 1 else {
      place.report("the file needs a header row, such as “condition,clip”, and a row for each condition")
      return nil
    }
    guard filled.count - 1 <= TrialDesign.mostConditions else {
      place.report(
        "the file has \(filled.count - 1) rows, and a design at most \(TrialDesign.mostConditions) conditions")
      return nil
    }
    let delimiter = TableRow.delimiter(of: header) { known.contains($0) }
    let columns = TableRow.fields(of: header, delimiter).map(\.text)
    guard Set(columns).count == columns.count, !columns.contains("") else {
      place.report("line \(head.line): each column needs a name of its own")
      return nil
    }
    let conditions = filled.dropFirst().map { condition(of: $0, columns, delimiter, place) }
    let marked = zip(filled.dropFirst(), conditions).compactMap { row, condition in
      condition.flatMap { condition in condition.marker.map { (line: row.line, name: condition.name, marker: $0) } }
    }
    MarkerCodes.check(marked.map { ($0.name, $0.marker) }) { index, reason in
      place.report("line \(marked[index].line): \(reason)")
    }
    return conditions.contains { $0 == nil } ? nil : conditions.compactMap(\.self)
  }

  private static func condition(
    of row: RowCutter.Row, _ columns: [String], _ delimiter: Unicode.Scalar, _ place: Located
  ) -> StudyCondition? {
    guard let text = row.text else {
      place.report("line \(row.line): the row is not valid UTF-8; save the file as UTF-8")
      return nil
    }
    let fields = TableRow.fields(of: text, delimiter).map(\.text)
    guard fields.count == columns.count else {
      place.report(
        "line \(row.line): \(fields.count.counted("field")) in a table of \(columns.count.counted("column"))")
      return nil
    }
    let cells = Dictionary(uniqueKeysWithValues: zip(columns, fields)).filter { !$0.value.isEmpty }
    let factors = cells.filter { !known.contains($0.key) }
    let levels = columns.compactMap { factors[$0] }
    let name = cells["condition"] ?? (levels.isEmpty ? cells["clip"] : levels.joined(separator: "-"))
    guard let name else {
      place.report("line \(row.line): the row has neither a condition nor a clip nor the level of a factor")
      return nil
    }
    guard Located.isIdentifier(name) else {
      place.report(
        "line \(row.line): “\(name.shortened)” is not the name of a condition: a letter or digit, then at most 63 letters, "
          + "digits or . _ -; give the row one in a column “condition”")
      return nil
    }
    if let clip = cells["clip"] {
      for other in ["mood", "tag"] where cells[other] != nil {
        place.report("line \(row.line): the clip “\(clip.shortened)” is named, and “\(other)” belongs to a draw")
        return nil
      }
    }
    let pool = ClipPool(
      names: cells["clip"].map { [$0] }, mood: cells["mood"], tags: cells["tag"].map { [$0] } ?? [],
      folder: cells["folder"])
    var condition = StudyCondition(
      name: name, factors: factors, sound: cells["clip"] == "silence" ? .silence : .clips(pool))
    if let text = cells["marker"] {
      guard let code = Int(text), MarkerCodes.range.contains(code) else {
        place.report("line \(row.line): expected a code from 1 to 255 as “marker”, found “\(text.shortened)”")
        return nil
      }
      condition.marker = code
    }
    return condition
  }
}

extension StudyCondition {
  /// The condition as a protocol lists it.
  var json: JSONValue {
    var members: [String: JSONValue] = ["name": .string(name)]
    members["marker"] = marker.map { .number(Double($0)) }
    if !factors.isEmpty { members["factors"] = .object(factors.mapValues { .string($0) }) }
    switch sound {
    case .silence: members["clips"] = "silence"
    case .clips(let pool): members["clips"] = pool.json
    }
    return .object(members)
  }
}

extension ClipPool {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = [:]
    members["from"] = names.map { .array($0.map { .string($0) }) }
    members["mood"] = mood.map { .string($0) }
    members["tag"] = tags.isEmpty ? nil : .array(tags.map { .string($0) })
    members["folder"] = folder.map { .string($0) }
    return .object(members)
  }
}
