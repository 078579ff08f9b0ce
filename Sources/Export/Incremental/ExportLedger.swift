import Basics

/// A trial in the ledger of an export.
protocol LedgerEntry: Sendable {
  /// The trial's identifier, or its pseudonym.
  var trial: String { get }
  var json: JSONValue { get }

  /// Reads what ``json`` says; `nil` for anything else.
  init?(_ json: JSONValue)
}

/// The trials that the folder of an export has, and the options with which they were written.
///
/// The file is JSON Lines: a head, and a line for each trial.
struct ExportLedger<Entry: LedgerEntry>: Sendable {
  /// The trials, in the order in which they were added.
  var entries: [Entry] = []
  /// What else the kind of export keeps for later ones.
  var members: [String: JSONValue] = [:]

  private let path: String
  private let kind: String
  private let options: String

  /// Reads the ledger of a folder, or begins one.
  ///
  /// - Throws: ``ExportError`` for a file that is not a ledger, or was made with other options, and `FileError`.
  init(_ kind: ExportKind, in folder: String, options: String) throws {
    let name = kind.ledger
    (path, self.kind, self.options) = ("\(folder)/\(name)", kind.name, options)
    guard Folder.exists(path) else { return }
    func refuse(_ reason: String) -> ExportError { .unreadable(path: folder, reason: "“\(name)” \(reason)") }
    let lines = try File.contents(of: path).split(separator: UInt8(ascii: "\n"))
    guard let head = try lines.first.map({ try JSONReader.read(Array($0)).value })?.object,
      head["format"]?.string == ExportKind.format, head["kind"]?.string == kind.name,
      let were = head["options"]?.string
    else { throw refuse("is not of the form \(ExportKind.format)") }
    guard were == options else { throw ExportError.otherOptions(path: folder, were: were, are: options) }
    members = head
    entries.reserveCapacity(lines.count)
    for (index, line) in lines.dropFirst().enumerated() {
      guard let entry = Entry(try JSONReader.read(Array(line)).value) else {
        throw refuse("is damaged in line \(index + 2)")
      }
      entries.append(entry)
    }
  }

  /// Writes the ledger.
  func write() throws(FileError) {
    var head = members
    head["format"] = .string(ExportKind.format)
    head["kind"] = .string(kind)
    head["options"] = .string(options)
    var bytes: [UInt8] = []
    for line in [JSONValue.object(head)] + entries.map(\.json) {
      bytes += line.text().utf8
      bytes.append(UInt8(ascii: "\n"))
    }
    try File.replaceWhole(path, bytes)
  }
}
