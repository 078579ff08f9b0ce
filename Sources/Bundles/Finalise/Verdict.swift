import Quantities
import Study

/// How far a trial can be trusted.
public enum Grade: String, Sendable, CaseIterable, Comparable {
  /// Nothing speaks against it.
  case good
  /// Somebody should look at it.
  case suspect
  /// It did not give what it was made for.
  case bad

  /// Better before worse.
  public static func < (left: Grade, right: Grade) -> Bool {
    let order = allCases
    return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
  }
}

/// A grade with its reasons, a function of what happened in a trial and of nothing else.
///
/// A trial that was stopped or recovered is `suspect`, because what it holds is true though not all of it is there; one
/// that failed is `bad`, as is one whose stimulus never sounded, was muted or was lost. A sound that the server resampled
/// or made softer is a remark in the result's warnings, not a fault.
struct Verdict: Equatable {
  private(set) var grade = Grade.good
  private(set) var reasons: [String] = []

  /// How far the onset may lie from its schedule.
  static let onsetTolerance = Duration.milliseconds(5)

  /// How far the onset may lie from what was measured.
  static let onsetUncertainty = Duration.milliseconds(1)

  /// How far the calendar and the clock may go apart.
  static let largestDrift = Duration.seconds(1)

  /// The largest part of a recording in which the sensor may lack contact with the skin: an analysis warns below nine
  /// tenths as well.
  static let largestContactLoss = 0.1

  init(on account: TrialAccount, recordings: [RecorderCut]) {
    judgeOutcome(account)
    judgeSteps(account)
    judgeSound(account)
    judgeClock(account)
    for recording in recordings { judge(recording) }
    judgeReadings(account)
  }

  /// What can be said of a trial that has not ended: what did not happen may still do.
  init(onRunning account: TrialAccount) {
    judgeSuspensions(account)
    judgeSteps(account)
    judgeSound(account, isRunning: account.closing == nil)
    for recorder in account.opening.recorders {
      let recording = RecorderCut(recorder, in: account)
      for gap in recording.lossGaps { judge(gap, of: recording) }
    }
    judgeReadings(account)
  }

  private mutating func add(_ grade: Grade, _ reason: String) {
    self.grade = max(self.grade, grade)
    reasons.append(reason)
  }

  private mutating func judgeOutcome(_ account: TrialAccount) {
    let why = account.closing?.reason.map { ": \($0)" } ?? ""
    switch account.closing?.outcome {
    case .completed: break
    case .stopped: add(.suspect, "the trial was stopped\(why)")
    case .failed: add(.bad, "the trial failed\(why)")
    case .recovered, nil: add(.suspect, "the program died during the trial, which was recovered from its journal")
    }
    judgeSuspensions(account)
  }

  private mutating func judgeSuspensions(_ account: TrialAccount) {
    if account.suspensions > 0 { add(.suspect, "the trial was suspended \(Self.times(account.suspensions))") }
  }

  private mutating func judgeReadings(_ account: TrialAccount) {
    for sensor in account.readingsDropped.keys.sorted() {
      add(.suspect, "\(account.readingsDropped[sensor] ?? 0) readings of “\(sensor)” were dropped")
    }
    if account.problemCount > 0 { add(.suspect, "the journal is damaged (see the warnings)") }
  }

  private mutating func judgeSteps(_ account: TrialAccount) {
    for step in account.steps where step.end?.reason == .skipped && account.isActive(step.identifier) {
      add(.suspect, "the step “\(step.identifier)” was skipped")
    }
  }

  // A clock that stands still while the computer sleeps, and a calendar that somebody sets, both show here.
  private mutating func judgeClock(_ account: TrialAccount) {
    guard let drift = account.drift else { return }
    let distance = max(drift, .zero - drift)
    guard distance > Self.largestDrift else { return }
    let phrase = drift > .zero ? "further" : "less far"
    add(
      .suspect,
      "the calendar went \(Self.milliseconds(distance)) \(phrase) than the clock: it was changed or the computer slept, "
        + "and dates are uncertain")
  }

