import Basics

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
  package static let tableForm =
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
