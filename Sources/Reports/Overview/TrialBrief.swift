import Analysis
import Bundles
import Charts
import Recordings

/// What an overview keeps of a trial.
package struct TrialBrief: Sendable {
  /// Where its bundle lies.
  let path: String
  let facts: TrialFacts
  let usedProtocol: UsedProtocol
  /// The station that ran it, with the version of its program.
  let station: String
  /// What each sensor recorded; one without numbers where nothing was recorded.
  let hearts: [HeartBrief]
  /// What of its files is not what its manifest says; sentences.
  let fileProblems: [String]
  /// The recordings that are drawn; empty for all trials but the first of a session.
  var charts: [RecordingCharts] = []

  init(_ trial: ReportedTrial, _ recordings: [Recording], _ hearts: [MeasuredHeart]) {
    let record = trial.bundle.record
    path = trial.bundle.path
    facts = trial.facts
    usedProtocol = UsedProtocol(
      identifier: record.studyProtocol.identifier, version: record.studyProtocol.version,
      sha256: record.studyProtocol.sha256, title: trial.protocolTitle)
    station = "\(record.station.identifier) version \(record.station.version)"
    self.hearts =
      hearts.isEmpty ? [HeartBrief()] : zip(recordings, hearts).map { HeartBrief(sensor: $0.sensor, $1) }
    fileProblems = trial.fileProblems
  }

  /// Whether a trial comes before another; those whose start is not known come last.
  static func isEarlier(_ one: TrialBrief, _ other: TrialBrief) -> Bool {
    switch (one.facts.start, other.facts.start) {
    case (let left?, let right?) where left != right: left < right
    case (.some, nil): true
    case (nil, .some): false
    default: one.facts.trial < other.facts.trial
    }
  }
}

/// A protocol as a trial used it: one that was changed has another digest, even where it says the same version.
struct UsedProtocol: Hashable, Sendable {
  let identifier: String
  let version: String?
  let sha256: String?
  let title: String?

  /// What it is called in a row, where its digest need not tell it from others.
  var name: Words { .given(identifier) + (version.map { " " + Words($0, .given) } ?? Words()) }

  /// What protocols are put in order by.
  var key: [String] { [identifier, version ?? "", sha256 ?? "", title ?? ""] }
}

/// What an overview keeps of what one sensor recorded in a trial.
struct HeartBrief: Sendable {
  /// The sensor's name.
  var sensor: String?
  /// The mean heart rate of each part, in the order of ``OverviewMeasures/parts``; `nil` where it is not known.
  var rates: [Double?] = []
  /// The heart rate of what is measured compared with its baseline.
  var change: Double?
  /// The root mean square of successive differences of what is measured.
  var rmssd: Double?
  /// How many intervals it was measured of.
  var intervals: Int?
  /// The share of the recorded intervals that were corrected or left out, from 0 to 1.
  var artefactShare: Double?
  /// What a reader should know before trusting RMSSD, and the change; sentences.
  var doubts: (rmssd: [String], change: [String]) = ([], [])

  /// Nothing was recorded.
  init() {}

  /// Whether some number is known.
  var isKnown: Bool { rmssd != nil || rates.contains { $0 != nil } }

  init(sensor: String?, _ heart: MeasuredHeart) {
    self.sensor = sensor
    rates = heart.rates
    if let row = heart.changes.first {
      change = row.change
      if change != nil { doubts.change = row.measurement.doubts.map(\.general) }
    }
    guard let row = heart.values.first(where: { $0.measurement.measure == .rmssd }), let value = row.measurement.value
    else { return }
    rmssd = value
    (intervals, artefactShare) = (row.measurement.beatsUsed, row.measurement.artefactShare)
    doubts.rmssd = row.measurement.doubts.map(\.general)
  }
}