  private mutating func judgeSound(_ account: TrialAccount, isRunning: Bool = false) {
    let sound = account.sound
    // A trial that failed because its sound did has said so.
    let isTold = account.closing?.outcome == .failed && account.closing?.reason == sound.failure
    if let failure = sound.failure, !isTold { add(.bad, "the sound failed: \(failure)") }
    if let chosen = account.chosen {
      for warning in chosen.warnings { add(.suspect, "the clip “\(chosen.clip.name)”: \(warning)") }
      let hasSounded = sound.segments.contains { $0.onset != nil }
      if !hasSounded, account.closing?.outcome == .completed, sound.failure == nil {
        add(.bad, "the clip “\(chosen.clip.name)” never sounded")
      }
    }
    for segment in sound.segments {
      guard let onset = segment.onset else { continue }
      if onset.uncertainty > Self.onsetUncertainty {
        add(.suspect, "the sound's onset is only known to within \(Self.milliseconds(onset.uncertainty))")
      }
      let distance = onset.time - segment.scheduled
      if max(distance, .zero - distance) > Self.onsetTolerance {
        let phrase = distance > .zero ? "after" : "before"
        add(.suspect, "the sound began \(Self.milliseconds(max(distance, .zero - distance))) \(phrase) its schedule")
      }
    }
    if sound.underruns > 0 { add(.suspect, "the sound ran dry \(Self.times(sound.underruns))") }
    for move in sound.moves { add(.suspect, "the sound was moved to “\(move)”") }
    if sound.sinkSuspensions > 0 { add(.suspect, "the sink was suspended \(Self.times(sound.sinkSuspensions))") }
    if sound.mutings > 0 { add(.bad, "the sound was muted \(Self.times(sound.mutings))") }
    for volume in sound.volumes { add(.suspect, "the volume was changed: \(volume)") }
    for slip in sound.slips { add(.suspect, "the sound slipped \(slip)") }
    for other in sound.others { add(.suspect, "the sound was disturbed: \(other)") }
    for fault in sound.toneFaults { add(.suspect, fault) }
    if sound.failure == nil, !sound.segments.isEmpty, !isRunning {
      if sound.hasOpenEnd {
        add(.suspect, "the end of the sound was not recorded")
      } else if sound.framesPlayed < sound.framesRequested {
        add(.suspect, "\(sound.framesPlayed) of \(sound.framesRequested) frames were played")
      }
    }
  }

  private mutating func judge(_ recording: RecorderCut) {
    let name = recording.recorder.configuration.identifier
    guard !recording.segments.isEmpty else { return }
    if recording.samples == 0 { add(.suspect, "the recorder “\(name)” has no samples") }
    for gap in recording.gaps where gap.cause != .contact { judge(gap, of: recording) }
    judgeContact(of: recording)
  }

  // A sensor that slips on the skin may do so often: that is one reason.
  private mutating func judgeContact(of recording: RecorderCut) {
    let gaps = recording.contactGaps.map { $0.end - $0.start }
    let lost = gaps.reduce(.zero, +)
    guard let longest = gaps.max(), recording.length > .zero else { return }
    let share = lost / recording.length
    guard share > Self.largestContactLoss || longest > RecorderCut.longestSilence else { return }
    add(
      .suspect,
      "the recorder “\(recording.recorder.configuration.identifier)” had no contact with the skin for "
        + "\(Self.seconds(lost)) of \(Self.seconds(recording.length)) s (\(Int((share * 100).rounded())) %)")
  }

  private mutating func judge(_ gap: RecorderCut.Gap, of recording: RecorderCut) {
    let name = recording.recorder.configuration.identifier
    add(.suspect, "the recorder “\(name)” has a gap of \(Self.milliseconds(gap.end - gap.start)): \(gap.reason)")
  }

  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  private static func seconds(_ duration: Duration) -> String {
    let tenths = (duration.exactNanoseconds + 50_000_000) / 100_000_000
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func milliseconds(_ duration: Duration) -> String {
    let tenths = (duration.exactNanoseconds + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10) ms"
  }
}
