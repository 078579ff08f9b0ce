import Bundles
import Decimals
import JSON
import Spelling

/// A bundle in a few lines, the last of which says where it lies.
struct BundleSummary: Sendable {
  let bundle: Bundle

  init(_ bundle: Bundle) { self.bundle = bundle }

  var lines: [String] {
    var lines: [String] = []
    if let name = bundle.clipName { lines.append("clip name: \(name.visible)") }
    lines += (bundle.result["recordings"]?.array ?? []).map(Self.recording)
    lines.append("outcome: \(bundle.outcome?.rawValue ?? "unknown")")
    let reasons = bundle.reasons.isEmpty ? "" : " (\(bundle.reasons.joined(separator: "; ")))"
    lines.append("verdict: \(bundle.grade?.rawValue ?? "unknown")\(reasons)")
    lines += bundle.warnings.map { "note: \($0)" }
    lines.append("bundle: \(bundle.path)")
    return lines
  }

  private static func recording(_ recording: JSONValue) -> String {
    let name = recording["identifier"]?.string ?? "recording"
    let unit = recording["unit"]?.string ?? ""
    let count = "\(name): \(recording["samples"]?.integer ?? 0) samples"
    guard let summary = recording["summary"], let minimum = summary["min"]?.number,
      let mean = summary["mean"]?.number, let maximum = summary["max"]?.number
    else { return count }
    return "\(count), \(minimum.fixed(0)) to \(maximum.fixed(0)) \(unit), mean \(mean.fixed(1))"
  }
}
