package import Basics
import Quantities

/// The sessions that a path or an identifier names.
package struct SessionPath: Hashable, Sendable {
  /// The results folder that they lie in.
  package let results: ResultsFolder
  /// Their identifiers, oldest first.
  package let sessions: [String]

  /// Finds sessions; `nil` for what is no session's record, identifier or results folder.
  ///
  /// - Parameters:
  ///   - operand: `results/sessions/….json`; a results folder, for all of its sessions; or the identifier of a session, or a
  ///     beginning of it with which no trial begins.
  ///   - folder: the results folder of an identifier.
  /// - Throws: `FileError` for a folder that cannot be read.
  package init?(_ operand: String, in folder: String) throws(FileError) {
    if let record = Self.record(operand) {
      (results, sessions) = record
      return
    }
    if ResultsPath(operand) == .results {
      results = ResultsFolder(operand)
      sessions = try results.sessionNames()
      return
    }
    results = ResultsFolder(folder)
    let named = try results.sessionNames().filter { $0.hasPrefix(operand.lowercased()) }
    guard named.count == 1, operand.utf8.count >= 4, !Folder.exists(operand),
      try !results.trials().contains(where: { $0.hasPrefix(operand.lowercased()) })
    else { return nil }
    sessions = named
  }

  /// The session whose record a path is.
  private static func record(_ path: String) -> (ResultsFolder, [String])? {
    let folder = Folder.realPath(Folder.parent(of: path)) ?? Folder.parent(of: path)
    let name = Folder.name(of: path)
    guard name.hasSuffix(".json"), TrialIdentifier(String(name.dropLast(5))) != nil,
      Folder.name(of: folder) == ResultsFolder.sessionsName, Folder.isOrdinaryFile(path)
    else { return nil }
    return (ResultsFolder(Folder.parent(of: folder)), [String(name.dropLast(5))])
  }
}
