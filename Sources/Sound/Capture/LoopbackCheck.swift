import Basics
package import Quantities

/// Plays clicks and records them on the same clock.
package struct LoopbackCheck: Sendable {
  package private(set) var trials: [LoopbackTrial] = []
  /// The clicks that were played, disturbed ones too.
  private var played = 0
  /// The clicks that were played and recorded without a gap, whether they were heard or not.
  private var usable = 0
  private var findings: [Click.Finding] = []
  private var isSilent = true
  private let click: Click
  private let source: CaptureDescription
  private let sound: HeardSound

  /// Where a click is looked for, from its onset on.
  private static let window = (before: Duration.milliseconds(50), after: Duration.milliseconds(600))
  /// The largest SD of round trips that have one explanation.
  private static let maxDeviation = Duration.milliseconds(1)
  /// How many times as many clicks are played at most, where some are disturbed.
  private static let repetitions = 4
  /// How long a click is waited for before it counts as disturbed.
  private static let patience = Duration.seconds(2)

  /// A check of what this source delivers into this sound.
  package init(of source: CaptureDescription, _ sound: HeardSound) {
    self.source = source
    self.sound = sound
    click = Click(rate: source.rate)
  }

  /// Whether so many clicks were played and recorded without a gap, or too many were disturbed.
  package func isComplete(_ clicks: Int) -> Bool { usable >= clicks || played >= clicks * Self.repetitions }

  /// Plays a click at a random time, never in step with the periods of card and server, and looks for it.
  package mutating func play(through speaker: any Speaker, after last: OnsetTrial?) async throws -> OnsetTrial {
    let trial = try await OnsetTrial.play(
      Click(rate: speaker.description.sinkRate ?? source.rate).stimulus, through: speaker, after: last)
    played += 1
    guard let onset = trial.onset, trial.isWhole, trial.disturbances == 0 else { return trial }
    let latency = onset.moment.advanced(by: .zero - speaker.description.facts.outputLatency)
    let (start, end) = (
      latency.advanced(by: .zero - Self.window.before), latency.advanced(by: Self.window.after)
    )
    let heard = try await sound.excerpt(from: start, to: end, rate: source.rate, patience: Self.patience)
    guard let excerpt = heard else { return trial }
    usable += 1
    guard let finding = click.find(in: excerpt.samples) else { return trial }
    isSilent = false
    findings.append(finding)
    guard finding.isHeard, !finding.isClipped else { return trial }
    trials.append(
      LoopbackTrial(
        played: MeasuredMoment(
          moment: latency,
          uncertainty: onset.uncertainty - speaker.description.facts.outputLatencyUncertainty),
        heard: excerpt.moment(of: finding.index), ratio: Double(finding.ratio), gain: Double(finding.gain)))
    return trial
  }

  /// The result of the clicks that were not disturbed.
  package func result() throws(LoopbackFailure) -> LoopbackResult {
    let name = source.source
    guard usable > 0, usable * Self.repetitions > played else { throw .disturbed(usable: usable, clicks: played) }
    if isSilent { throw .silence(source: name) }
    let clipped = findings.count(where: \.isClipped)
    if clipped * 5 > usable { throw .clipped(source: name, count: clipped, clicks: usable) }
    let unheard = findings.count { !$0.isHeard }
    if unheard * 5 > usable || trials.isEmpty {
      let best = findings.map(\.ratio).max() ?? 0
      throw .unheard(
        source: name, heard: findings.count - unheard, clicks: usable, ratio: Double(min(best, 1e6)))
    }
    let result = LoopbackResult(source: source, trials: trials)
    if result.course.deviation > Self.maxDeviation {
      throw .scattered(source: name, deviation: result.course.deviation.milliseconds)
    }
    return result
  }
}

/// A click that was played and heard.
package struct LoopbackTrial: Hashable, Sendable {
  /// When it was played, by the server alone.
  package var played: MeasuredMoment
  /// When it was in the air before the microphone, by the server alone.
  package var heard: Moment
  /// How many times stronger than the noise it was.
  package var ratio = 100.0
  /// How strong it was, of what was played.
  var gain = 1.0

  /// What neither latency that the server reports explains.
  package var unexplained: Duration { played.moment.duration(to: heard) }
}

