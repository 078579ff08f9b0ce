import Bundles
import Charts
import Decimals
import HeartCharts
import Quantities
import Recordings
import Spelling
import Study

/// A trial that runs as lines for a terminal: where it is, how the heart beats, and what has gone wrong so far.
struct LiveScreen: Sendable {
  /// So much of a long trial is shown, in seconds.
  private static let longest = 600.0

  /// A sensor that says nothing for so long has no heart rate now.
  private static let fresh = Duration.seconds(5)

  /// So many warnings are told; the others are counted.
  private static let mostWarnings = 3

  let size: TerminalSize

  /// The lines; none is longer than the terminal is wide, and there are as many as it is high.
  func lines(_ trial: LiveTrial, at now: Duration) -> [String] {
    var lines = head(trial, at: now)
    lines += trial.sensors.map { sensor(sensor: $0, at: now) }
    let warnings = trial.progress.warnings
    lines += warnings.prefix(Self.mostWarnings).map { "! \($0)" }
    if warnings.count > Self.mostWarnings { lines.append("! and \(warnings.count - Self.mostWarnings) more") }
    lines = lines.map(\.visible)
    let rows = size.rows - lines.count - 2
    if rows >= 5 {
      lines.append("")
      lines += chart(trial, at: now, rows: rows).split(separator: "\n", omittingEmptySubsequences: false).map(
        String.init)
      if lines.last == "" { lines.removeLast() }
    }
    lines = Array(lines.prefix(size.rows - 1))
    lines += Array(repeating: "", count: size.rows - 1 - lines.count)
    lines.append("Ctrl-C ends this view; the trial goes on")
    return lines.map { String($0.prefix(size.columns)) }
  }

  private func head(_ trial: LiveTrial, at now: Duration) -> [String] {
    guard let opening = trial.progress.opening else { return ["the trial is being opened"] }
    var lines = [
      "\(opening.task), participant \(opening.participant), session \(opening.session); \(Self.clock(now)) since its start"
    ]
    if let step = trial.step {
      let place = trial.number(of: step.identifier).map { "step \($0.number) of \($0.count), " } ?? "step "
      var parts = [place + step.identifier + (trial.title(of: step.identifier).map { ": \($0)" } ?? "")]
      parts.append("\(Self.clock(now - step.start)) elapsed")
      if let left = step.remaining(at: now) { parts.append("\(Self.clock(left, rounding: .up)) left") }
      if trial.isPaused { parts.append("paused") }
      lines.append(parts.joined(separator: "; "))
    } else {
      lines.append(trial.progress.closing == nil ? "between steps" : "ended; its bundle is being made")
    }
    if let clip = trial.progress.clip {
      let sound = trial.sounds.last.map { sound in
        "; onset at \(sound.onset.fixed(3)) s" + (sound.offset.map { ", offset at \($0.fixed(3)) s" } ?? "")
      }
      lines.append("clip \(clip.clip.name), \(clip.requested.seconds.fixed(0)) s\(sound ?? "")")
    }
    return lines
  }

  private func sensor(sensor: LiveTrial.Sensor, at now: Duration) -> String {
    var parts: [String] = []
    if let last = sensor.last {
      let age = now - last.time
      let isFresh = age < Self.fresh && !sensor.isLost
      parts.append(
        isFresh ? "♥ \(last.rate.fixed(0)) /min" : "♥ -- (\(last.rate.fixed(0)) /min \(Self.clock(age)) ago)")
    } else {
      parts.append("♥ --")
    }
    parts.append("\(sensor.name)")
    if sensor.isLost { parts.append("lost") }
    if sensor.contact == false { parts.append("does not touch the skin") }
    parts.append("\(sensor.rates.count) heart rates")
    return parts.joined(separator: "  ")
  }

  private func chart(_ trial: LiveTrial, at now: Duration, rows: Int) -> String {
    let end = max(now.seconds, 10)
    let heard = trial.sensors.filter { !$0.rates.isEmpty }
    let first = heard.compactMap { $0.rates.first?.time }.min() ?? 0
    let start = max(min(first, end - 10), end - Self.longest)
    let chart = LineChart.heartRates(
      // With what leads into the picture from before it.
      heard.map { ($0.name, HeartRates($0.rates.filter { $0.time > start - 60 })) }, sounds: trial.sounds,
      clip: trial.progress.clip?.clip.name, window: start...end)
    return chart.braille(columns: size.columns, rows: rows)
  }

  /// `0:07`, `12:34`, `1:02:03`.
  static func clock(_ time: Duration, rounding rule: FloatingPointRoundingRule = .down) -> String {
    let whole = max(0, Int(time.seconds.rounded(rule)))
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    return whole < 3600
      ? "\(whole / 60):\(two(whole % 60))" : "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
  }
}
