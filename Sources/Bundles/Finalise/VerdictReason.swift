import Quantities

/// Why a trial is not good, with its numbers; worded here and nowhere else.
enum VerdictReason: Hashable {
  // MARK: The trial
  case stopped(String?)
  case failed(String?)
  case recovered
  case paused(Int)
  case stepSkipped(String)
  case clockJumped(Duration)
  case journalDamaged

  // MARK: The stimulus
  case soundFailed(String)
  case clipFaulty(clip: String, String)
  case neverSounded(clip: String)
  case inaudible(sink: String?)
  case loudnessMissed(clip: String, reached: Double, target: Double, peakLimit: Double)
  case onsetUncertain(Duration)
  case onsetOff(by: Duration)
  case underruns(Int)
  case moved(to: String)
  case sinkSuspended(Int)
  case muted(Int)
  case volumeChanged(to: String)
  case shifted(String)
  case otherPrograms([String])
  case endUnknown
  case playedInPart(Duration, of: Duration)

  // MARK: The recordings
  case sensorLost(String, times: Int, Duration, reason: String)
  case noSamples(sensor: String, recorders: [String])
  case silent(sensor: String, recorders: [String], times: Int, Duration)
  case noContact(sensor: String, step: String, Duration, of: Duration)
  case coverage(recorders: [String], step: String, Duration, of: Duration)
  case readingsDropped(sensor: String, Int)
  case implausible(recorder: String, Int, of: Int, outside: ClosedRange<Double>, unit: String)

  case other(String)
}

extension VerdictReason {
  /// The same without what grows while a trial runs: counts, lengths and lists.
  var topic: VerdictReason {
    switch self {
    case .paused: .paused(0)
    case .underruns: .underruns(0)
    case .sinkSuspended: .sinkSuspended(0)
    case .muted: .muted(0)
    case .shifted: .shifted("")
    case .volumeChanged: .volumeChanged(to: "")
    case .clockJumped: .clockJumped(.zero)
    case .otherPrograms: .otherPrograms([])
    case .onsetUncertain: .onsetUncertain(.zero)
    case .onsetOff: .onsetOff(by: .zero)
    case .playedInPart: .playedInPart(.zero, of: .zero)
    case .sensorLost(let sensor, _, _, let reason): .sensorLost(sensor, times: 0, .zero, reason: reason)
    case .silent(let sensor, let recorders, _, _): .silent(sensor: sensor, recorders: recorders, times: 0, .zero)
    case .noContact(let sensor, let step, _, _): .noContact(sensor: sensor, step: step, .zero, of: .zero)
    case .coverage(let recorders, let step, _, _): .coverage(recorders: recorders, step: step, .zero, of: .zero)
    case .readingsDropped(let sensor, _): .readingsDropped(sensor: sensor, 0)
    case .implausible(let recorder, _, _, let range, let unit):
      .implausible(recorder: recorder, 0, of: 0, outside: range, unit: unit)
    case .stopped, .failed, .recovered, .stepSkipped, .journalDamaged, .soundFailed, .clipFaulty, .neverSounded,
      .inaudible, .loudnessMissed, .moved, .endUnknown, .noSamples, .other:
      self
    }
  }
}

extension VerdictReason: CustomStringConvertible {
  /// One plain sentence without a full stop.
  var description: String {
    switch self {
    case .stopped(let why): "the trial was stopped" + Self.suffix(why)
    case .failed(let why): "the trial failed" + Self.suffix(why)
    case .recovered: "the program died during the trial, which was recovered from its journal"
    case .paused(let count): "the trial was paused \(Self.times(count))"
    case .stepSkipped(let step): "the step “\(step)” was skipped"
    case .clockJumped(let drift):
      "the system clock jumped \(drift > .zero ? "forward" : "back") by \(Self.seconds(drift)) relative to the monotonic "
        + "clock (set by hand, NTP or suspend); wall-clock times are uncertain"
    case .journalDamaged: "the journal is damaged (see the warnings)"
    default: soundDescription ?? recordingDescription
    }
  }

