import Analysis
import Bundles
import Charts
import Recordings

/// The data of a trial in an overview.
struct TrialBrief: Sendable {
  /// The path of its bundle.
  let path: String
  let facts: TrialFacts
  let usedProtocol: UsedProtocol
  /// The station that ran it, with its software version.
  let station: String
  /// The measurements of each sensor; one without numbers if nothing was recorded.
  let hearts: [HeartBrief]
  /// The participant's answers, in the order of time.
  let answers: [TrialRecord.Answer]
  /// The steps as they were shown, of what lies around the trials of a session.
  let steps: [TrialRecord.Step]
  /// Files that do not match the manifest, as sentences.
  let fileProblems: [String]
  /// The charts of the recordings; empty for all but the first trials of a session.
  var charts: [RecordingCharts] = []

  init(_ trial: ReportedTrial, _ recordings: [Recording], _ hearts: [MeasuredHeart]) {
    let record = trial.bundle.record
    path = trial.bundle.path
    facts = trial.facts
    usedProtocol = UsedProtocol(
      identifier: record.studyProtocol.identifier, version: record.studyProtocol.version,
      sha256: record.studyProtocol.sha256, title: trial.protocolTitle)
    answers = record.answers
    steps = trial.facts.isAround ? record.steps : []
    station = "\(record.station.identifier) version \(record.station.version)"
    self.hearts =
      hearts.isEmpty ? [HeartBrief()] : zip(recordings, hearts).map { HeartBrief($0, $1) }
    fileProblems = trial.fileProblems
  }

  /// The session that it belongs to.
  var run: String? { facts.run }

  /// Whether a trial precedes another; trials with an unknown start come last.
  static func isEarlier(_ one: TrialBrief, _ other: TrialBrief) -> Bool {
    switch (one.facts.start, other.facts.start) {
    case (let left?, let right?) where left != right: left < right
    case (.some, nil): true
    case (nil, .some): false
    default: one.facts.trial < other.facts.trial
    }
  }
}

/// A protocol as used by a trial; a modified protocol has another digest, even under the same version.
struct UsedProtocol: Hashable, Sendable {
  let identifier: String
  let version: String?
  let sha256: String?
  let title: String?

  /// Its name in a row, if no digest is needed to distinguish it.
  var name: StyledText { .given(identifier) + (version.map { " " + StyledText($0, .given) } ?? StyledText()) }

  /// The sort key.
  var key: [String] { [identifier, version ?? "", sha256 ?? "", title ?? ""] }
}

/// The measurements of one sensor in a trial, for an overview.
struct HeartBrief: Sendable {
  /// The sensor's name.
  var sensor: String?
  /// The mean heart rate of each part, in the order of ``OverviewMeasures/parts``; `nil` if unknown.
  var rates: [Double?] = []
  /// The change of the heart rate from baseline.
  var change: Double?
  /// The root mean square of successive differences (RMSSD) in the analysed window.
  var rmssd: Double?
  /// The number of intervals behind it.
  var intervals: Int?
  /// The share of the recorded intervals that were corrected or left out, from 0 to 1.
  var artefactShare: Double?
  /// The caveats of RMSSD and of the change, as sentences.
  var caveats: (rmssd: [String], change: [String]) = ([], [])

  /// Creates an empty brief, for a trial without recordings.
  init() {}

  /// Whether any number is known.
  var isKnown: Bool { rmssd != nil || rates.contains { $0 != nil } }

  init(_ recording: Recording, _ heart: MeasuredHeart) {
    sensor = recording.sensor
    rates = heart.rates
    if let row = heart.changes.first {
      change = row.change
      if change != nil { caveats.change = row.measurement.caveats.map(\.general) }
    }
    guard let row = heart.values.first(where: { $0.measurement.measure == .rmssd }), let value = row.measurement.value
    else { return }
    rmssd = value
    (intervals, artefactShare) = (row.measurement.beatsUsed, row.measurement.artefactShare)
    caveats.rmssd =
      row.measurement.caveats.map(\.general) + (recording.corrections?.caveats.map(\.description) ?? [])
  }
}
