import Basics

/// A sign in a file's beginning by which its kind is recognised; a new format is a row of ``all``.
struct FileSign: Sendable {
  /// Where the sign is.
  enum Place: Hashable, Sendable {
    case offset(Int)
    /// At the beginning of the first line that is no comment.
    case firstLine
    /// Anywhere in the first 4 KiB of a text that begins with `<`.
    case markup
    /// Anywhere in the first 4 KiB of a text that begins with `{` or `[`; several words must all be there.
    case json
  }

  let place: Place
  let words: [[UInt8]]
  /// The kind, or the description and advice for a file that is not read.
  let verdict: @Sendable (_ beginning: [UInt8]) -> Result<FileKind, FileKind.Foreign>

  private init(_ place: Place, _ words: [[UInt8]], is kind: FileKind) {
    (self.place, self.words) = (place, words)
    verdict = { _ in .success(kind) }
  }

  private init(_ place: Place, _ words: [[UInt8]], not reason: String) {
    (self.place, self.words) = (place, words)
    verdict = { _ in .failure(FileKind.Foreign(reason: reason)) }
  }

  private init(_ place: Place, _ words: [[UInt8]], _ reason: @escaping @Sendable ([UInt8]) -> String) {
    (self.place, self.words) = (place, words)
    verdict = { .failure(FileKind.Foreign(reason: reason($0))) }
  }

  private init(_ place: Place, _ words: String..., is kind: FileKind) {
    self.init(place, words.map { Array($0.utf8) }, is: kind)
  }

  private init(_ place: Place, _ words: String..., not reason: String) {
    self.init(place, words.map { Array($0.utf8) }, not: reason)
  }

  private static let strava =
    "it holds the streams of an activity as Strava gives them, which are not read; convert “time” and “heartrate” to "
    + FileKind.tableForm

  private static let fitbit =
    "it holds heart rates as Fitbit or Google Takeout gives them, which are not read; convert “dateTime” and “bpm” to "
    + FileKind.tableForm
  private static let google =
    "it is a file of Google Fit, which is not read; convert its points to \(FileKind.tableForm), or export the activity "
    + "as TCX"
  private static let healthAutoExport =
    "it is a file of Health Auto Export, which is not read; export as CSV and name the columns “time” and “hr”, or give "
    + "“station store import” the phone's own Apple Health export"
  private static let samsung =
    "it is a file of Samsung Health, which is not read; convert “start_time” and “heart_rate” to \(FileKind.tableForm)"

