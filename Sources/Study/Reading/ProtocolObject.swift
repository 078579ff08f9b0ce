import Basics

/// The objects of a protocol file, with the keys that each allows.
enum ProtocolObject: CaseIterable {
  case top, clips, phrases, instruction, music, rest, completion, clip, loudness, recorder, verdict
  /// A step of an unknown kind, which allows the keys of any step.
  case step

  /// The keys in their recommended order.
  var keys: [String] {
    switch self {
    case .top:
      [
        "$schema", "format", "identifier", "version", "title", "clips", "display", "phrases", "sensorCheck", "verdict",
        "steps",
      ]
    case .clips: ["folder", "embed"]
    case .phrases: Phrase.allCases.map(\.rawValue)
    case .instruction, .completion: Self.stepKeys
    case .rest: Self.stepKeys + Self.activeKeys
    case .music, .step:
      Self.stepKeys + ["clip", "whenShorter", "fadeIn_ms", "fadeOut_ms", "loudness"] + Self.activeKeys
    case .clip: ["choose", "from", "mood", "name"]
    case .loudness: ["target_LUFS", "truePeakLimit_dBTP"]
    case .recorder: ["identifier", "quantityType", "unit", "settle_s", "motionContext"]
    case .verdict:
      [
        "goodCoverage", "suspectCoverage", "sampleHold_s", "contactLoss", "goodImplausible", "suspectImplausible",
        "suspectPlayed", "onsetTolerance_ms", "onsetUncertainty_ms", "loudnessTolerance_LU", "clockDrift_s",
      ]
    }
  }

  private static let stepKeys = ["kind", "identifier", "title", "text", "detailText", "optional"]

  private static let activeKeys = [
    "stepDuration", "shouldShowDefaultTimer", "shouldSpeakCountDown", "shouldSpeakRemainingTimeAtHalfway",
    "shouldStartTimerAutomatically", "shouldPlaySoundOnStart", "shouldPlaySoundOnFinish", "shouldVibrateOnStart",
    "shouldVibrateOnFinish", "shouldUseNextAsSkipButton", "shouldContinueOnFinish", "spokenInstruction",
    "finishedSpokenInstruction", "recorderConfigurations",
  ]

  /// The place of its keys, as a phrase.
  var place: String {
    switch self {
    case .top: "at the top of the protocol"
    case .clips: "in “clips”"
    case .phrases: "in “phrases”"
    case .instruction: "in an instruction step"
    case .music: "in a music step"
    case .rest: "in a rest step"
    case .completion: "in a completion step"
    case .clip: "in “clip”"
    case .loudness: "in “loudness”"
    case .recorder: "in an element of “recorderConfigurations”"
    case .verdict: "in “verdict”"
    case .step: "in a step"
    }
  }

  /// Why a key is not allowed here: it belongs elsewhere, is misspelt, or is unknown.
  func problem(with key: String) -> String {
    if self == .recorder, key == "sensor" {
      return "unknown key; a protocol does not name sensors: --sensor does, when the trial is run"
    }
    let homes = Self.homes(of: key)
    let near = Spelling.nearest(to: key, among: keys).map { "did you mean “\($0)”?" }
    if !homes.isEmpty { return "“\(key)” does not belong \(place), but \(homes)" + (near.map { "; or \($0)" } ?? "") }
    if let near { return "unknown key; \(near)" }
    let others = Self.allCases.flatMap(\.keys)
    if let near = Spelling.nearest(to: key, among: others) {
      return "unknown key; did you mean “\(near)”, which belongs \(Self.homes(of: near))?"
    }
    return
      "unknown key; \(place) there are \(keys.joined(separator: ", ")); a note of your own has a key that begins with x-"
  }

  /// The places of the objects that allow a key, joined by “or”.
  private static func homes(of key: String) -> String {
    let homes = allCases.filter { $0 != .step && $0.keys.contains(key) }
    let steps: Set<ProtocolObject> = [.instruction, .music, .rest, .completion]
    let places =
      steps.isSubset(of: homes) ? homes.filter { !steps.contains($0) }.map(\.place) + ["in a step"] : homes.map(\.place)
    return places.joined(separator: " or ")
  }
}
