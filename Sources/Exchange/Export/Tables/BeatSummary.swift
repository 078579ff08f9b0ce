package import Basics
import Bundles

/// Statistics of the beats of exported JSON Lines, grouped by a column.
///
/// Beats with an artefact are left out. Files are read on all cores in bounded memory, and their sums are merged in the
/// order of the files, so that the same tables give the same numbers.
package struct BeatSummary: Sendable {
  /// What beats are grouped by: a column of the table, or a part of its folders.
  package enum Key: String, CaseIterable, Sendable {
    /// The design's condition.
    case condition
    /// The clip.
    case clip
    /// The participant.
    case participant
    /// The session.
    case session
    /// The sensor.
    case sensor
    /// The step.
    case step
    /// The station's name, of the folder.
    case site
    /// The day, of the folder.
    case date
  }

  /// Beats with the same value of the key.
  package struct Group: Hashable, Sendable {
    /// The value; `nil` for beats without one.
    package let name: String?
    /// How many trials the beats are of.
    package let trials: Int
    /// How many beats there are.
    package let beats: Int
    /// The mean interval, in milliseconds.
    package let mean: Double
    /// The standard deviation of the intervals, in milliseconds; `nil` for one beat.
    package let deviation: Double?
    /// The shortest and the longest interval, in milliseconds.
    package let range: ClosedRange<Double>

    /// 60,000 divided by the mean interval.
    package var rate: Double { 60_000 / mean }
  }

  /// What the beats are grouped by.
  package let key: Key
  /// Whether any of the beats is simulated.
  package let isSimulated: Bool
  /// The groups, by their names; the one without a name comes last.
  package let groups: [Group]

  /// Reads exports of JSON Lines.
  ///
  /// - Parameters:
  ///   - folders: the folders of the exports, which hold different trials.
  ///   - key: what beats are grouped by.
  ///   - progress: called with the number of files that were read.
  /// - Throws: ``ExportError``, and `FileError`.
  package init(
    of folders: [String], by key: Key, progress: (_ done: Int, _ of: Int) -> Void = { _, _ in }
  ) async throws {
    var files: [BeatFile] = []
    for folder in folders { files += try BeatFile.all(in: folder) }
    var tally = BeatTally()
    var failure: ExportError?
    var done = 0
    let count = files.count
    await Parallel.ordered(files) { file in
      Result { () throws(ExportError) in try file.tally(by: key) }
    } take: { result in
      done += 1
      progress(done, count)
      switch result {
      case .success(let own): tally.merge(own)
      case .failure(let error): failure = failure ?? error
      }
    }
    if let failure { throw failure }
    self.key = key
    (groups, isSimulated) = (tally.groups, tally.isSimulated)
  }

  /// The summary as JSON.
  package var json: JSONValue {
    [
      "by": .string(key.rawValue), "simulated": .bool(isSimulated),
      "groups": .array(
        groups.map { group in
          [
            "name": .text(group.name), "trials": .integer(group.trials), "beats": .integer(group.beats),
            "mean_ms": .number(group.mean), "sd_ms": group.deviation.map { .number($0) } ?? .null,
            "min_ms": .number(group.range.lowerBound), "max_ms": .number(group.range.upperBound),
            "rate_per_min": .number(group.rate),
          ]
        }),
    ]
  }

  /// The summary for people.
  package var lines: [String] {
    var table = TextTable(
      [(key.rawValue, .left)]
        + ["trials", "beats", "mean, ms", "SD, ms", "min, ms", "max, ms", "rate, /min"].map { ($0, .right) })
    for group in groups {
      table.add(
        [group.name ?? "–", "\(group.trials)", "\(group.beats)", group.mean.fixed(1)]
          + [group.deviation?.fixed(1) ?? "–", group.range.lowerBound.fixed(0), group.range.upperBound.fixed(0)]
          + [group.rate.fixed(2)])
    }
    return (isSimulated ? ["\(TrialSimulation.mark): beats of simulated trials are included"] : []) + table.lines
  }
}
