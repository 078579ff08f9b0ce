import Basics
import Quantities

/// A step that plays one clip.
package struct MusicStep: Hashable, Sendable {
  /// The properties of every active step; the duration is above zero: the stimulus lasts exactly that long.
  package var activeStep: ActiveStep
  var clip: ClipChoice
  /// Which part of the clip is played; `nil` for its beginning.
  package var excerpt: ClipExcerpt?
  /// The treatment of a clip that is shorter than the step.
  package var whenShorter: WhenShorter
  /// The length of the rise from silence (a raised-cosine ramp within the step's duration).
  package var fadeIn: Duration
  /// The length of the fall to silence (a raised-cosine ramp within the step's duration).
  package var fadeOut: Duration
  /// The loudness target; `nil` plays the file as it is.
  package var loudness: LoudnessTarget?
  /// The heartbeat that its onset follows; `nil` for an onset as soon as possible.
  package var onset: OnsetLock?

  /// The maximum number of a clip's samples in memory, over all channels.
  ///
  /// They take 2 GiB: an hour and 40 minutes of CD stereo. A shorter clip may be looped for as long as the step lasts.
  package static let maxSamples = 1 << 29

  /// The treatment of a clip that is shorter than the step.
  package enum WhenShorter: String, Sendable, CaseIterable {
    /// The protocol is rejected for that clip.
    case refuse
    /// The clip repeats without a gap.
    case loop
    /// The clip ends, and silence follows until the step's end.
    case end
  }

  init(
    active: ActiveStep, clip: ClipChoice = .random(ClipPool()), whenShorter: WhenShorter = .refuse,
    fadeIn: Duration = .zero, fadeOut: Duration = .zero, loudness: LoudnessTarget? = nil
  ) {
    activeStep = active
    self.clip = clip
    self.whenShorter = whenShorter
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
    self.loudness = loudness
  }
}

/// The choice of a music step's clip.
enum ClipChoice: Hashable, Sendable {
  /// The clip with that name.
  case named(String)
  /// A random draw from a pool.
  case random(ClipPool)
  /// As the trial's condition says; in the template of a ``TrialsStep`` only.
  case condition
}

/// Which part of a clip is played, as long as its step lasts.
package enum ClipExcerpt: Hashable, Sendable {
  /// From this time of the clip on.
  case from(Duration)
  /// From a time that is drawn for each trial, in whole milliseconds.
  case random

  /// The time from which on a clip is played.
  ///
  /// - Parameters:
  ///   - clip: the clip.
  ///   - length: how long it is played.
  ///   - purpose: the purpose of the draw.
  ///   - seed: the session's seed.
  /// - Returns: the time; 0 for a clip that is as long as it is played, or shorter.
  func start(in clip: Clip, lasting length: Duration, _ purpose: String, _ seed: UInt64) -> Duration {
    switch self {
    case .from(let start): return start
    case .random:
      let room = (clip.duration - length).nanoseconds / 1_000_000
      guard room > 0 else { return .zero }
      var random = Draw.generator(for: purpose, seed: seed)
      return .milliseconds(Int64(random.next(below: UInt64(room) + 1)))
    }
  }
}

extension PlannedStimulus {
  /// The stimulus with its part of the clip drawn for one purpose.
  func drawn(_ purpose: String, _ seed: UInt64) -> PlannedStimulus {
    guard let excerpt = music.excerpt else { return self }
    var drawn = self
    drawn.music.excerpt = .from(
      excerpt.start(in: clip, lasting: music.activeStep.stepDuration, "\(purpose)/excerpt", seed))
    return drawn
  }

  /// The time of the clip from which on it is played.
  package var start: Duration { if case .from(let start) = music.excerpt { start } else { .zero } }
}

/// A loudness that a clip is brought to by a constant gain (ITU-R BS.1770-4, EBU R 128).
package struct LoudnessTarget: Hashable, Sendable, Codable {
  /// The integrated loudness of the played sound, in LUFS.
  package var integrated: Double
  /// The limit for the true peak, in dBTP; the gain is lowered to respect it.
  package var truePeakLimit: Double

  private enum CodingKeys: String, CodingKey {
    case integrated = "integrated_LUFS"
    case truePeakLimit = "truePeakLimit_dBTP"
  }

  /// The largest deviation from the target, in LU, that still counts as meeting it.
  package static let negligible = 0.05

  /// Creates a target.
  package init(integrated: Double, truePeakLimit: Double = -1) {
    self.integrated = integrated
    self.truePeakLimit = truePeakLimit
  }
}

