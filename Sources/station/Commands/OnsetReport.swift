import Glibc
import Quantities
import Sound

/// What a check of onsets found, in words.
struct OnsetReport: Sendable {
  private let trials: [OnsetTrial]

  init(_ trials: [OnsetTrial]) { self.trials = trials }

  /// Good enough for stimuli whose onset is related to heartbeats: a millisecond, known to a millisecond.
  private static let tolerance = Duration.milliseconds(1)

  /// Whether every clip began within the tolerance and was played whole.
  var isGood: Bool { faults.isEmpty }

  /// What is under the table.
  var summary: [String] {
    let errors = trials.compactMap(\.error).map(\.milliseconds).sorted()
    guard !errors.isEmpty else { return ["", "Nothing was heard of any clip."] }
    let mean = errors.reduce(0, +) / Double(errors.count)
    let variance = errors.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(max(errors.count - 1, 1))
    let uncertainty = trials.compactMap(\.onset?.uncertainty).max() ?? .zero
    let verdict =
      faults.isEmpty
      ? "Good: clips begin within \(Self.text(errors.map(abs).max() ?? 0)) ms of their moment on this machine."
      : "Not good: " + faults.joined(separator: "; ") + "."
    return [
      "",
      "onset − schedule in ms: median \(Self.text(errors[errors.count / 2])), SD \(Self.text(variance.squareRoot())),"
        + " min \(Self.text(errors[0])), max \(Self.text(errors[errors.count - 1])), n \(errors.count)",
      "uncertainty: at most \(Self.text(uncertainty.milliseconds)) ms",
      verdict,
    ]
  }

  private var faults: [String] {
    var faults: [String] = []
    let late = trials.compactMap(\.error).filter { $0 > Self.tolerance || $0 < .zero - Self.tolerance }.count
    let vague = trials.compactMap(\.onset).filter { $0.uncertainty > Self.tolerance }.count
    let silent = trials.count { $0.onset == nil }
    let disturbed = trials.count { $0.disturbances > 0 || !$0.isWhole }
    if silent > 0 { faults.append("\(silent) of \(trials.count) clips were not heard of") }
    if late > 0 { faults.append("\(late) of \(trials.count) clips began more than 1 ms off") }
    if vague > 0 { faults.append("\(vague) of \(trials.count) onsets are not known to 1 ms") }
    if disturbed > 0 { faults.append("\(disturbed) of \(trials.count) clips had gaps or were disturbed") }
    return faults
  }

  /// What stands over the table.
  static func head(_ speaker: SpeakerDescription, _ stimulus: Stimulus) -> String {
    let sinkRate = speaker.sinkRate ?? 0
    let resampling =
      sinkRate == stimulus.format.sampleRate
      ? "" : "; the server resamples \(stimulus.format.sampleRate) Hz to the sink's \(sinkRate) Hz"
    return
      "\(speaker.server ?? "?"), sink “\(speaker.sink ?? "?")”\(speaker.isAudible ? "" : ", not audible")\(resampling)\n"
      + "trial  onset − schedule (ms)  uncertainty (ms)"
  }

  /// One line of the table.
  static func row(_ number: Int, _ trial: OnsetTrial) -> String {
    let error = trial.error.map { text($0.milliseconds) } ?? "–"
    let uncertainty = (trial.onset?.uncertainty).map { text($0.milliseconds) } ?? "–"
    return pad("\(number)", 5) + pad(error, 23) + pad(uncertainty, 18)
      + (trial.disturbances > 0 ? "  disturbed" : "") + (trial.isWhole ? "" : "  not whole")
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// A number with three digits after the point.
  private static func text(_ number: Double) -> String {
    let thousandths = Int((number * 1000).rounded())
    let digits = String(thousandths.magnitude)
    let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return (thousandths < 0 ? "-" : "") + padded.dropLast(3) + "." + padded.suffix(3)
  }
}
