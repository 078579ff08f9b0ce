import Basics
import Bundles
import Quantities

/// A bundle in a few lines, the last of which says where it lies.
struct BundleSummary: Sendable {
  let bundle: Bundle

  init(_ bundle: Bundle) { self.bundle = bundle }

  var lines: [String] {
    var lines: [String] = []
    if let name = bundle.clipName { lines.append("clip name: \(name.visible)") }
    lines += bundle.trialResult.recorders.map(Self.line)
    lines.append("outcome: \(bundle.outcome?.rawValue ?? "unknown")")
    lines.append("verdict: \(bundle.grade?.rawValue ?? "unknown")")
    lines += bundle.reasons.map { "  \($0.visible)" }
    lines += bundle.warnings.map { "note: \($0)" }
    lines.append("bundle: \(bundle.path.visible)")
    return lines
  }

  /// A recorder with what its samples come to, and how much is missing: `…; nothing known for 6.5 of 10.0 s`.
  private static func line(_ recorder: TrialResult.Recorder) -> String {
    var line = "\(recorder.identifier): \(recorder.samples.counted("sample"))"
    if let summary = recorder.summary {
      let (smallest, largest) = (summary.smallest.fixed(0), summary.largest.fixed(0))
      line += ", \(smallest) to \(largest) \(recorder.unit), mean \(summary.mean.fixed(1))"
    }
    if recorder.missing > .zero {
      line += "; nothing known for \(recorder.missing.seconds.fixed(1)) of \(recorder.length.seconds.fixed(1)) s"
    }
    return line
  }
}
