import Basics

/// The kind of a file, recognised by its beginning, for replay, analysis and import alike.
///
/// A file that no part of the station reads is rejected with a description and advice; see ``Foreign``.
package enum FileKind: Hashable, Sendable {
  /// A heart file, or JSON of an unknown kind.
  case heart
  /// JSON lines as sensors send them.
  case sensorLines
  /// The journal of a trial.
  case journal
  /// A table with a header.
  case table
  /// Any other text; if it consists of numbers, they are intervals, one per line.
  case intervals
  /// An Apple Health export.
  case appleHealth
  /// Data points of Open mHealth.
  case openMHealth
  /// XML of an unknown kind.
  case markup

  /// A file of an unsupported kind, with a description and advice.
  package struct Foreign: Error, Hashable, Sendable {
    /// The description and the advice: `it is a GPX track, which is not read; convert it to …`.
    package let reason: String
  }

  /// Recognises the kind of a file.
  ///
  /// - Parameter beginning: its first 64 KiB, or all of it.
  /// - Throws: ``Foreign`` for an empty file and for one of an unsupported kind.
  package init(_ beginning: [UInt8]) throws(Foreign) {
    if let reason = Self.binary(beginning) ?? Self.encoding(beginning) { throw Foreign(reason: reason) }
    let text = beginning.afterByteOrderMark
    let lines = text.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
    let first = lines.lazy.map { $0.drop { $0 == 0x20 || $0 == 0x09 } }
      .first { !$0.isEmpty && $0.first != UInt8(ascii: "#") && !TableRow.isSeparator($0) }
    guard let first, let character = first.first else { throw Foreign(reason: "there is nothing in it") }
    if first.starts(with: "[Params]".utf8) || first.starts(with: "[HRData]".utf8) {
      throw Foreign(
        reason:
          "it is a Polar HRM file, which is not read; the numbers below its line [HRData] are heart rates, or intervals in "
          + "milliseconds where a line “Mode” ends in 1: save those alone as a text with an interval a line, or as \(Self.tableForm)"
      )
    }
    switch character {
    case UInt8(ascii: "<"): self = try Self.markup(text)
    case UInt8(ascii: "{"), UInt8(ascii: "["): self = try Self.json(text, line: first)
    default:
      guard let line = String(validating: first, as: UTF8.self) else { throw Foreign(reason: Self.noUTF8) }
      self = HeartColumn.isHeader(line) ? .table : .intervals
    }
  }

  /// Why a file of this kind is neither analysed nor replayed, and what to do; `nil` for supported kinds.
  package var remedy: String? {
    switch self {
    case .journal: "it is the journal of a trial; name the bundle's folder, or its file “data/heart.json”"
    case .appleHealth: "it is an Apple Health export; “station store import” takes it in, and “station query” lists it"
    case .openMHealth: "it is Open mHealth; “station store import” takes it in, and “station query” lists it"
    case .markup:
      "it is XML, which is not read; convert it to \(Self.tableForm). “station store import” takes in an Apple Health export"
    case .heart, .sensorLines, .table, .intervals: nil
    }
  }

  /// The format to which messages recommend converting a file.
  package static let tableForm =
    "a table whose first row is “time,hr”, with seconds or dates and beats a minute, or “time,rr_ms”"

  private static let noUTF8 =
    "its text is not UTF-8; save it as UTF-8, for example with “iconv -f WINDOWS-1252 -t UTF-8 FILE > NEWFILE”"

  // MARK: Binary files

  private static let signatures: [(bytes: [UInt8], offset: Int, reason: String)] = [
    (Array("PK\u{3}\u{4}".utf8), 0, "it is compressed (zip), or a spreadsheet; unpack it, or save the sheet as CSV"),
    ([0x1F, 0x8B], 0, "it is compressed (gzip); unpack it"),
    (Array("BZh".utf8), 0, "it is compressed (bzip2); unpack it"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], 0, "it is compressed (xz); unpack it"),
    ([0x28, 0xB5, 0x2F, 0xFD], 0, "it is compressed (Zstandard); unpack it"),
    ([0xD0, 0xCF, 0x11, 0xE0], 0, "it is an old Excel workbook; save the sheet as CSV"),
    (
      Array(".FIT".utf8), 8,
      "it is a FIT file of a watch or bicycle computer, which is not read; convert it to \(tableForm)"
    ),
    (Array("%PDF".utf8), 0, "it is a PDF document, and no recording"),
    (
      Array("SQLite format 3\u{0}".utf8), 0,
      "it is an SQLite database; “station query --store FILE” lists the samples of a station's store"
    ),
    (
      Array("0       ".utf8), 0,
      "it is an EDF file with the samples of signals; find its beats with another program, such as NeuroKit2, and give a "
        + "file of intervals in milliseconds"
    ),
    (
      [0xFF] + Array("BIOSEMI".utf8), 0,
      "it is a BDF file with the samples of signals; find its beats with another program, such as NeuroKit2, and give a "
        + "file of intervals in milliseconds"
    ),
    (Array("MATLAB 5.0".utf8), 0, "it is a MATLAB file; save what it holds as \(tableForm)"),
    ([0x89] + Array("HDF".utf8), 0, "it is an HDF5 or MATLAB file; save what it holds as \(tableForm)"),
  ]

  private static func binary(_ bytes: [UInt8]) -> String? {
    signatures.first { bytes.dropFirst($0.offset).starts(with: $0.bytes) }?.reason
  }

  /// Why a text in another encoding than UTF-8, or a binary file, is rejected; `nil` for UTF-8 text.
  private static func encoding(_ bytes: [UInt8]) -> String? {
    if let name = UnicodeForm(bytes)?.rawValue {
      return "its text is \(name); save it as UTF-8, for example with “iconv -f \(name) -t UTF-8 FILE > NEWFILE”"
    }
    guard bytes.contains(0) else { return nil }
    return "it is a binary file, and no UTF-8 text; export the recording as \(tableForm)"
  }

  // MARK: Text formats of other programs

  private static func contains(_ text: ArraySlice<UInt8>, _ word: String) -> Bool {
    let word = Array(word.utf8)
    guard let first = word.first else { return true }
    let text = text.prefix(4096)
    return text.indices.contains { text[$0] == first && text[$0...].starts(with: word) }
  }

  private static func markup(_ text: ArraySlice<UInt8>) throws(Foreign) -> FileKind {
    if contains(text, "<TrainingCenterDatabase") {
      throw Foreign(
        reason:
          "it is a TCX file of a training, which is not read; convert it to \(tableForm): a row for each Trackpoint")
    }
    if contains(text, "<gpx") {
      throw Foreign(
        reason: "it is a GPX track, which is not read; convert it to \(tableForm): a row for each “trkpt” that has a "
          + "heart rate")
    }
    if contains(text, "<HealthData") || contains(text, "HealthData [") { return .appleHealth }
    if contains(text, "<ClinicalDocument") {
      throw Foreign(
        reason: "it is a clinical document of an Apple Health export; “station store import” takes in “export.xml” "
          + "beside it")
    }
    return .markup
  }

  private static func json(_ text: ArraySlice<UInt8>, line: ArraySlice<UInt8>) throws(Foreign) -> FileKind {
    if contains(line, "\"kind\":\"trial.open\"") { return .journal }
    guard !contains(text, "\"items\"") else { return .heart }
    if contains(text, "\"resourceType\"") {
      throw Foreign(
        reason: "it is a FHIR resource, which is not read; convert its observations to \(tableForm)")
    }
    if contains(text, "\"schema_id\"") { return .openMHealth }
    if contains(text, "\"series_type\"") || contains(text, "\"heartrate\":{") || contains(text, "\"heartrate\": {") {
      throw Foreign(
        reason: "it holds the streams of an activity as Strava gives them, which are not read; convert “time” and "
          + "“heartrate” to \(tableForm)")
    }
    if contains(text, "\"exercises\"") && contains(text, "\"samples\"") {
      throw Foreign(
        reason: "it is an activity as Polar Flow exports it, which is not read; convert its samples of heart rate to "
          + "\(tableForm)")
    }
    let isLine = line.first == UInt8(ascii: "{") && line.last { $0 != 0x20 } == UInt8(ascii: "}")
    let isReading = contains(line, "\"hr\"") || contains(line, "\"bpm\"") || contains(line, "\"rr\"")
    return isLine && isReading && !contains(line, "\"value\"") ? .sensorLines : .heart
  }
}
