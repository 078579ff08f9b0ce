package import Basics
import Quantities
package import Study

/// A finished trial: a folder with the clip, what became of it, and the heart data that belong to it.
package struct Bundle: Hashable, Sendable {
  /// The folder's path.
  package let path: String

  /// The document that most people read, as it stands: `data/result.json`.
  package let result: JSONValue

  /// What that document says.
  package let trialResult: TrialResult

  /// The largest `result.json` that is read, in bytes.
  static let largestResult = 256 << 20

  /// Opens a bundle by its folder.
  ///
  /// - Throws: ``BundleError/unreadable(path:reason:)``.
  package init(_ path: String) throws(BundleError) {
    do {
      // The folder itself may be reached through links, and nothing in it.
      _ = try Folder.find(path)
      result = try JSONReader.read(File(inside: path, BundleFile.result).contents(limit: Self.largestResult)).value
    } catch let error as FileError {
      guard error.isMissing else { throw .unreadable(path: path, reason: error.description) }
      let reason = Folder.exists(path) ? "it has no “\(BundleFile.result)”" : "there is no such folder"
      throw .unreadable(path: path, reason: reason)
    } catch {
      throw .unreadable(path: path, reason: "“\(BundleFile.result)” is not JSON: \(error)")
    }
    guard let format = result["format"]?.string else {
      throw .unreadable(path: path, reason: "“\(BundleFile.result)” does not say its format")
    }
    guard format.hasPrefix("station.result/1") else {
      throw .unreadable(path: path, reason: "its format is “\(format)”, and this station reads “station.result/1”")
    }
    trialResult = TrialResult(result)
    self.path = path
  }

  /// The trial's identifier.
  package var trial: String { trialResult.trial }

  /// The clip's name; `nil` for a trial that did not come to one.
  package var clipName: String? { trialResult.clip?.name }

  /// The SHA-256 of the clip's file.
  package var clipSHA256: String? { trialResult.clip?.sha256 }

  /// The participant's code.
  package var participant: String { trialResult.participant }

  /// The session's number or name.
  package var session: String { trialResult.session }

  /// The protocol's identifier.
  package var task: String { trialResult.task }

  /// When the trial began.
  package var startDate: WallTime? { trialResult.startDate }

  /// How it ended.
  package var outcome: Outcome? { trialResult.outcome }

  /// How far it can be trusted.
  package var grade: Grade? { trialResult.grade }

  /// Why it cannot be trusted further.
  package var reasons: [String] { trialResult.reasons }

  /// What a reader should know of besides.
  package var warnings: [String] { trialResult.warnings }

  /// How many samples all recorders have.
  package var samples: Int { trialResult.recorders.reduce(0) { Plausible.sum($0, $1.samples) } }

  /// The draw of the clip; `nil` for a clip that the protocol named.
  package var draw: Draw? { trialResult.clip?.draw }

  /// The path of the file with the heart data, `{"items":[…]}`.
  package var heartFile: String { "\(path)/\(BundleFile.heart)" }

  /// The path of the protocol's file, byte for byte as it was used.
  package var protocolFile: String { "\(path)/\(BundleFile.protocolFile)" }

  /// The bytes of the file with the heart data.
  ///
  /// - Throws: `FileError`.
  package func heart() throws(FileError) -> [UInt8] { try openHeart().contents() }

  /// Opens the file with the heart data.
  ///
  /// - Throws: `FileError`, for what is not a regular file inside the bundle as well: a pipe, a device, a link.
  package func openHeart() throws(FileError) -> File { try open(BundleFile.heart) }

  /// Opens a regular file inside the bundle.
  func open(_ file: String) throws(FileError) -> File { try File(inside: path, file) }
}

extension ResultsFolder {
  /// The names of the finished trials' folders, oldest first.
  ///
  /// - Throws: `FileError` when the folder cannot be read.
  package func trials() throws(FileError) -> [String] {
    guard Folder.isFolder(bundlesFolder) else { return [] }
    // File managers leave files of their own beside them.
    return try Folder.names(in: bundlesFolder).filter { Folder.isFolder(bundlePath(named: $0)) }
  }

  /// Where the bundle of that name lies.
  package func bundlePath(named name: String) -> String { "\(bundlesFolder)/\(name)" }

  /// The finished trials, oldest first; a folder that cannot be read as a bundle is told beside them.
  ///
  /// - Returns: what could be read, and the reasons for what could not.
  /// - Throws: `FileError` when the folder itself cannot be read.
  package func bundles() throws(FileError) -> (bundles: [Bundle], problems: [BundleError]) {
    var bundles: [Bundle] = []
    var problems: [BundleError] = []
    for name in try trials() {
      do throws(BundleError) {
        bundles.append(try Bundle(bundlePath(named: name)))
      } catch {
        problems.append(error)
      }
    }
    return (bundles, problems)
  }
}
