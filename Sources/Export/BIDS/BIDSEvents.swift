import Analysis
import Basics
import Bundles
import Quantities
import Study

/// The events of a trial: steps, the stimulus, answers, screens, pictures, presses of keys and annotations.
struct BIDSEvents: Sendable {
  private var rows: [(onset: Double, cells: [String])] = []

  private static let columns = [
    "onset", "duration", "trial_type", "stim_file", "identifier", "value", "response_time", "onset_uncertainty",
  ]

  /// The events of a trial.
  ///
  /// - Parameters:
  ///   - trial: the trial.
  ///   - stimulus: the clip's file in the data set; `nil` where it is not there.
  init(_ trial: ExportedTrial, stimulus: String?) {
    let record = trial.record
    for step in record.steps {
      add(
        step.shown.seconds, duration: step.left.map { ($0 - step.shown).seconds }, "step", identifier: step.identifier)
      if let begun = step.begun, begun != step.shown || step.finished != step.left {
        add(
          begun.seconds, duration: step.finished.map { ($0 - begun).seconds }, "active",
          identifier: step.identifier)
      }
    }
    for segment in record.playback?.segments ?? [] {
      guard let onset = segment.onset else { continue }
      add(
        onset.time.seconds, duration: segment.offset.map { ($0.time - onset.time).seconds }, "stimulus",
        stimulus: stimulus, identifier: record.clip?.clip.name, uncertainty: onset.uncertainty.seconds)
    }
    for answer in record.answers {
      let taken = (answer.answered - answer.shown).seconds
      add(
        answer.shown.seconds, duration: taken, "answer", identifier: answer.name,
        value: trial.said(answer.value), response: taken)
    }
    for row in ScreensTable.rows(of: trial) {
      let (screen, picture) = (row.screen, row.picture)
      add(
        screen.painted.time.seconds, duration: nil, picture == nil ? "screen" : "picture",
        identifier: screen.question.map { TrialRecord.Answer.name(step: screen.step, question: $0) } ?? screen.step,
        value: picture?.file, uncertainty: screen.painted.uncertainty.seconds)
    }
    for press in record.keyPresses {
      add(
        press.made.time.seconds, duration: 0, "key", identifier: press.step, value: press.key,
        uncertainty: press.made.uncertainty.seconds)
    }
    if !trial.pseudonymisation.isActive {
      for annotation in record.annotations {
        add(annotation.time.seconds, duration: 0, "annotation", value: annotation.text)
      }
    }
  }

  private mutating func add(
    _ onset: Double, duration: Double?, _ type: String, stimulus: String? = nil, identifier: String? = nil,
    value: String? = nil, response: Double? = nil, uncertainty: Double? = nil
  ) {
    rows.append(
      (
        onset,
        [
          BIDSText.cell(onset), BIDSText.cell(duration), type, BIDSText.cell(stimulus), BIDSText.cell(identifier),
          BIDSText.cell(value), BIDSText.cell(response), BIDSText.cell(uncertainty, decimals: 9),
        ]
      ))
  }

  /// The table, in the order of time.
  var table: [UInt8] {
    // Swift's sort is stable.
    BIDSText.table([Self.columns] + rows.sorted { $0.onset < $1.onset }.map(\.cells))
  }

  /// The description of the table and of the task, which all trials of a task share.
  ///
  /// - Parameters:
  ///   - record: one of the trials.
  ///   - title: the protocol's title.
  ///   - isHidden: whether what could identify is left out.
  ///   - given: members that the user gives, in place of others.
  /// - Returns: the description.
  static func sidecar(_ record: TrialRecord, title: String?, isHidden: Bool, given: [String: JSONValue]) -> JSONValue {
    let system = isHidden ? "Linux" : record.station.system
    let members: [String: JSONValue] = [
      "TaskName": .string(record.studyProtocol.identifier),
      "TaskDescription": .string(title ?? "The protocol “\(record.studyProtocol.identifier)”."),
      "Instructions": "The steps of the protocol, which is in the bundle of each trial.",
      "CogAtlasID": "https://www.cognitiveatlas.org", "CogPOID": "http://www.cogpo.org",
      "InstitutionName": .string(BIDSText.missing), "InstitutionAddress": .string(BIDSText.missing),
      "InstitutionalDepartmentName": .string(BIDSText.missing),
      "StimulusPresentation": [
        "OperatingSystem": .string(system), "SoftwareName": "station",
        "SoftwareVersion": .string(record.station.version),
      ],
      "trial_type": BIDSText.column(
        "what happened",
        more: [
          "Levels": [
            "step": "a step of the protocol, from being shown to being left",
            "active": "the active part of a step", "stimulus": "a clip, from its first to its last frame at the sink",
            "answer": "a question, from being shown to its answer", "key": "a press of a key",
            "screen": "a screen of the participant's page, when it was painted",
            "picture": "a picture on the participant's page, when it was painted",
            "annotation": "a remark of the operator",
          ]
        ]),
      "stim_file": BIDSText.column("the clip's file below /stimuli, where the data set has it"),
      "identifier": BIDSText.column("the step, the clip, or the question with its step"),
      "value": BIDSText.column("the answer, the key, the picture's file or the remark"),
      "response_time": BIDSText.column("the time from a question to its answer", units: "s"),
      "onset_uncertainty": BIDSText.column("the onset lies within this of the value that is given", units: "s"),
    ]
    return .object(members.merging(given) { _, given in given })
  }
}
