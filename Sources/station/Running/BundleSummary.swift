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
    else { return count + gaps(recording) }
    return "\(count), \(minimum.fixed(0)) to \(maximum.fixed(0)) \(unit), mean \(mean.fixed(1))" + gaps(recording)
  }

  /// How much of the recording is missing: `; nothing known for 6.5 of 10.0 s`.
  private static func gaps(_ recording: JSONValue) -> String {
    func seconds(_ key: String) -> Double {
      (recording[key]?.array ?? []).reduce(0) {
        $0 + (($1["end_ns"]?.number ?? 0) - ($1["start_ns"]?.number ?? 0)) / 1e9
      }
    }
    let missing = seconds("gaps")
    return missing > 0 ? "; nothing known for \(missing.fixed(1)) of \(seconds("segments").fixed(1)) s" : ""
  }
}