extension Draw {
  /// The clips of a library that a music step may play, sorted by the UTF-8 bytes of their names.
  ///
  /// A clip that is too short for the step remains among them; ``ReadProtocol/problems(with:)`` rejects the protocol
  /// for it.
  ///
  /// - Parameters:
  ///   - step: a step that names its clip or draws it from a pool of its own.
  ///   - clips: the library's clips.
  /// - Returns: the candidates; none for a step that plays the clip of its trial's condition.
  static func candidates(for step: MusicStep, among clips: [Clip]) -> [Clip] {
    switch step.clip {
    case .named(let name): clips.filter { $0.name == name }
    case .random(let pool): pool.clips(among: clips)
    case .condition: []
    }
  }
}

extension MusicStep: ActiveStepReading {
  package static let kind = "music"
  static let summary = "plays a clip while recorders run"
  static let keys: [StepKey] =
    ["clip", "whenShorter", "fadeIn_ms", "fadeOut_ms", "loudness", "onset"] + ActiveStep.keys
  static let objects: [ProtocolObject] = [.clip, .loudness, .onset]

  package var isRepeatable: Bool { false }

  static func read(_ object: LocatedObject) -> Self? {
    let active = ActiveStep.read(object)
    ActiveStep.refuseSpeech(object)
    let duration = readDuration(object, active)
    let clip = object.required("clip", "which clip is played: {\"choose\": \"random\"}").flatMap(ClipChoice.read)
    let whenShorter = object["whenShorter"]?.word(
      "a way to treat a clip that is shorter than the step", among: WhenShorter.allCases.map(\.rawValue)
    ).flatMap(WhenShorter.init)
    let fades = 0...(ActiveStep.maxLength * 1000)
    let fadeIn = object["fadeIn_ms"]?.milliseconds(in: fades) ?? .zero
    let fadeOut = object["fadeOut_ms"]?.milliseconds(in: fades) ?? .zero
    let loudness = object["loudness"].flatMap(LoudnessTarget.read)
    let onset = object["onset"].flatMap(OnsetLock.read)
    if let duration, fadeIn + fadeOut > duration, let place = object["fadeOut_ms"] ?? object["fadeIn_ms"] {
      place.report(
        "the fades take \((fadeIn + fadeOut).nanoseconds / 1_000_000) ms together, and the step lasts "
          + "\(duration.nanoseconds / 1_000_000) ms; shorten them or lengthen the step")
    }
    guard let clip else { return nil }
    var step = MusicStep(
      active: active, clip: clip, whenShorter: whenShorter ?? .refuse, fadeIn: fadeIn, fadeOut: fadeOut,
      loudness: loudness)
    step.onset = onset
    step.excerpt = object["clip"]?.quietMember("from_s").flatMap(ClipExcerpt.read)
    return step
  }

  /// The duration, if it is valid for a stimulus.
  private static func readDuration(_ object: LocatedObject, _ active: ActiveStep) -> Duration? {
    guard let place = object.required("stepDuration", "how many seconds the clip is played") else { return nil }
    if active.stepDuration > .zero { return active.stepDuration }
    if let value = place.node.value.number, value == 0 {
      place.report("a music step lasts longer than 0 s; the clip is played for exactly that long")
    }
    return nil
  }
}

extension ClipChoice {
  /// Reads `clip`: a draw or a name; `nil` after reporting a problem.
  static func read(_ place: Located) -> ClipChoice? {
    let shapes = "{\"choose\": \"random\"} or {\"name\": \"…\"}"
    guard let object = place.object(shapes) else { return nil }
    object.refuseKeys(beside: .clip)
    let way = object["choose"]?.word("a way to choose", among: ["random", "condition"])
    let name = object["name"]?.name("the name of a clip")
    let pool = ClipPool.read(object)
    if object["name"] != nil {
      for key in ["choose"] + ClipPool.keys {
        object[key]?.report("“name” plays one clip and “\(key)” belongs to a draw; keep one of them")
      }
      return name.map(ClipChoice.named)
    }
    guard object["choose"] != nil else {
      place.report("neither “choose” nor “name” says which clip; write \(shapes)")
      return nil
    }
    guard way != "condition" else {
      for key in ClipPool.keys {
        object[key]?.report("the trial's condition says which clips there are; put “\(key)” into the design")
      }
      return .condition
    }
    return pool.map(ClipChoice.random)
  }
}

