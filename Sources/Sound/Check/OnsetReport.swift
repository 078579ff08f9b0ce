import Basics
package import Quantities

/// The result of an onset check as text.
package struct OnsetReport: Sendable {
  private let trials: [OnsetTrial]

  package init(_ trials: [OnsetTrial]) { self.trials = trials }

  /// The limit for the onset error and its uncertainty, strict enough to relate onsets to heartbeats.
  private static let tolerance = Duration.milliseconds(1)

  /// Whether every clip began within the tolerance and was played completely.
  package var isGood: Bool { faults.isEmpty }

  /// The lines under the table.
  package var summary: [String] {
    let errors = trials.compactMap(\.error).map(\.milliseconds).sorted()
    guard !errors.isEmpty else { return ["No onset was measured for any clip."] }
    let mean = errors.reduce(0, +) / Double(errors.count)
    let variance = errors.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(max(errors.count - 1, 1))
    let median = (errors[(errors.count - 1) / 2] + errors[errors.count / 2]) / 2
    let uncertainty = trials.compactMap { $0.onset?.uncertainty }.max() ?? .zero
    let verdict =
      faults.isEmpty
      ? "Good: clips begin within \((errors.map(abs).max() ?? 0).fixed(3)) ms of the scheduled time on this computer."
      : "Not good: " + faults.joined(separator: "; ") + "."
    return [
      "onset − schedule in ms: median \(median.fixed(3)), SD \((variance.squareRoot()).fixed(3)),"
        + " min \((errors[0]).fixed(3)), max \((errors[errors.count - 1]).fixed(3)), n \(errors.count)",
      "uncertainty: at most \((uncertainty.milliseconds).fixed(3)) ms",
    ] + others + [verdict]
  }

  /// The other programs that played through the sink: their sound is mixed in, but does not shift onsets.
  private var others: [String] {
    let names = trials.flatMap(\.otherPrograms).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    guard !names.isEmpty else { return [] }
    let count = trials.count { !$0.otherPrograms.isEmpty }
    return [
      "other programs played through the same sink during \(count) of \(trials.count.counted("clip")): "
        + names.map { "“\($0.visible)”" }.joined(separator: ", ")
    ]
  }

  private var faults: [String] {
    var faults: [String] = []
    let late = trials.compactMap(\.error).filter { $0 > Self.tolerance || $0 < .zero - Self.tolerance }.count
    let vague = trials.compactMap(\.onset).filter { $0.uncertainty > Self.tolerance }.count
    let silent = trials.count { $0.onset == nil }
    let disturbed = trials.count { $0.disturbances > 0 || !$0.isWhole }
    if silent > 0 { faults.append("\(silent) of \(trials.count.counted("clip")) without a measured onset") }
    if late > 0 { faults.append("\(late) of \(trials.count.counted("clip")) began more than 1 ms early or late") }
    if vague > 0 { faults.append("\(vague) of \(trials.count) onsets have an uncertainty above 1 ms") }
    if disturbed > 0 { faults.append("\(disturbed) of \(trials.count.counted("clip")) had underruns, shifts or gaps") }
    return faults
  }

  /// The lines above the table.
  package static func head(_ speaker: SpeakerDescription, _ stimulus: Stimulus) -> [String] {
    let sinkRate = speaker.sinkRate ?? 0
    let resampling =
      sinkRate == stimulus.format.sampleRate
      ? ""
      : "; \(speaker.quantum == nil ? "the server" : "the station") resamples \(stimulus.format.sampleRate) Hz to the sink's \(sinkRate) Hz"
    return [
      "\(speaker.server ?? "?"), sink “\(speaker.sink ?? "?")”\(speaker.isAudible ? "" : ", not audible")\(resampling)",
      "all in ms; call, schedule and onset since the first call",
      "trial        call    schedule       onset  onset − schedule  uncertainty",
    ]
  }

  package static func row(_ number: Int, _ trial: OnsetTrial, since start: Moment) -> String {
    func time(_ moment: Moment?) -> String { moment.map { start.duration(to: $0).milliseconds.fixed(3) } ?? "–" }
    let cells: [(String, Int)] = [
      ("\(number)", 5), (time(trial.called), 12), (time(trial.scheduled), 12), (time(trial.onset?.moment), 12),
      (trial.error.map { $0.milliseconds.fixed(3) } ?? "–", 18),
      ((trial.onset?.uncertainty).map { $0.milliseconds.fixed(3) } ?? "–", 13),
    ]
    return cells.map { $0.padded(to: $1, isRight: true) }.joined()
      + (trial.disturbances > 0 ? "  disturbed" : "") + (trial.isWhole ? "" : "  incomplete")
  }
}
