import Basics
import Charts
import Quantities
import Session

/// The screen of a running measurement.
struct MeasureScreen {
  let size: TerminalSize

  /// The rows: the wave, the heart rate, how far it is, and what is wrong.
  func rows(_ measurement: Measurement, _ wave: [Double], of length: Duration) -> [String] {
    let columns = max(20, min(size.columns - 2, 100))
    var rows: [String] = []
    if !wave.isEmpty { rows += WaveLine.rows(wave, columns: columns, rows: max(1, min(6, size.rows - 6))) + [""] }
    rows.append(measurement.rate.map { "heart rate  \($0.fixed(0)) /min" } ?? "heart rate  –")
    if let quality = measurement.quality { rows.append("quality     \((quality * 100).fixed(0)) %") }
    switch measurement.phase {
    case .waiting: rows.append("waiting for a steady signal: \(measurement.problem?.words ?? "hold still")")
    case .measuring:
      let width = columns - 12
      let done = max(0, min(width, Int(Double(width) * measurement.progress)))
      rows.append("measuring   " + String(repeating: "█", count: done) + String(repeating: "░", count: width - done))
      let problem = measurement.problem.map { "\($0.words): \($0.advice)" }
      rows.append(problem ?? "hold still; \(length.seconds.fixed(0)) s in all")
    case .done, .failed: break
    }
    return rows
  }
}