extension ClipExcerpt {
  /// Reads `from_s`; `nil` after reporting a problem.
  fileprivate static func read(_ place: Located) -> ClipExcerpt? {
    if place.quietString != nil { return place.word("a part of a clip", among: ["random"]).map { _ in .random } }
    return place.seconds(in: 0...ActiveStep.maxLength).map { .from($0) }
  }
}

extension LoudnessTarget {
  /// Reads `loudness`; `nil` after reporting a problem.
  static func read(_ place: Located) -> LoudnessTarget? {
    guard let object = place.object("an object with a “target_LUFS”") else { return nil }
    object.refuseKeys(beside: .loudness)
    let limit = object["truePeakLimit_dBTP"]?.number("a true peak in dBTP", in: -20...0)
    let target = object.required("target_LUFS", "the loudness to reach, such as -23")?
      .number("a loudness in LUFS", in: -70...0)
    guard let target else { return nil }
    return LoudnessTarget(integrated: target, truePeakLimit: limit ?? -1)
  }
}

/// That a clip begins at a set delay after a heartbeat: after an R peak.
package struct OnsetLock: Hashable, Sendable {
  /// How the heartbeat is known.
  package enum Beat: String, Hashable, Sendable, CaseIterable, Codable {
    /// It is seen in an electrocardiogram as soon as it is over.
    case detected
    /// It is predicted from the intervals before it.
    case predicted
  }

  /// How the heartbeat is known.
  package var beat: Beat
  /// The time from the R peak to the onset.
  package var delay: Duration

  /// The delays after a detected R peak, in milliseconds: a sound cannot follow it sooner.
  static let afterDetected = 50.0...2000
  /// The delays after a predicted one.
  static let afterPredicted = 0.0...2000

  /// The quantities, the best first, in which such beats are known.
  package var quantities: [String] { beat == .detected ? ["electrocardiogram"] : ["rrInterval", "heartRate"] }

  init(beat: Beat = .detected, delay: Duration) { (self.beat, self.delay) = (beat, delay) }

  /// Reads `onset`; `nil` after reporting a problem.
  static func read(_ place: Located) -> OnsetLock? {
    guard let object = place.object("an object such as {\"lockTo\": \"rPeak\", \"delay_ms\": 250}") else { return nil }
    object.refuseKeys(beside: .onset)
    let target = object.required("lockTo", "what the onset follows: “rPeak”")?
      .word("what an onset can follow", among: ["rPeak"])
    let beat =
      object["beat"]?.word("a way to know a heartbeat", among: Beat.allCases.map(\.rawValue)).flatMap(Beat.init)
    let range = beat == .predicted ? afterPredicted : afterDetected
    let delay = object.required("delay_ms", "the time from the R peak to the onset")?.milliseconds(in: range)
    guard target != nil, let delay, object["beat"] == nil || beat != nil else { return nil }
    return OnsetLock(beat: beat ?? .detected, delay: delay)
  }

  /// Reports music steps whose onset follows heartbeats that no recorder records.
  static func checkRecorders(of steps: [Located], _ place: Located) {
    func types(_ place: Located) -> [String] {
      (place.quietMember("recorderConfigurations")?.quietElements ?? [])
        .compactMap { $0.quietMember("quantityType")?.quietString }.compactMap { QuantityType(channel: $0)?.identifier }
    }
    for step in steps where step.quietKind == "music" {
      guard let onset = step.quietMember("onset") else { continue }
      let beat = onset.quietMember("beat")?.quietString.flatMap(Beat.init) ?? .detected
      let quantities = OnsetLock(beat: beat, delay: .zero).quantities
      guard Set(types(step) + types(place)).isDisjoint(with: quantities) else { continue }
      onset.report(
        "the onset follows \(beat.rawValue) heartbeats, and no recorder of the step or of the protocol records "
          + "\(quantities.joined(separator: " or ")); add one to “recorderConfigurations”, such as {\"identifier\": "
          + "\"heart\", \"quantityType\": \"\(quantities[0])\"}")
    }
  }
}
