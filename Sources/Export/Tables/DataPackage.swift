import Basics

/// The description of exported tables after the Data Package specification, for Frictionless and other readers.
enum DataPackage {
  /// Its file's name, which the specification gives.
  static let file = ExportKind.table.mark

  /// A table as it was written.
  struct Resource: Sendable {
    let table: ExportTable
    let fields: [ExportField]
    let bytes: Int
    let sha256: String
    let rows: Int
  }

  /// The description of the tables, which begins with the mark of simulated trials.
  static func document(_ resources: [Resource], version: String, mark: String? = nil) -> JSONValue {
    [
      "profile": "tabular-data-package", "name": "station-results",
      "title": "Trials, beats, samples, answers, screens and keys of a station",
      "description": .string(
        (mark.map { "\($0). " } ?? "")
          + "Texts that could be taken for formulas of a spreadsheet begin with an apostrophe; control characters are written "
          + "as \\u{1B}."),
      "contributors": [["title": .string("station \(version)"), "role": "wrangler"]],
      "resources": .array(resources.map(\.json)),
    ]
  }
}

extension DataPackage.Resource {
  fileprivate var json: JSONValue {
    var schema: [String: JSONValue] = ["fields": .array(fields.map(\.json)), "missingValues": [""]]
    switch table {
    case .trials: schema["primaryKey"] = ["trial"]
    case .beats, .samples, .answers, .screens, .keys:
      schema["foreignKeys"] = [
        ["fields": ["trial"], "reference": ["resource": .string(ExportTable.trials.rawValue), "fields": ["trial"]]]
      ]
    }
    return [
      "profile": "tabular-data-resource", "name": .string(table.rawValue), "path": .string(table.file),
      "title": .string(table.title), "format": "csv", "mediatype": "text/csv", "encoding": "utf-8",
      "bytes": .integer(bytes), "hash": .string("sha256:\(sha256)"), "rows": .integer(rows),
      "schema": .object(schema),
    ]
  }
}

/// A table of the export.
enum ExportTable: String, CaseIterable, Sendable {
  case trials, beats, samples, answers, screens, keys

  /// The file's name.
  var file: String { "\(rawValue).csv" }

  var title: String {
    switch self {
    case .trials: "one row per trial"
    case .beats: "one row per beat"
    case .samples: "one row per sample of a channel"
    case .answers: "one row per answer"
    case .screens: "one row per painted screen of a page, and per picture on it"
    case .keys: "one row per recorded press of a key"
    }
  }

  func fields(factors: [String]) -> [ExportField] {
    switch self {
    case .trials: TrialsTable.columns(factors: factors).map(\.field)
    case .beats: BeatsTable.fields
    case .samples: SamplesTable.fields
    case .answers: AnswersTable.columns.map(\.field)
    case .screens: ScreensTable.columns.map(\.field)
    case .keys: KeysTable.columns.map(\.field)
    }
  }
}
