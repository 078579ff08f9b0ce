import Basics
import Quantities

extension StationSettings {
  /// Why a calibration was not written.
  package enum CalibrationRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The speaker has one already.
    case exists(Calibration)

    /// What failed, why, and what to do.
    package var description: String {
      switch self {
      case .exists(let old):
        "the speaker is already calibrated: \(old.level.fixed(1)) dB SPL on \(old.date); replace that with --replace"
      }
    }
  }

  /// Writes the calibration of a speaker into a settings file, whose other members stay as they are.
  ///
  /// - Parameters:
  ///   - calibration: the calibration.
  ///   - sink: the name of the speaker's sink.
  ///   - path: the file; a missing one is made.
  ///   - replaces: whether an earlier calibration of the speaker may be replaced.
  /// - Throws: ``CalibrationRefusal``, ``SettingsError`` for a file that cannot be read, or `FileError`.
  package static func write(
    _ calibration: Calibration, of sink: String, to path: String, replacing replaces: Bool
  ) throws {
    var members: [String: JSONValue] = ["format": .string(format)]
    if let settings = try AppliedSettings.settings(at: path) {
      if let old = settings.calibrations[sink], !replaces { throw CalibrationRefusal.exists(old) }
      let bytes = try File.contents(of: path, limit: largestFile)
      members = try JSONReader.read(bytes).value.object ?? members
    }
    var calibrations = members["calibrations"]?.object ?? [:]
    calibrations[sink] = [
      "level_dBSPL": .number(calibration.level), "date": .string("\(calibration.date)"),
    ]
    members["calibrations"] = .object(calibrations)
    let folder = Folder.parent(of: path)
    if !Folder.exists(Folder.parent(of: folder)) { try Folder.create(Folder.parent(of: folder), isPrivate: true) }
    if !Folder.exists(folder) { try Folder.create(folder, isPrivate: true) }
    try File.replaceWhole(path, JSONValue.object(members).encoded(pretty: true))
  }
}
