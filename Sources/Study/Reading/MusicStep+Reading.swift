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
