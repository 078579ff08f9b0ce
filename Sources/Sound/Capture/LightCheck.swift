import Basics
package import Quantities

/// Finds in what a microphone input delivers when a photodiode there saw a screen become bright.
package struct LightCheck: Sendable {
  /// The flashes that were seen, in the order of time.
  package private(set) var trials: [LightTrial] = []
  /// The flashes that were looked for.
  private var shown = 0
  private var bestRatio = 0.0
  private let source: CaptureDescription
  private let sound: HeardSound

  /// Where a flash is looked for, from the frame of the browser on.
  private static let window = (before: Duration.milliseconds(120), after: Duration.milliseconds(300))
  /// How long the end of the window is waited for.
  private static let patience = Duration.seconds(2)

  /// A check of what this source delivers into this sound.
  package init(of source: CaptureDescription, _ sound: HeardSound) { (self.source, self.sound) = (source, sound) }

  /// Looks for the light of a frame that was painted after at least the window's time of darkness.
  ///
  /// - Parameter painted: when the frame was painted, by the page.
  /// - Returns: the flash; `nil` where it was not seen, or frames of the recording are missing.
  /// - Throws: `LoopbackFailure/lost` and `CancellationError`.
  package mutating func look(for painted: MeasuredMoment) async throws -> LightTrial? {
    shown += 1
    let start = painted.moment.advanced(by: .zero - Self.window.before)
    let end = painted.moment.advanced(by: Self.window.after)
    guard let excerpt = try await sound.excerpt(from: start, to: end, rate: source.rate, patience: Self.patience)
    else { return nil }
    let dark = excerpt.index(of: painted.moment.advanced(by: .zero - painted.uncertainty))
    guard let edge = LightEdge(in: excerpt.samples, darkUntil: dark) else { return nil }
    bestRatio = max(bestRatio, Double(edge.ratio))
    guard edge.isSeen else { return nil }
    let trial = LightTrial(painted: painted, seen: excerpt.moment(of: edge.index), ratio: Double(min(edge.ratio, 1e6)))
    trials.append(trial)
    return trial
  }

  /// What the flashes show, beside the clicks that were recorded through the same input.
  ///
  /// - Parameters:
  ///   - clicks: the clicks, by which the delay of the input is known.
  ///   - output: what the output takes of it.
  /// - Returns: the delays.
  /// - Throws: ``LightFailure``.
  package func result(besides clicks: LoopbackResult, _ output: OutputLatency) throws(LightFailure) -> LightResult {
    guard trials.count * 5 >= shown * 4, trials.count >= 3 else {
      throw .unseen(source: source.source, seen: trials.count, flashes: shown, ratio: bestRatio)
    }
    let result = LightResult(trials: trials, clicks: clicks, output: output)
    guard result.delay >= .zero - result.uncertainty else {
      throw .early(milliseconds: (.zero - result.delay).milliseconds)
    }
    let deviation = result.delays.deviation
    guard deviation <= LightFailure.maxDeviation else { throw .scattered(deviation: deviation.milliseconds) }
    return result
  }
}

/// A flash of a screen that was seen.
package struct LightTrial: Hashable, Sendable {
  /// When the frame was painted, by the page.
  package var painted: MeasuredMoment
  /// When the recording has the light, by the sound server.
  package var seen: Moment
  /// How many times stronger than the noise it was.
  package var ratio: Double
}

/// What a check of a screen found.
package struct LightResult: Hashable, Sendable {
  package let trials: [LightTrial]
  package let clicks: LoopbackResult
  let output: OutputLatency

  /// From each frame to its light: what the input takes is what the clicks took, less what the output took of that.
  package var delays: MeasuredDurations { MeasuredDurations(trials.map(delay)) }
  /// Their median.
  package var delay: Duration { delays.median }

  /// From the frame of a flash to its light.
  package func delay(of trial: LightTrial) -> Duration {
    trial.painted.moment.duration(to: trial.seen) - clicks.unexplained + output.latency
  }

  /// What a single frame may be off by: its distance from the median, the page's clock and frame, and the sound.
  package var uncertainty: Duration {
    delays.spread + (trials.map(\.painted.uncertainty).max() ?? .zero) + clicks.uncertainty + output.uncertainty
  }
}

/// Why a check of a screen found nothing.
package enum LightFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Of so many flashes, too few were above the noise; the best was so many times stronger than it.
  case unseen(source: String, seen: Int, flashes: Int, ratio: Double)
  /// The delays differ by more than they may; the SD in milliseconds.
  case scattered(deviation: Double)
  /// The light comes before the frame, by so many milliseconds.
  case early(milliseconds: Double)

  /// The largest SD of delays that have one explanation: a frame at 60 frames a second has a uniform delay of 4.8 ms.
  static let maxDeviation = Duration.milliseconds(10)

  package var description: String {
    switch self {
    case .unseen(let source, let seen, let flashes, let ratio):
      "the input “\(source.visible)” shows \(seen) of \(flashes.counted("flash", "flashes")) (the strongest \(ratio.fixed(1)) times the "
        + "noise; \(LightEdge.minRatio.fixed(0)) are needed): see whether the photodiode lies on the middle of the screen, "
        + "has power, and is plugged into this input; raise the input's volume, and darken the room"
    case .scattered(let deviation):
      "the delays of the screen differ too much (SD \(deviation.fixed(1)) ms; \(Self.maxDeviation.milliseconds.fixed(0)) ms at most): "
        + "close other programs, and turn off what the monitor does to pictures, such as motion smoothing"
    case .early(let milliseconds):
      "the light comes \(milliseconds.fixed(1)) ms before its frame: the photodiode sees something else, or the clicks do not come "
        + "through the input of the photodiode; see that both are plugged into the one that --microphone names"
    }
  }
}

/// Where a recording rises from darkness to light.
struct LightEdge: Hashable, Sendable {
  /// The index at which half of the light is reached, between two samples.
  var index: Double
  /// How many times stronger than the largest noise in the dark it is.
  var ratio: Float

  /// A change below so many times the noise may be noise.
  static let minRatio = 4.0

  var isSeen: Bool { Double(ratio) >= Self.minRatio }

  /// Looks for the first change to at least half of the largest; `nil` where there is too little of the recording, or it is
  /// silent.
  ///
  /// An input for microphones lets no steady voltage pass, so that light is a pulse that decays, of either sign.
  ///
  /// - Parameters:
  ///   - samples: the recording.
  ///   - dark: up to which index the screen was dark for certain.
  init?(in samples: [Float], darkUntil dark: Double) {
    let dark = Int(dark)
    guard dark > 10, dark < samples.count - 10 else { return nil }
    let mean = samples[..<dark].reduce(0, +) / Float(dark)
    let changes = samples.map { ($0 - mean).magnitude }
    let noise = changes[..<dark].max() ?? 0
    guard let most = changes[dark...].max(), most > 0 else { return nil }
    let half = most / 2
    guard let first = changes[dark...].firstIndex(where: { $0 >= half }) else { return nil }
    let (before, here) = (changes[first - 1], changes[first])
    index = Double(first) - (here > before ? Double((here - half) / (here - before)) : 0)
    ratio = noise > 0 ? most / noise : .infinity
  }
}