  private var soundDescription: String? {
    switch self {
    case .soundFailed(let failure): "playback failed: \(failure)"
    case .clipFaulty(let clip, let fault): "the clip “\(clip)”: \(fault)"
    case .neverSounded(let clip): "the clip “\(clip)” never sounded"
    case .inaudible(let sink):
      "no one could hear the clip: the sink\(sink.map { " “\($0)”" } ?? "") is a null sink, which discards its sound"
    case .loudnessMissed(let clip, let reached, let target, let limit):
      "the clip “\(clip)” was played at \(Self.tenths(reached)) LUFS, \(Self.tenths(abs(target - reached))) LU "
        + "\(reached < target ? "below" : "above") its target of \(Self.tenths(target)) LUFS (true peak limit "
        + "\(Self.tenths(limit)) dBTP)"
    case .onsetUncertain(let uncertainty): "the onset is only known to within \(Self.milliseconds(uncertainty))"
    case .onsetOff(let distance):
      "the onset was \(Self.milliseconds(distance)) \(distance > .zero ? "after" : "before") its schedule"
    case .underruns(let count): Self.counted(count, "buffer underrun")
    case .moved(let sink): "playback was moved to “\(sink)”"
    case .sinkSuspended(let count): "the sink was suspended \(Self.times(count))"
    case .muted(let count): "the sound was muted \(Self.times(count))"
    case .volumeChanged(let volume): "the volume was changed: \(volume)"
    case .shifted(let shift): "playback shifted \(shift) after onset"
    case .otherPrograms(let names):
      "other programs played through the same sink during the stimulus: "
        + names.map { "“\($0)”" }.joined(separator: ", ")
    case .endUnknown: "the end of the stimulus was not recorded"
    case .playedInPart(let played, let requested):
      "\(Self.seconds(played)) of \(Self.seconds(requested)) of the stimulus were played (\(Self.percent(played, requested)))"
    default: nil
    }
  }

  private var recordingDescription: String {
    switch self {
    case .sensorLost(let sensor, let count, let lost, let reason):
      count == 1
        ? "the sensor “\(sensor)” was lost for \(Self.seconds(lost)): \(reason)"
        : "the sensor “\(sensor)” was lost \(count) times, for \(Self.seconds(lost)) in all: \(reason)"
    case .noSamples(let sensor, let recorders): "no samples from the sensor “\(sensor)” (\(Self.list(recorders)))"
    case .silent(let sensor, let recorders, let count, let silence):
      "no samples from the sensor “\(sensor)” for \(Self.seconds(silence))"
        + (count == 1 ? "" : " in \(count) gaps") + " (\(Self.list(recorders)))"
    case .noContact(let sensor, let step, let lost, let whole):
      "the sensor “\(sensor)” had no skin contact for \(Self.seconds(lost)) of \(Self.seconds(whole)) in “\(step)” "
        + "(\(Self.percent(lost, whole)))"
    case .coverage(let recorders, let step, let covered, let whole):
      "samples cover \(Self.seconds(covered)) of \(Self.seconds(whole)) in “\(step)” (\(Self.percent(covered, whole)); "
        + "\(Self.list(recorders)))"
    case .readingsDropped(let sensor, let count): "\(Self.counted(count, "sample")) of “\(sensor)” dropped"
    case .implausible(let recorder, let count, let all, let range, let unit):
      "\(count) of \(Self.counted(all, "sample")) of “\(recorder)” implausible (outside "
        + "\(Self.bound(range.lowerBound)) to \(Self.bound(range.upperBound)) \(unit))"
    case .other(let text): text
    default: ""
    }
  }

  private static func suffix(_ why: String?) -> String { why.map { ": \($0)" } ?? "" }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }

  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  private static func counted(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }

  private static func percent(_ part: Duration, _ whole: Duration) -> String {
    whole > .zero ? "\(Int((part / whole * 100).rounded())) %" : "0 %"
  }

  /// A limit of plausible values: `350`, `0.25`.
  private static func bound(_ number: Double) -> String {
    let thousandths = (number * 1000).rounded() / 1000
    return thousandths == thousandths.rounded() ? "\(Int(thousandths))" : "\(thousandths)"
  }

  private static func tenths(_ number: Double) -> String {
    let tenths = Int((max(-1e9, min(1e9, number)) * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }

  /// Lengths of recordings: `30.1 s`.
  private static func seconds(_ duration: Duration) -> String {
    "\(fixed(duration, nanosecondsPerTenth: 100_000_000)) s"
  }

  /// What is to be exact about a sound: `3.1 ms`.
  private static func milliseconds(_ duration: Duration) -> String {
    "\(fixed(duration, nanosecondsPerTenth: 100_000)) ms"
  }

  private static func fixed(_ duration: Duration, nanosecondsPerTenth unit: Int64) -> String {
    let tenths = (max(duration, .zero - duration).exactNanoseconds + unit / 2) / unit
    return "\(tenths / 10).\(tenths % 10)"
  }
}
