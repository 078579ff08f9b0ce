package import Basics
import Study

/// A finished trial as lists and filters need it: a row of a ``BundleIndex``.
package struct IndexedTrial: Hashable, Sendable {
  /// The name of the bundle's folder.
  package let name: String
  /// What the trial is, and what selects it.
  package let heading: TrialHeading
  /// The IANA name of the station's time zone; `nil` where it is not known.
  package let timeZone: String?
  /// How many samples all recorders have.
  package let samples: Int
  /// The codes of the caveats, each once, sorted.
  package let caveats: [String]
  /// The stamp of the bundle's result; `nil` for one that may change once more without another stamp.
  let stamp: FileStamp?

  init(
    name: String, heading: TrialHeading, timeZone: String?, samples: Int, caveats: [String], stamp: FileStamp?
  ) {
    (self.name, self.heading, self.timeZone) = (name, heading, timeZone)
    (self.samples, self.caveats, self.stamp) = (samples, caveats, stamp)
  }

  /// The clock of a file system ticks every 10 ms or more often.
  private static let tick = Duration.milliseconds(20)

  /// Reads the bundle of that name.
  ///
  /// - Parameters:
  ///   - name: the name of its folder.
  ///   - results: the results folder.
  ///   - now: a time before the bundle is read.
  /// - Throws: ``BundleError/unreadable(path:reason:)``.
  init(reading name: String, in results: ResultsFolder, now: WallTime) throws(BundleError) {
    let path = results.bundlePath(named: name)
    // Before the bundle is read: what changes meanwhile gets another stamp.
    let stamp = Self.stamp(ofBundle: path)
    let bundle = try Bundle(path)
    self.init(
      name: name, heading: TrialHeading(bundle.record), timeZone: bundle.record.station.timeZone,
      samples: bundle.record.samples,
      caveats: Set(bundle.result["caveats"]?.array?.compactMap { $0[Caveat.jsonTag]?.string } ?? []).sorted(),
      stamp: stamp.flatMap { $0.changed.advanced(by: Self.tick) < now ? $0 : nil })
  }

  /// The stamp of a bundle's result; `nil` where there is none that a bundle may have.
  static func stamp(ofBundle path: String) -> FileStamp? {
    Folder.kind(of: "\(path)/\(BundleFile.data)") == .folder ? FileStamp(of: "\(path)/\(BundleFile.result)") : nil
  }
}

extension IndexedTrial {
  /// What lists show of the trial, as JSON.
  ///
  /// - Parameter results: the results folder.
  /// - Returns: an object.
  package func brief(in results: ResultsFolder) -> JSONValue {
    [
      "trial": .string(heading.trial),
      "startDate": .string("\(heading.startDate)"),
      "participant": .string(heading.participant),
      "session": .string(heading.session),
      "protocol": .string(heading.study),
      "condition": .text(heading.condition),
      "number": heading.number.map { .integer($0) } ?? .null,
      "timeZone": .text(timeZone),
      "clip": .text(heading.clipName),
      "samples": .integer(samples),
      "outcome": .string(heading.outcome.rawValue),
      "verdict": .string(heading.verdict.rawValue),
      "simulated": .bool(heading.simulation.isSimulated),
      "path": .string(results.bundlePath(named: name)),
    ]
  }

  /// The headings of a list of trials.
  package static let headings: [(String, TextTable.Alignment)] = [
    ("start", .left), ("participant", .left), ("session", .left), ("no.", .right), ("protocol", .left),
    ("condition", .left), ("clip", .left), ("samples", .right), ("outcome", .left), ("verdict", .left),
    ("trial", .left),
  ]

  /// The trial's row under the ``headings``.
  package var row: [String] {
    [
      timeZone.flatMap { try? TimeZone($0) }?.precise(heading.startDate) ?? heading.startDate.precise,
      heading.participant, heading.session, heading.number.map { "\($0)" } ?? "–", heading.study,
      heading.isAround ? "around the trials" : heading.design?.condition ?? "–", heading.clipName ?? "–", "\(samples)",
      heading.outcome.rawValue + (heading.simulation.isSimulated ? " (simulated)" : ""), heading.verdict.rawValue,
      heading.trial,
    ]
  }
}
