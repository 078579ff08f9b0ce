import Basics
import Bundles
import Recordings

/// One measure of one trial: a row of the long table.
package struct TrialRow: TrialTableRow {
  /// Whose samples they are.
  package let head: TrialRowHead
  /// The number, or why there is none.
  package let measurement: Measurement
  /// The part that was measured.
  let window: PlacedWindow
  /// The share of it in which the heart rate is known, from 0 to 1.
  let coverage: Double
  /// What was done about artefacts.
  let correction: ArtefactCorrection
  /// What the number is compared with; `nil` where nothing was asked for.
  let baseline: Baseline?
  /// The number compared with its baseline.
  package let change: Double?
  /// Why the number, or the change that was asked for, is missing.
  let reason: MissingNumber?
  /// The caveats on the number, its window, its baseline and the recording, as sentences.
  let caveats: [Wording]

  /// The measure in another window, and how it is compared.
  struct Baseline: Sendable {
    /// How the number is compared with it.
    let kind: BaselineChange
    /// The measure, or why there is none.
    let measurement: Measurement
    /// The part that was measured.
    let window: PlacedWindow
    /// The share of it in which the heart rate is known, from 0 to 1.
    let coverage: Double
    /// The steps around the session's trials where the window lies there, and else `nil`: it lies in the trial.
    let around: TrialFacts?
  }

  /// The number that trials are summed up by: the change where a baseline was asked for, else the value.
  var number: Double? { baseline == nil ? measurement.value : change }

  /// The unit of ``change``; `nil` where no baseline was asked for.
  var changeUnit: String? { baseline?.kind.unit(of: measurement.unit) }

  init(
    _ head: TrialRowHead, _ measured: MeasuredWindow, _ index: Int, baseline before: MeasuredWindow?,
    of around: TrialFacts?, _ problem: (reason: MissingNumber, trial: TrialFacts)?, _ kind: BaselineChange,
    _ correction: ArtefactCorrection, _ ofRecording: [RecordingCaveat]
  ) {
    let one = measured.measurements[index]
    self.head = head
    measurement = one
    window = measured.placed
    coverage = measured.coverage
    self.correction = correction
    baseline = before.map {
      Baseline(
        kind: kind, measurement: $0.measurements[index], window: $0.placed, coverage: $0.coverage,
        around: around ?? problem?.trial)
    }
    var change: Double?
    var reason = one.missing
    var caveats = (one.caveats + measured.caveats).map(\.wording)
    if let before {
      let other = before.measurements[index]
      reason = reason ?? problem?.reason ?? other.missing.map { .ofBaseline(missing: $0) }
      if let value = one.value, let number = other.value {
        change = kind.change(of: value, from: number)
        if change == nil { reason = .zeroBaseline }
        caveats += PhaseResponse.unlikeWindows([("the window", one), ("the baseline", other)]).map(\.wording)
        caveats += (other.caveats + before.caveats).map { "Baseline: \($0.wording)" }
      }
    }
    self.change = change
    self.reason = reason
    self.caveats = caveats + ofRecording.map(\.wording)
  }

  /// The columns, in their order.
  package static let columns: [TrialColumn<TrialRow>] =
    TrialRowHead.columns.map { $0.of(\.head) } + [
      TrialColumn("measure") { .cell($0.measurement.measure.rawValue) },
      TrialColumn("value") { .cell($0.measurement.value) },
      TrialColumn("unit") { .cell($0.measurement.unit) },
      TrialColumn("window") { .cell("\($0.window.window)") },
      TrialColumn("event") { .cell(($0.window.event?.source).map { "\($0)" }) },
      TrialColumn("from_s") { .cell(seconds: $0.window.bounds?.lowerBound) },
      TrialColumn("to_s") { .cell(seconds: $0.window.bounds?.upperBound) },
      TrialColumn("coverage") { .cell($0.coverage) },
      TrialColumn("beats") { .cell($0.measurement.beatsUsed) },
      TrialColumn("artefactShare") { .cell($0.measurement.artefactShare) },
      TrialColumn("preset") { .cell($0.measurement.preset) },
      TrialColumn("artefacts") { .cell("\($0.correction)") },
      TrialColumn("corrections") { .cell($0.head.corrections) },
      TrialColumn("change") { .cell($0.change) },
      TrialColumn("changeKind") { .cell($0.baseline?.kind.rawValue) },
      TrialColumn("changeUnit") { .cell($0.changeUnit) },
      TrialColumn("baseline") { .cell($0.baseline?.measurement.value) },
      TrialColumn("baselineWindow") { .cell($0.baseline.map { "\($0.window.window)" }) },
      TrialColumn("baselineTrial") { row in
        .cell(row.baseline.flatMap { $0.window.bounds == nil ? nil : ($0.around ?? row.head.trial)?.trial })
      },
      TrialColumn("baselineFrom_s") { .cell(seconds: $0.baseline?.window.bounds?.lowerBound) },
      TrialColumn("baselineTo_s") { .cell(seconds: $0.baseline?.window.bounds?.upperBound) },
      TrialColumn("baselineCoverage") { .cell($0.baseline?.coverage) },
      TrialColumn("baselineBeats") { .cell($0.baseline?.measurement.beatsUsed) },
      TrialColumn("baselineArtefactShare") { .cell($0.baseline?.measurement.artefactShare) },
      TrialColumn("verdict") { .cell($0.head.trial?.verdict?.rawValue) },
      TrialColumn("outcome") { .cell($0.head.trial?.outcome?.rawValue) },
      TrialColumn("reason") { .cell($0.reason?.description) },
      TrialColumn("caveats") { .cell($0.caveats.map(\.description)) },
      TrialColumn("path") { .cell($0.head.place.path) },
    ]
}

