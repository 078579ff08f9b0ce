package import Basics
import Bundles
import Quantities
import Sound
import Study

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

  /// Why an output latency was not written.
  package enum LatencyRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sink has one already.
    case exists(KeptLatency)

    /// What failed, why, and what to do.
    package var description: String {
      switch self {
      case .exists(let old):
        "the speaker already has an output latency: \(old.latency.latency.milliseconds.fixed(3)) ms on \(old.date); replace that "
          + "with --replace, or only look with --no-keep"
      }
    }
  }

  /// Why nothing was written of a monitor.
  package enum MonitorRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// Its delay was measured before.
    case exists(KeptMonitor)

    /// What failed, why, and what to do.
    package var description: String {
      switch self {
      case .exists(let old):
        "the monitor was measured already: \(old.text); replace that with --replace, or only look with --no-keep"
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
    try write(
      ["level_dBSPL": .number(calibration.level), "date": .string("\(calibration.date)")], of: sink,
      under: "calibrations", to: path
    ) { settings in
      if let old = settings.calibrations[sink], !replaces { throw CalibrationRefusal.exists(old) }
    }
  }

  /// Writes the output latency of a sink into a settings file, whose other members stay as they are.
  ///
  /// - Parameters:
  ///   - kept: the latency.
  ///   - sink: the sink's name.
  ///   - path: the file; a missing one is made.
  ///   - replaces: whether an earlier latency of the sink may be replaced.
  /// - Throws: ``LatencyRefusal``, ``SettingsError`` for a file that cannot be read, or `FileError`.
  package static func write(
    _ kept: KeptLatency, of sink: String, to path: String, replacing replaces: Bool
  ) throws {
    try write(
      [
        "latency_ms": .number(kept.latency.latency.milliseconds),
        "uncertainty_ms": .number(kept.latency.uncertainty.milliseconds),
        "basis": .string((kept.latency.basis ?? .measured).rawValue), "date": .string("\(kept.date)"),
      ], of: sink, under: "outputLatencies", to: path
    ) { settings in
      if let old = settings.outputLatencies[sink], !replaces { throw LatencyRefusal.exists(old) }
    }
  }

  /// Writes what was found of the participant's monitor into a settings file, whose other members stay as they are.
  ///
  /// - Parameters:
  ///   - kept: what was found; what is `nil` of it stays as it is.
  ///   - path: the file; a missing one is made.
  ///   - replaces: whether an earlier delay may be replaced.
  /// - Throws: ``MonitorRefusal``, ``SettingsError`` for a file that cannot be read, or `FileError`.
  package static func write(_ kept: KeptMonitor, to path: String, replacing replaces: Bool) throws {
    try amend(
      path,
      unless: { settings in
        if let old = settings.monitor, old.facts.delay != nil, kept.facts.delay != nil, !replaces {
          throw MonitorRefusal.exists(old)
        }
      }
    ) { members in
      var monitor = members["monitor"]?.object ?? [:]
      monitor["date"] = .string("\(kept.date)")
      if let delay = kept.facts.delay {
        monitor["delay_ms"] = .number(delay.median.milliseconds)
        monitor["uncertainty_ms"] = .number(delay.uncertainty.milliseconds)
      }
      if let width = kept.facts.width { monitor["width_mm"] = .number(width) }
      members["monitor"] = .object(monitor)
    }
  }

  /// Changes settings in a file, whose other members stay as they are.
  ///
  /// - Parameters:
  ///   - changes: the names of settings, such as `speaker` or `sensors.chest`, each with its new value; `nil` for one that
  ///     the file is no longer to have.
  ///   - path: the file; a missing one is made.
  /// - Throws: ``SettingsError`` for a file that cannot be read, or would not be valid then, or `FileError`.
  package static func write(_ changes: [(name: String, value: JSONValue?)], to path: String) throws {
    try amend(path, unless: { _ in }) { members in
      for (name, value) in changes {
        guard let dot = name.firstIndex(of: ".") else {
          if value == nil, members[name] == nil { throw notThere(name, in: path) }
          members[name] = value
          continue
        }
        let (group, key) = (String(name[..<dot]), String(name[name.index(after: dot)...]))
        var inner = members[group]?.object ?? [:]
        if value == nil, inner[key] == nil { throw notThere(name, in: path) }
        inner[key] = value
        members[group] = inner.isEmpty ? nil : .object(inner)
      }
    }
  }

  private static func notThere(_ name: String, in path: String) -> SettingsError {
    SettingsError("“\(path.visible)” has no setting “\(name.visible)”; “station settings” shows from where each one is")
  }

  /// Writes what was found of a sink, after a look at what is there.
  private static func write(
    _ found: JSONValue, of sink: String, under key: String, to path: String,
    unless refuse: (StationSettings) throws -> Void
  ) throws {
    try amend(path, unless: refuse) { members in
      var sinks = members[key]?.object ?? [:]
      sinks[sink] = found
      members[key] = .object(sinks)
    }
  }

  private static func amend(
    _ path: String, unless refuse: (StationSettings) throws -> Void,
    _ change: (inout [String: JSONValue]) throws -> Void
  ) throws {
    let folder = Folder.parent(of: path)
    if !Folder.exists(Folder.parent(of: folder)) { try Folder.create(Folder.parent(of: folder), isPrivate: true) }
    if !Folder.exists(folder) { try Folder.create(folder, isPrivate: true) }
    // The file itself is replaced, and can hold no lock.
    let lock = Folder.path(".\(Folder.name(of: path)).lock", from: folder)
    try LockedFile(lock, .append).hold(within: lockPatience) {
      var members: [String: JSONValue] = ["format": .string(format)]
      if let settings = try AppliedSettings.settings(at: path) {
        try refuse(settings)
        members = try JSONReader.read(File.contents(of: path, limit: maxFile)).value.object ?? members
      }
      try change(&members)
      let bytes = JSONValue.object(members).encoded(pretty: true)
      do throws(ProtocolProblems) { _ = try StationSettings(bytes, fileName: path) } catch {
        throw SettingsError("nothing was changed, since these would be no valid settings:\n\(error)")
      }
      try File.replaceWhole(path, bytes)
    }
  }

  /// How long a process waits for another one that changes the same file.
  private static let lockPatience = Duration.seconds(5)
}
