import Basics
import Quantities
import Study

extension Bundle {
  /// A summary in a few lines, the last with the path.
  package var summary: [String] {
    var lines: [String] = []
    if let clip = record.clip { lines.append("clip name: \(clip.clip.name.visible)") }
    lines += record.recordings.map(Self.line)
    lines += record.answers.map { answer in
      let question = answer.step == answer.question ? answer.step : "\(answer.step), \(answer.question)"
      return "answer to \(question.visible): \(answer.value.description.visible)"
    }
    lines += record.annotations.map { "annotation at \($0.time.seconds.fixed(1)) s: \($0.text.visible)" }
    lines.append("outcome: \(record.closing.outcome.rawValue)")
    lines.append("verdict: \(record.verdict.rawValue)")
    lines += record.reasons.map { "  \($0.description.visible)" }
    lines += record.informativeCaveats.map { "note: \($0.description.visible)" }
    lines.append("bundle: \(path.visible)")
    return lines
  }

  /// The verdict with the first reason for it; `nil` for a good one.
  package var complaint: String? {
    guard record.verdict != .good else { return nil }
    let reason = record.caveats.first { $0.verdict == record.verdict }
    return "verdict: \(record.verdict.rawValue)" + (reason.map { ": \($0.caveat.description.visible)" } ?? "")
  }

  /// A summary of a recorder's samples, and how much is missing: `…; no data for 6.5 of 10.0 s`.
  private static func line(_ recording: TrialRecord.Recording) -> String {
    var line = "\(recording.recorder.identifier): \(recording.samples.counted("sample"))"
    if let summary = recording.summary {
      let unit = recording.recorder.configuration.unit
      line +=
        recording.isOfHeartbeats && [.countPerMinute, .millisecond].contains(unit)
        ? ", \(summary.min.fixed(0)) to \(summary.max.fixed(0)) \(unit), mean \(summary.mean.fixed(1))"
        : ", \(unit.text(of: summary.min)) to \(unit.text(of: summary.max)), mean \(unit.text(of: summary.mean))"
    }
    if recording.missing > .zero {
      line += "; no data for \(recording.missing.seconds.fixed(1)) of \(recording.length.seconds.fixed(1)) s"
    }
    return line
  }
}
