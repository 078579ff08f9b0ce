import Analysis
import Basics
import Bundles
import Quantities

/// The table with one row per painted screen of a page, and per picture on it.
enum ScreensTable {
  /// A screen with its trial, and a picture on it where it has any.
  struct Row: Sendable {
    let trial: ExportedTrial
    let screen: TrialRecord.Screen
    var picture: TrialRecord.Picture?
  }

  /// The rows of a trial: those of a screen follow each other.
  static func rows(of trial: ExportedTrial) -> [Row] {
    trial.record.screens.flatMap { screen in
      screen.pictures.isEmpty
        ? [Row(trial: trial, screen: screen)]
        : screen.pictures.map { Row(trial: trial, screen: screen, picture: $0) }
    }
  }

  static let columns: [ExportColumn<Row>] = TrialsTable.head(of: \Row.trial) + own

  private static let own: [ExportColumn<Row>] = [
    ExportColumn("step", .string, "the step that the screen belongs to") { .string($0.screen.step) },
    ExportColumn("question", .string, "the question on it") { $0.screen.question.map { .string($0) } },
    ExportColumn("painted_s", .number, "when it, or the picture, was painted, in seconds since the trial's zero") {
      .seconds($0.screen.painted.time.seconds)
    },
    ExportColumn("painted_uncertainty_s", .number, "how far that may be from the truth") {
      .seconds($0.screen.painted.uncertainty.seconds)
    },
    ExportColumn("from_onset_s", .number, "from the onset of the stimulus to that; empty without a stimulus") {
      .sinceOnset($0.screen.painted.time, $0.trial)
    },
    ExportColumn("monitor_measured", .boolean, "whether the delay of the monitor was measured, and is in that time") {
      .bool($0.trial.record.monitor?.delay != nil)
    },
    ExportColumn("picture", .string, "the path of the picture's file from the protocol's folder") {
      ($0.picture?.file).map { .string($0) }
    },
    ExportColumn("picture_sha256", .string, "the SHA-256 of that file") { ($0.picture?.sha256).map { .string($0) } },
    ExportColumn("width_px", .number, "its width on the screen, in CSS pixels") {
      ($0.picture?.size.width).map { .number($0) }
    },
    ExportColumn("height_px", .number, "its height on the screen, in CSS pixels") {
      ($0.picture?.size.height).map { .number($0) }
    },
    ExportColumn("width_mm", .number, "its width in millimetres; empty where the monitor was not measured") {
      ($0.picture?.size.widthInMillimetres).map { .number($0) }
    },
  ]
}

/// The table with one row per recorded press of a key.
enum KeysTable {
  /// A press with its trial.
  struct Row: Sendable {
    let trial: ExportedTrial
    let press: TrialRecord.KeyPress
  }

  static let columns: [ExportColumn<Row>] =
    TrialsTable.head(of: \Row.trial) + [
      ExportColumn("step", .string, "the step that records keys") { .string($0.press.step) },
      ExportColumn("key", .string, "the key: its character, or space, enter, up, down, left or right") {
        .string($0.press.key)
      },
      ExportColumn("made_s", .number, "when it was pressed, in seconds since the trial's zero") {
        .seconds($0.press.made.time.seconds)
      },
      ExportColumn("made_uncertainty_s", .number, "how far that may be from the truth") {
        .seconds($0.press.made.uncertainty.seconds)
      },
      ExportColumn("from_onset_s", .number, "from the onset of the stimulus to that; empty without a stimulus") {
        .sinceOnset($0.press.made.time, $0.trial)
      },
    ]
}

extension JSONValue {
  /// From the onset of a trial's stimulus to a time, in seconds; `nil` without a stimulus.
  fileprivate static func sinceOnset(_ time: Duration, _ trial: ExportedTrial) -> JSONValue? {
    (trial.facts.event()?.onset).flatMap { .seconds(time.seconds - $0) }
  }
}