/// One trial's response to its sound, or why there is none.
package struct TrialResponse: Sendable {
  /// Whose samples they are.
  package let head: TrialRowHead
  /// The response; `nil` where no onset was measured.
  let response: LockedResponse?
  /// Why there is none, or nothing in it.
  package let reason: MissingNumber?
  /// What was done about artefacts.
  let correction: ArtefactCorrection

  /// A recording's response, or `nil` where it has nothing that one could be locked to.
  package init(
    of recording: Recording, at place: TrialPlace, _ response: LockedResponse?,
    _ correction: ArtefactCorrection
  ) {
    head = TrialRowHead(recording, at: place)
    self.response = response
    self.correction = correction
    reason = response == nil ? recording.onsetIsMissing : response?.reason
  }

  init(_ head: TrialRowHead, _ response: LockedResponse?, _ reason: MissingNumber?, _ correction: ArtefactCorrection) {
    (self.head, self.response, self.reason, self.correction) = (head, response, reason, correction)
  }

  /// The rows of the long table: one a bin, or one with the reason why there is none.
  package var rows: [ResponseRow] {
    response.map { $0.bins.map { ResponseRow(of: self, bin: $0) } } ?? [ResponseRow(of: self, bin: nil)]
  }
}

/// One bin of one trial's response: a row of the long table of responses.
package struct ResponseRow: TrialTableRow {
  let of: TrialResponse
  let bin: LockedResponse.Bin?

  /// Whose samples they are.
  package var head: TrialRowHead { of.head }

  /// The columns, in their order.
  package static let columns: [TrialColumn<ResponseRow>] =
    TrialRowHead.columns.map { $0.of(\.of.head) } + [
      TrialColumn("from_s") { .cell(seconds: $0.bin?.bounds.lowerBound) },
      TrialColumn("to_s") { .cell(seconds: $0.bin?.bounds.upperBound) },
      TrialColumn("quantity") { .cell($0.of.response?.settings.quantity.identifier) },
      TrialColumn("value") { .cell($0.bin?.value) },
      TrialColumn("valueUnit") { .cell($0.of.response?.settings.quantity.unit) },
      TrialColumn("coverage") { .cell($0.bin?.coverage) },
      TrialColumn("artefacts") { .cell("\($0.of.correction)") },
      TrialColumn("corrections") { .cell($0.of.head.corrections) },
      TrialColumn("response") { .cell($0.bin?.response) },
      TrialColumn("changeKind") { .cell($0.of.response?.settings.baseline.rawValue) },
      TrialColumn("unit") { .cell($0.of.response?.settings.unit) },
      TrialColumn("baseline") { .cell($0.of.response?.baseline) },
      TrialColumn("baselineFrom_s") { .cell(seconds: $0.baselineWindow?.lowerBound) },
      TrialColumn("baselineTo_s") { .cell(seconds: $0.baselineWindow?.upperBound) },
      TrialColumn("verdict") { .cell($0.of.head.trial?.verdict?.rawValue) },
      TrialColumn("outcome") { .cell($0.of.head.trial?.outcome?.rawValue) },
      TrialColumn("reason") { .cell($0.of.reason?.description) },
      TrialColumn("path") { .cell($0.of.head.place.path) },
    ]

  private var baselineWindow: ClosedRange<Double>? {
    of.response.flatMap { $0.settings.baseline == .none ? nil : $0.settings.baselineWindow }
  }
}