  /// All signs; the first that is found decides.
  static let all: [FileSign] = [
    // Files of devices.
    FileSign(.offset(8), ".FIT", is: .device(.fit)),
    FileSign(.firstLine, "[Params]", is: .device(.polarHRM)), FileSign(.firstLine, "[HRData]", is: .device(.polarHRM)),
    FileSign(.firstLine, "Name,Sport,Date,", is: .device(.polarFlow)),
    FileSign(.markup, "<TrainingCenterDatabase", is: .device(.tcx)), FileSign(.markup, "<gpx", is: .device(.gpx)),
    // With a prefix of the root's namespace.
    FileSign(.markup, ":TrainingCenterDatabase ", is: .device(.tcx)),
    FileSign(.markup, ":TrainingCenterDatabase>", is: .device(.tcx)),
    FileSign(.markup, ":gpx ", is: .device(.gpx)), FileSign(.markup, ":gpx>", is: .device(.gpx)),

    // Files with signals.
    FileSign(
      .offset(0), "XDF:",
      not: "it is an XDF file of LabRecorder, which is not read; save its stream as \(FileKind.tableForm)"),
    FileSign(.offset(0), "MATLAB 5.0", not: "it is a MATLAB file; save what it holds as \(FileKind.tableForm)"),
    FileSign(
      .offset(0), [[0x89] + Array("HDF".utf8)],
      not: "it is an HDF5 or MATLAB file; save what it holds as \(FileKind.tableForm)"),
    FileSign(
      .offset(0), [[0x93] + Array("NUMPY".utf8)],
      not: "it is a NumPy array; save it with numpy.savetxt, an interval in milliseconds a line"),
    FileSign(.offset(0), "PAR1", not: "it is a Parquet table; save what it holds as \(FileKind.tableForm)"),
    FileSign(.offset(0), "$FL2", not: "it is an SPSS file; save what it holds as \(FileKind.tableForm)"),
    FileSign(.offset(0), "<stata_dta>", not: "it is a Stata file; save what it holds as \(FileKind.tableForm)"),
    FileSign(
      .firstLine, "Kubios HRV",
      not: "it is a report of Kubios; give the file of intervals from which it was made, or export the intervals"),

    // Other programs' files.
    FileSign(.offset(0), [Array("PK\u{3}\u{4}".utf8)], ZipNames.reason),
    FileSign(.offset(0), [[0x1F, 0x8B]], not: "it is compressed (gzip); unpack it"),
    FileSign(.offset(0), "BZh", not: "it is compressed (bzip2); unpack it"),
    FileSign(.offset(0), [[0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]], not: "it is compressed (xz); unpack it"),
    FileSign(.offset(0), [[0x28, 0xB5, 0x2F, 0xFD]], not: "it is compressed (Zstandard); unpack it"),
    FileSign(.offset(0), [Array("7z".utf8) + [0xBC, 0xAF]], not: "it is compressed (7z); unpack it"),
    FileSign(.offset(257), "ustar", not: "it is an archive (tar); unpack it"),
    FileSign(.offset(0), [[0xD0, 0xCF, 0x11, 0xE0]], not: "it is an old Excel workbook; save the sheet as CSV"),
    FileSign(.offset(0), "%PDF", not: "it is a PDF document, and no recording"),
    FileSign(.offset(0), "{\\rtf", not: "it is a text document (RTF), and no recording; save it as plain text"),
    FileSign(
      .offset(0), "SQLite format 3\u{0}",
      not: "it is an SQLite database; “station query --store FILE” lists the samples of a station's store"),
    FileSign(.offset(0), [[0x89] + Array("PNG".utf8)], not: "it is a picture (PNG), and no recording"),
    FileSign(.offset(0), [[0xFF, 0xD8, 0xFF]], not: "it is a picture (JPEG), and no recording"),
    FileSign(.offset(0), "RIFF", not: "it is a sound (WAV) or a film, and no recording of a heart"),
    FileSign(.offset(0), "fLaC", not: "it is a sound (FLAC); as a clip it belongs in the folder of clips"),
    FileSign(.offset(0), "ID3", not: "it is a sound (mp3); as a clip it belongs in the folder of clips"),
    FileSign(
      .offset(4), "ftyp",
      not: "it is a film or a sound (MP4); “--sensor heartRate=video:FILE” finds the pulse that a film of a face or a "
        + "finger shows"),

    FileSign(.markup, "<HealthData", is: .appleHealth), FileSign(.markup, "HealthData [", is: .appleHealth),
    FileSign(
      .markup, "<ClinicalDocument",
      not: "it is a clinical document of an Apple Health export; “station store import” takes in “export.xml” beside it"
    ),
    FileSign(
      .markup, "<kml",
      not: "it is a KML file, which has places and no heart rates; export the activity as FIT, TCX or GPX"),
    FileSign(
      .markup, "<html", not: "it is a web page, and no recording; was the file downloaded without signing in?"),
    FileSign(
      .markup, "<!DOCTYPE html",
      not: "it is a web page, and no recording; was the file downloaded without signing in?"),

    FileSign(.json, "\"kind\":\"trial.open\"", is: .journal), FileSign(.json, "\"items\"", is: .heart),
    FileSign(
      .json, "\"resourceType\"",
      not: "it is a FHIR resource, which is not read; convert its observations to \(FileKind.tableForm)"),
    FileSign(.json, "\"schema_id\"", is: .openMHealth),
    FileSign(.json, "\"dateTime\"", "\"bpm\"", "\"confidence\"", not: fitbit),
    FileSign(.json, "\"activities-heart", not: fitbit),
    FileSign(.json, "\"dataSourceId\"", not: google), FileSign(.json, "\"derived:com.google", not: google),
    FileSign(.json, "\"Data Source\"", not: google),
    FileSign(.json, "\"data\"", "\"metrics\"", not: healthAutoExport),
    FileSign(.json, "\"heart_rate\"", "\"start_time\"", not: samsung),
    FileSign(.json, "\"series_type\"", not: strava), FileSign(.json, "\"heartrate\":{", not: strava),
    FileSign(.json, "\"heartrate\": {", not: strava),
    FileSign(
      .json, "\"exercises\"", "\"samples\"",
      not: "it is an activity as Polar Flow exports it in JSON, which is not read; export the session as TCX or CSV"),
  ]

