import Basics
import Quantities

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
