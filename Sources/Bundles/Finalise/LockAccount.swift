import Basics
import Study

/// What became of an onset that follows a heartbeat: the triggers, and the R peaks that were found later.
struct LockAccount {
  private(set) var locked: LockedBeat?
  private var sensor: String?
  private var triggers: [Duration] = []
  private var beats: [Duration] = []

  /// A trigger within this time of an R peak is its own.
  static let tolerance = Duration.milliseconds(100)
  /// A predicted beat within this time of an R peak is that one.
  static let mispredicted = Duration.milliseconds(400)
  /// The maximum number of triggers and beats that are kept: a day's.
  private static let maxCount = 200_000

  mutating func take(_ event: JournalEvent, at time: Duration) {
    switch event {
    case .beatTriggered(let sensor, let peak):
      self.sensor = self.sensor ?? sensor
      if triggers.count < Self.maxCount { triggers.append(peak) }
    case .soundLocked(_, let beat):
      // After a pause before the onset it is another one.
      locked = beat
      sensor = sensor ?? beat.sensor
    case .reading(let reading) where reading.sensor == sensor && beats.count < Self.maxCount:
      var last = time
      var new = reading.rrIntervals.isEmpty ? [] : [time]
      for interval in reading.rrIntervals.dropFirst().reversed() {
        last -= Duration(milliseconds: interval)
        new.append(last)
      }
      beats += new.reversed()
    default: break
    }
  }

  /// What a result says of it; `nil` for an onset that follows no heartbeat.
  func lock(onset: MeasuredTime?) -> TrialRecord.Lock? {
    guard let locked else { return nil }
    let reach = locked.beat == .detected ? Self.tolerance : Self.mispredicted
    let peak = nearest(to: locked.expected, in: beats).flatMap {
      Self.distance($0, locked.expected) <= reach ? $0 : nil
    }
    let last = beats.last ?? .zero
    let falseTriggers = triggers.filter { $0 <= last && !isNear($0, beats) }
    let span = (triggers.first ?? .zero)...max(triggers.first ?? .zero, triggers.last ?? .zero)
    let missed = triggers.isEmpty ? [] : beats.filter { span.contains($0) && !isNear($0, triggers) }
    return TrialRecord.Lock(
      heartbeat: locked, rPeak: peak.map { .init(time: $0) },
      trueDelay: peak.flatMap { peak in onset.map { $0.time - peak } }, triggers: triggers.count,
      falseTriggers: falseTriggers.map { .init(time: $0) }, missedPeaks: missed.map { .init(time: $0) })
  }

  private static func distance(_ one: Duration, _ other: Duration) -> Duration { max(one - other, other - one) }

  private func isNear(_ time: Duration, _ times: [Duration]) -> Bool {
    nearest(to: time, in: times).map { Self.distance($0, time) <= Self.tolerance } ?? false
  }

  /// The nearest of times in ascending order.
  private func nearest(to time: Duration, in times: [Duration]) -> Duration? {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle] < time { low = middle + 1 } else { high = middle }
    }
    let candidates = [low - 1, low].filter(times.indices.contains).map { times[$0] }
    return candidates.min { Self.distance($0, time) < Self.distance($1, time) }
  }
}