  /// The verdict of the first sign at a fixed place; `nil` if there is none.
  static func find(in beginning: [UInt8]) -> Result<FileKind, FileKind.Foreign>? {
    all.first { sign in
      guard case .offset(let offset) = sign.place else { return false }
      return sign.words.contains { beginning.dropFirst(offset).starts(with: $0) }
    }?.verdict(beginning)
  }

  /// The verdict of the first sign in a text; `nil` if there is none.
  static func find(
    inText text: ArraySlice<UInt8>, firstLine: ArraySlice<UInt8>
  ) -> Result<FileKind, FileKind.Foreign>? {
    let isMarkup = firstLine.first == UInt8(ascii: "<")
    let isJSON = firstLine.first == UInt8(ascii: "{") || firstLine.first == UInt8(ascii: "[")
    return all.first { sign in
      switch sign.place {
      case .offset: false
      case .firstLine: sign.words.contains { firstLine.starts(with: $0) }
      case .markup: isMarkup && sign.words.allSatisfy { contains(text, $0) }
      case .json: isJSON && sign.words.allSatisfy { contains(text, $0) }
      }
    }?.verdict(Array(text))
  }

  /// Whether the first 4 KiB of a text have a word.
  static func contains(_ text: ArraySlice<UInt8>, _ word: String) -> Bool { contains(text, Array(word.utf8)) }

  private static func contains(_ text: ArraySlice<UInt8>, _ word: [UInt8]) -> Bool {
    guard let first = word.first else { return true }
    let text = text.prefix(4096)
    return text.indices.contains { text[$0] == first && text[$0...].starts(with: word) }
  }
}

/// The names of an archive's first members, which say what it is.
enum ZipNames {
  /// Why an archive is not read, and what to do.
  static func reason(_ beginning: [UInt8]) -> String {
    let names = names(beginning)
    func has(_ test: (String) -> Bool) -> Bool { names.contains(where: test) }
    if has({ $0.hasPrefix("xl/") }) { return "it is an Excel workbook (XLSX); save the sheet as CSV" }
    if has({ $0.hasPrefix("word/") }) { return "it is a Word document (DOCX), and no recording; save it as plain text" }
    if has({ $0 == "[Content_Types].xml" }) {
      return "it is a document of an office program, probably a workbook (XLSX); save the sheet as CSV"
    }
    if has({ $0 == "mimetype" }) {
      return "it is a document of LibreOffice, probably a spreadsheet (ODS); save the sheet as CSV"
    }
    if has({ $0.hasPrefix("apple_health_export/") }) {
      return "it is an Apple Health export; “station store import” takes it in, and “station query” lists it"
    }
    if has({ $0.hasSuffix(".npy") }) { return "it holds NumPy arrays; save one with numpy.savetxt" }
    let shown = names.prefix(3).map { "“\($0.prefix(60).visible)”" }.joined(separator: ", ")
    return "it is a zip archive\(shown.isEmpty ? "" : " with \(shown)"); unpack it, and give a file of it"
  }

