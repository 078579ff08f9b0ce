import Analysis
import Bundles
import JSON
import Quantities
import Recordings
import Tables

/// One measure of one trial: a row of the long table.
struct TrialRow: Sendable {
  let place: TrialPlace
  let trial: TrialFacts?
  let sensor: String?
  let recorder: String?
  let measurement: Measurement
  let window: PlacedWindow
  /// The measure in the window of the baseline; `nil` where none was asked for, or it has no number.
  let baseline: Double?
  /// The value compared with the baseline.
  let change: Double?
  let changeUnit: String?
  /// Why the value or the change is missing.
  let reason: String?
  let remarks: [String]

  /// The rows of a recording.
  static func rows(_ recording: Recording, at place: TrialPlace, _ request: AnalysisRequest) -> [TrialRow] {
    let analysed = AnalysedRecording(recording, request.settings)
    let measured = analysed.measured(in: request.window)
    let before = request.baseline.map { analysed.measured(in: $0) }
    return measured.measurements.enumerated().map { index, one in
      let baseline = before?.measurements[index]
      var reason: String?
      if case .missing(let text) = one.outcome { reason = text }
      if reason == nil, case .missing(let text)? = baseline?.outcome { reason = "Baseline: \(text)" }
      var change: Double?
      if let value = one.value, let baseline = baseline?.value {
        switch request.change {
        case .difference: change = value - baseline
        case .percent where baseline != 0: change = 100 * (value - baseline) / baseline
        case .percent: reason = "Baseline: It is zero, of which there is no share."
        }
      }
      return TrialRow(
        place: place, trial: recording.trial, sensor: recording.sensor, recorder: recording.recorder, measurement: one,
        window: measured.placed, baseline: baseline?.value, change: change,
        changeUnit: baseline == nil ? nil : request.change == .percent ? "%" : one.unit, reason: reason,
        remarks: one.warnings + measured.remarks + recording.remarks)
    }
  }

  /// The number that trials are summed up by: the change where there is a baseline, else the value.
  func number(_ request: AnalysisRequest) -> Double? { request.baseline == nil ? measurement.value : change }

  /// The columns, in their order.
  static let columns = [
    "participant", "session", "trial", "start", "period", "condition", "previousCondition", "clip", "previousClip",
    "mood",
    "sensor", "recorder", "measure", "value", "unit", "baseline", "change", "changeUnit", "preset", "window", "from_s",
    "to_s", "beats", "artefactShare", "verdict", "reason", "warning", "path",
  ]

  /// What stands in each column; `nil` for nothing.
  private var cells: [JSONValue?] {
    func text(_ string: String?) -> JSONValue? { string.map { .string($0) } }
    func number(_ value: Double?) -> JSONValue? { value.flatMap { $0.isFinite ? .number($0) : nil } }
    return [
      text(trial?.participant), text(trial?.session), text(trial?.trial), text(trial?.start?.precise),
      place.period.map { .integer($0) }, text(trial?.condition), text(place.previousCondition), text(trial?.clip),
      text(place.previousClip), text(trial?.mood), text(sensor), text(recorder), text(measurement.measure.rawValue),
      number(measurement.value), text(measurement.unit), number(baseline), number(change), text(changeUnit),
      text(measurement.preset), text("\(window.window)"), number(window.bounds?.lowerBound),
      number(window.bounds?.upperBound), .integer(measurement.beatsUsed), number(measurement.artefactShare),
      text(trial?.grade?.rawValue), text(reason), remarks.isEmpty ? nil : text(remarks.joined(separator: " ")),
      text(place.path),
    ]
  }

  /// The row of a table for programs.
  var csv: String { TableRow.text(cells.map { $0?.cell ?? "" }) }

  /// The row as an object; every column is there.
  var json: JSONValue {
    .object(Dictionary(uniqueKeysWithValues: zip(Self.columns, cells.map { $0 ?? .null })))
  }
}

/// One bin of one trial's response: a row of the long table of responses.
struct ResponseRow: Sendable {
  let place: TrialPlace
  let trial: TrialFacts?
  let sensor: String?
  let recorder: String?
  let response: LockedResponse?
  let reason: String?

  init(_ recording: Recording, at place: TrialPlace, _ request: AnalysisRequest, _ settings: ResponseSettings) {
    self.place = place
    trial = recording.trial
    sensor = recording.sensor
    recorder = recording.recorder
    response = AnalysedRecording(recording, request.settings).response(settings)
    reason = response == nil ? "No onset was measured." : response?.reason
  }

  /// The columns, in their order.
  static let columns = [
    "participant", "session", "trial", "start", "period", "condition", "previousCondition", "clip", "previousClip",
    "mood",
    "sensor", "recorder", "from_s", "to_s", "heartRate", "response", "unit", "baseline", "coverage", "verdict",
    "reason",
    "path",
  ]

  /// The rows of a table for programs: one a bin, or one with the reason why there is none.
  var csv: [String] {
    let head: [String] = [
      trial?.participant ?? "", trial?.session ?? "", trial?.trial ?? "", trial?.start?.precise ?? "",
      place.period.map { "\($0)" } ?? "", trial?.condition ?? "", place.previousCondition ?? "", trial?.clip ?? "",
      place.previousClip ?? "", trial?.mood ?? "", sensor ?? "", recorder ?? "",
    ]
    let tail = [trial?.grade?.rawValue ?? "", reason ?? "", place.path]
    guard let response else { return [TableRow.text(head + Array(repeating: "", count: 7) + tail)] }
    return response.bins.map { bin in
      TableRow.text(
        head + [
          "\(bin.bounds.lowerBound)", "\(bin.bounds.upperBound)", bin.heartRate.map { "\($0)" } ?? "",
          bin.response.map { "\($0)" } ?? "", response.settings.unit, response.baseline.map { "\($0)" } ?? "",
          "\(bin.coverage)",
        ] + tail)
    }
  }
}

extension JSONValue {
  /// A text or a number as a cell.
  fileprivate var cell: String {
    if case .string(let text) = self { text } else { self.text() }
  }
}