/// Durations of one thing that was measured several times, at least once.
package struct MeasuredDurations: Hashable, Sendable {
  private let sorted: [Duration]

  init(_ durations: [Duration]) { sorted = durations.sorted() }

  package var count: Int { sorted.count }
  package var median: Duration { (sorted[(count - 1) / 2] + sorted[count / 2]) / 2 }
  package var least: Duration { sorted[0] }
  package var most: Duration { sorted[count - 1] }
  /// The largest distance from the median.
  var spread: Duration { max(most - median, median - least) }
  /// The standard deviation.
  package var deviation: Duration {
    let values = sorted.map(\.milliseconds)
    let mean = values.reduce(0, +) / Double(count)
    let sum = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return Duration(milliseconds: (sum / Double(max(count - 1, 1))).squareRoot())
  }
}

/// What a loop-back check found.
package struct LoopbackResult: Hashable, Sendable {
  package let source: CaptureDescription
  package let trials: [LoopbackTrial]

  /// What no latency that the server reports explains: card, cable and room, there and back.
  package var course: MeasuredDurations { MeasuredDurations(trials.map(\.unexplained)) }
  /// The median of that.
  package var unexplained: Duration { course.median }
  /// From the moment at which the server plays a click to the one at which it has it again.
  package var roundTrip: Duration { unexplained + source.inputLatency }

  /// What a single click may be off by: the uncertainty of its onset, and its distance from the median.
  var uncertainty: Duration {
    course.spread + (trials.map(\.played.uncertainty).max() ?? .zero)
  }

  /// The output latency, which is between zero and all that is unexplained: the middle, and half of it as uncertainty.
  package func outputLatency() throws(LoopbackFailure) -> OutputLatency {
    let most = unexplained
    guard most >= .zero - uncertainty else {
      throw .early(source: source.source, milliseconds: (.zero - most).milliseconds)
    }
    let half = max(.zero, most / 2)
    return OutputLatency(half, uncertainty: half + uncertainty, basis: .loopback)
  }

  /// Whether a latency that was measured by other means is possible.
  package func allows(_ latency: OutputLatency) -> Bool {
    latency.latency - latency.uncertainty <= unexplained + uncertainty
  }
}

/// Why a loop-back check has no result.
package enum LoopbackFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The microphone delivers nothing but zeros.
  case silence(source: String)
  /// Of so many clicks, too few were above the noise; the best was so many times stronger than it.
  case unheard(source: String, heard: Int, clicks: Int, ratio: Double)
  case clipped(source: String, count: Int, clicks: Int)
  /// The clicks arrive at times that differ by more than they may; the SD in milliseconds.
  case scattered(source: String, deviation: Double)
  /// The clicks arrive before they are played, by so many milliseconds.
  case early(source: String, milliseconds: Double)
  case disturbed(usable: Int, clicks: Int)
  case lost(reason: String)

  package var description: String {
    switch self {
    case .silence(let source):
      "the microphone “\(source.visible)” delivers only silence: it is muted, or its volume is zero, or it is not plugged in; "
        + "unmute it, or name another one with --microphone"
    case .unheard(let source, let heard, let clicks, let ratio):
      "the microphone “\(source.visible)” heard \(heard) of \(clicks.counted("click")) above the noise (\(ratio.fixed(1)) times as "
        + "strong; 10 are needed): the room is too noisy, or the clicks are too soft; put the microphone closer to the "
        + "loudspeaker, or raise the volume of either"
    case .clipped(let source, let count, let clicks):
      "the recording of \(count) of \(clicks.counted("click")) from “\(source.visible)” is clipped: it is too loud; lower the "
        + "volume of the microphone, or put it further away"
    case .scattered(let source, let deviation):
      "the clicks arrive at “\(source.visible)” at different times (SD \(deviation.fixed(3)) ms; 1 ms at most): card or server "
        + "change their delay; close other programs with sound, or use a card of your own for the experiment"
    case .early(let source, let milliseconds):
      "the clicks arrive at “\(source.visible)” \(milliseconds.fixed(3)) ms before they are played: the server reports more latency "
        + "than there is; measure the latency by other means, and give it with --measured-ms and --uncertainty-ms"
    case .disturbed(let usable, let clicks):
      "only \(usable) of \(clicks.counted("click")) were played and recorded without a gap; close other programs, and check again"
    case .lost(let reason): "the check ended early: \(reason); see whether sound card and sound server are in order"
    }
  }
}