  /// The names in the local headers that follow one another in the beginning of an archive.
  private static func names(_ bytes: [UInt8]) -> [String] {
    var names: [String] = []
    var position = 0
    func number(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[position + offset + $1]) << (8 * $1) }
    }
    while names.count < 20, position + 30 <= bytes.count, bytes[position...].starts(with: "PK\u{3}\u{4}".utf8) {
      let (size, length, extra) = (number(18, 4), number(26, 2), number(28, 2))
      guard position + 30 + length <= bytes.count else { break }
      names.append(String(decoding: bytes[(position + 30)..<(position + 30 + length)], as: UTF8.self))
      position += 30 + length + extra + size
    }
    return names
  }
}

/// The kind of a file, recognised by its beginning, for replay, analysis and import alike.
///
/// A file that no part of the station reads is rejected with a description and advice; see ``Foreign``. The signs by
/// which kinds are recognised are in one table, `FileSign.all`.
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
  /// A file of signals: EDF, BDF, or the header or the annotations of a WFDB record.
  case signals
  /// A file of a watch, a chest strap or its program.
  case device(DeviceFormat)
  /// An Apple Health export.
  case appleHealth
  /// Data points of Open mHealth.
  case openMHealth
  /// XML of an unknown kind.
  case markup

  /// A file of an unsupported kind, with a description and advice.
  package struct Foreign: Error, Hashable, Sendable {
    /// The description and the advice: `it is a PDF document, and no recording`.
    package let reason: String
  }

  /// Recognises the kind of a file.
  ///
  /// - Parameter beginning: its first 64 KiB, or all of it.
  /// - Throws: ``Foreign`` for an empty file and for one of an unsupported kind.
  package init(_ beginning: [UInt8]) throws(Foreign) {
    if SignalFile.isBeginning(beginning) {
      self = .signals
      return
    }
    if let found = FileSign.find(in: beginning) {
      self = try found.get()
      return
    }
    if UnicodeForm(beginning) == nil, WFDBAnnotations.isBeginning(beginning) {
      self = .signals
      return
    }
    if let reason = Self.encoding(beginning) { throw Foreign(reason: reason) }
    let text = beginning.afterByteOrderMark
    let lines = text.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
    let first = lines.lazy.map { $0.drop { $0 == 0x20 || $0 == 0x09 } }
      .first { !$0.isEmpty && $0.first != UInt8(ascii: "#") && !TableRow.isSeparator($0) }
    guard let first, let character = first.first else { throw Foreign(reason: "there is nothing in it") }
    if let found = FileSign.find(inText: text, firstLine: first) {
      self = try found.get()
      return
    }
    switch character {
    case UInt8(ascii: "<"): self = .markup
    case UInt8(ascii: "{"), UInt8(ascii: "["): self = Self.json(first)
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
    case .heart, .sensorLines, .table, .intervals, .signals, .device: nil
    }
  }

  /// The format to which messages recommend converting a file.
  static let tableForm =
    "a table whose first row is “time,hr”, with seconds or dates and beats a minute, or “time,rr_ms”"

  private static let noUTF8 =
    "its text is not UTF-8; save it as UTF-8, for example with “iconv -f WINDOWS-1252 -t UTF-8 FILE > NEWFILE”"

  /// Why a text in another encoding than UTF-8, or a binary file, is rejected; `nil` for UTF-8 text.
  private static func encoding(_ bytes: [UInt8]) -> String? {
    if let name = UnicodeForm(bytes)?.rawValue {
      return "its text is \(name); save it as UTF-8, for example with “iconv -f \(name) -t UTF-8 FILE > NEWFILE”"
    }
    guard bytes.contains(0) else { return nil }
    return "it is a binary file, and no UTF-8 text; export the recording as \(tableForm)"
  }

  private static func json(_ line: ArraySlice<UInt8>) -> FileKind {
    let isLine = line.first == UInt8(ascii: "{") && line.last { $0 != 0x20 } == UInt8(ascii: "}")
    let isReading = ["\"hr\"", "\"bpm\"", "\"rr\""].contains { FileSign.contains(line, $0) }
    return isLine && isReading && !FileSign.contains(line, "\"value\"") ? .sensorLines : .heart
  }
}
