import Analysis
import Basics
import Bundles

/// The reason why an export cannot be made.
enum ExportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The folder holds files, and none of them says that it is such an export.
  case folderInUse(path: String, kind: ExportKind)
  /// The folder lies in a bundle, which would no longer be complete and unchanged.
  case insideBundle(path: String, closed: String)
  /// The folder holds an export that was made with other options.
  case otherOptions(path: String, were: String, are: String)
  /// None of the trials is chosen.
  case noTrials
  /// All of them are simulated, and left out.
  case onlySimulated(count: Int)
  /// A file holds no key for pseudonyms and shifted dates.
  case noKey(path: String)
  /// A file of an export is not what the station wrote.
  case unreadable(path: String, reason: String)

  /// What is wrong, and what to do.
  var description: String {
    switch self {
    case .folderInUse(let path, let kind):
      "the folder “\(path.visible)” has files and is not a \(kind.title); choose a new folder with --to"
    case .insideBundle(let path, let closed):
      "“\(path.visible)” lies in “\(closed.visible)”, to which nothing may be added; choose another folder with --to"
    case .otherOptions(let path, let were, let are):
      "“\(path.visible)” was made with \(were), and this call has \(are); choose another folder with --to"
    case .noTrials: "there is no such trial to export; “station list” shows the trials of a results folder"
    case .onlySimulated(let count): TrialChronology.onlySimulated(count)
    case .noKey(let path):
      "“\(path.visible)” holds no key for pseudonyms and dates: expected 64 hexadecimal digits; name another file with "
        + "--key, or remove it for a new key"
    case .unreadable(let path, let reason):
      "cannot continue the export “\(path.visible)”: \(reason); choose a new folder with --to"
    }
  }
}

/// What is exported into a folder.
enum ExportKind: Hashable, Sendable {
  /// Tables with a data package.
  case table
  /// A BIDS data set.
  case bids
  /// Tables as JSON Lines.
  case jsonLines
  /// Documents of the form with this name.
  case document(String)

  /// The form of ledgers.
  static let format = "station.export/1"

  /// What messages call the folder.
  var title: String {
    switch self {
    case .table: "export of tables"
    case .bids: "BIDS data set of this station"
    case .jsonLines: "export of JSON Lines"
    case .document(let form): "export in the form “\(form)”"
    }
  }

  /// Its name in the ledger.
  var name: String {
    switch self {
    case .table: "table"
    case .bids: "bids"
    case .jsonLines: "jsonl"
    case .document(let form): form
    }
  }

  /// The file that lists the trials.
  var ledger: String { self == .bids ? "sourcedata/station/trials.jsonl" : mark }

  /// The file that every such folder has.
  var mark: String {
    switch self {
    case .table: "datapackage.json"
    case .bids: "dataset_description.json"
    case .jsonLines: "queries.sql"
    case .document(let form): "station-\(form)-export.jsonl"
    }
  }

  /// A piece of text by which such a file is one of ours: other programs make files of the same names.
  private var signature: String {
    switch self {
    case .table: "station-results"
    case .bids: "\"station\""
    case .jsonLines: "station export jsonl"
    case .document: Self.format
    }
  }

  /// Whether the folder has an earlier export of this kind.
  private func isExport(_ folder: String, _ names: [String]) -> Bool {
    // Its description may have been rewritten by the user.
    if self == .bids, Folder.exists("\(folder)/\(ledger)") { return true }
    guard names.contains(mark), let bytes = try? File.contents(of: "\(folder)/\(mark)") else {
      return false
    }
    return String(decoding: bytes, as: UTF8.self).contains(signature)
  }

  /// Removes what killed exports left unfinished.
  private func removeAbandonedParts(in folder: String) {
    Folder.removeAbandonedParts(in: folder)
    guard self == .bids else { return }
    // The copies of bundles are written in another way.
    for name in (try? Folder.folderNames(in: folder)) ?? [] where name != "sourcedata" {
      removeAbandonedParts(in: "\(folder)/\(name)")
    }
  }

  /// Makes the folder ready for an export.
  ///
  /// - Throws: ``ExportError/folderInUse(path:kind:)`` for a folder with other files,
  ///   ``ExportError/insideBundle(path:closed:)`` for one in a bundle, and `FileError`.
  func prepare(_ folder: String) throws {
    if let closed = ResultsPath.closedFolder(around: try Folder.nearest(to: folder)) {
      throw ExportError.insideBundle(path: folder, closed: closed)
    }
    try Folder.ensure(folder)
    removeAbandonedParts(in: folder)
    let names = try Folder.names(in: folder)
    guard names.allSatisfy({ $0.hasPrefix(".") }) || isExport(folder, names) else {
      throw ExportError.folderInUse(path: folder, kind: self)
    }
  }
}
