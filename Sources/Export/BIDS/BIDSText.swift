import Basics

/// The texts of a BIDS data set's tables.
enum BIDSText {
  /// What a cell without a value says.
  static let missing = "n/a"

  static func cell(_ text: String?) -> String {
    guard let text, !text.isEmpty else { return missing }
    return TableRow.harmless(text)
  }

  static func cell(_ number: Double?, decimals: Int = 6) -> String {
    guard let number, number.isFinite else { return missing }
    var bytes: [UInt8] = []
    bytes.append(number, decimals: decimals)
    return String(decoding: bytes, as: UTF8.self)
  }

  static func table(_ rows: [[String]]) -> [UInt8] {
    Array(rows.map { $0.joined(separator: "\t") + "\n" }.joined().utf8)
  }

  /// A table that takes the place of an earlier one, whose rows are known by their first cells: columns and rows that
  /// others have added to that one stay.
  static func table(_ rows: [[String]], over earlier: [UInt8]) -> [UInt8] {
    let old = earlier.split(separator: UInt8(ascii: "\n")).map { line in
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      return line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    guard let own = rows.first, let head = old.first, head.first == own.first else { return table(rows) }
    let added = head.indices.filter { !own.contains(head[$0]) }
    var others = Dictionary(old.dropFirst().map { ($0[0], $0) }) { first, _ in first }
    func cell(_ row: [String]?, _ place: Int?) -> String {
      guard let row, let place, row.indices.contains(place) else { return missing }
      return row[place]
    }
    var merged = [own + added.map { head[$0] }]
    for row in rows.dropFirst() {
      let other = others.removeValue(forKey: row[0])
      merged.append(row + added.map { cell(other, $0) })
    }
    for row in old.dropFirst() where others[row[0]] != nil {
      merged.append(own.map { cell(row, head.firstIndex(of: $0)) } + added.map { cell(row, $0) })
    }
    return table(merged)
  }

  /// A name as columns have them: `oxygenSaturation` as `oxygen_saturation`.
  ///
  /// Names to which BIDS gives a meaning of its own are told apart.
  static func column(_ name: String) -> String {
    var column = ""
    for scalar in name.unicodeScalars {
      if scalar.isASCII, scalar.properties.isUppercase {
        column += column.isEmpty || column.hasSuffix("_") ? "" : "_"
        column += scalar.properties.lowercaseMapping
      } else if scalar.isASCII, scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) {
        column.unicodeScalars.append(scalar)
      } else if !column.hasSuffix("_") {
        column += "_"
      }
    }
    let reserved: Set = ["", "cardiac", "respiratory", "trigger", "timestamp", "onset", "duration", "trial_type"]
    return reserved.contains(column) || ("0"..."9").contains(column.unicodeScalars.first ?? "a")
      ? "channel_\(column)" : column
  }

  /// The description of a column.
  static func column(_ meaning: String, units: String? = nil, more: [String: JSONValue] = [:]) -> JSONValue {
    var description: [String: JSONValue] = ["Description": .string(meaning)]
    if let units { description["Units"] = .string(units) }
    return .object(description.merging(more) { old, _ in old })
  }
}
