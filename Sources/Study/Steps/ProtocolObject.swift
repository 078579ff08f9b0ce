import Basics

/// An object of a protocol file, with the keys that it allows.
struct ProtocolObject: Hashable {
  /// The place of its keys, as a phrase.
  let place: String
  /// The keys in their recommended order.
  let keys: [String]

  init(_ place: String, _ keys: [String]) { (self.place, self.keys) = (place, keys) }

  init(_ type: any StepReading.Type) {
    self.init("in \(Self.article(of: type.kind)) \(type.kind) step", Self.stepKeys + type.keys.map(\.name))
  }

  static let top: ProtocolObject = ProtocolObject(
    "at the top of the protocol",
    [
      "$schema", "format", "identifier", "version", "title", "language", "sessions", "clips", "groups", "display",
      "phrases", "texts", "sensorCheck", "maximumLevel_dBSPL", "verdict", "recorderConfigurations", "steps",
    ])
  static let clips: ProtocolObject = ProtocolObject("in “clips”", ["folder", "embed"])
  static let groups: ProtocolObject = ProtocolObject("in “groups”", ["assignment", "groups"])
  static let group: ProtocolObject = ProtocolObject("in a group", ["name", "cap"])
  static let phrases: ProtocolObject = ProtocolObject("in “phrases”", Phrase.allCases.map(\.rawValue))
  static let display: ProtocolObject = ProtocolObject("in “display”", ["default", "kinds", "steps"])
  static let displayKinds: ProtocolObject = ProtocolObject("in “kinds”", StepKinds.names)
  static let clip: ProtocolObject = ProtocolObject(
    "in “clip”", ["choose", "from", "mood", "tag", "folder", "name", "from_s"])
  static let loudness: ProtocolObject = ProtocolObject("in “loudness”", ["target_LUFS", "truePeakLimit_dBTP"])
  static let onset: ProtocolObject = ProtocolObject("in “onset”", ["lockTo", "beat", "delay_ms"])
  static let recorder: ProtocolObject = ProtocolObject(
    "in an element of “recorderConfigurations”",
    ["identifier", "quantityType", "unit", "settle_s", "motionContext", "anchors"])
  static let widerRecorder: ProtocolObject = ProtocolObject(
    "in an element of the protocol's “recorderConfigurations”",
    ["identifier", "quantityType", "unit", "settle_s", "motionContext", "scope"])
  static let verdict: ProtocolObject = ProtocolObject(
    "in “verdict”",
    [
      "goodCoverage", "suspectCoverage", "sampleHold_s", "contactLoss", "goodImplausible", "suspectImplausible",
      "suspectPlayed", "onsetTolerance_ms", "onsetUncertainty_ms", "loudnessTolerance_LU", "clockDrift_s",
    ])

  /// A step of an unknown kind, which allows the keys of any step.
  static let step: ProtocolObject = ProtocolObject(
    "in a step",
    StepKinds.all.reduce(stepKeys) { keys, type in keys + type.keys.map(\.name).filter { !keys.contains($0) } })

  private static let stepKeys = [
    "kind", "identifier", "title", "text", "detailText", "picture", "optional", "groups", "skipWhen", "navigation",
    "repeatOnResume",
  ]

  private static let steps: [ProtocolObject] = stepNames.map(step(named:))

  /// All objects but ``step``.
  private static let all: [ProtocolObject] =
    [top, clips, groups, group, phrases, texts, display, displayKinds] + steps
    + StepKinds.all.flatMap { $0.objects } + [
      include, includedFile, rule, navigation, recorder, widerRecorder, jitter, verdict, picture,
    ]

  /// Why a key is not allowed here: it belongs elsewhere, is misspelt, or is unknown.
  func problem(with key: String) -> String {
    if self == .recorder, key == "sensor" {
      return "unknown key; a protocol does not name sensors: --sensor does, when the trial is run"
    }
    let homes = Self.homes(of: key)
    let near = Spelling.nearest(to: key, among: keys).map { "did you mean “\($0)”?" }
    if !homes.isEmpty { return "“\(key)” does not belong \(place), but \(homes)" + (near.map { "; or \($0)" } ?? "") }
    if let near { return "unknown key; \(near)" }
    if let near = Spelling.nearest(to: key, among: Self.all.flatMap(\.keys)) {
      return "unknown key; did you mean “\(near)”, which belongs \(Self.homes(of: near))?"
    }
    return
      "unknown key; \(place) there are \(keys.joined(separator: ", ")); a note of your own has a key that begins with x-"
  }

  /// The places of the objects that allow a key, joined by “or”.
  private static func homes(of key: String) -> String {
    let others = all.filter { $0.keys.contains(key) && !steps.contains($0) }.map(\.place)
    let kinds = stepNames.filter { ProtocolObject.step(named: $0).keys.contains(key) }
    guard let first = kinds.first, let last = kinds.last else { return others.joined(separator: " or ") }
    let isEvery = Set(StepKinds.names).isSubset(of: kinds)
    let names = kinds.count == 1 ? first : kinds.dropLast().joined(separator: ", ") + " or " + last
    return (others + [isEvery ? "in a step" : "in \(article(of: first)) \(names) step"]).joined(separator: " or ")
  }

  private static let stepNames = StepKinds.names + [FitnessCheck.kind]

  private static func step(named name: String) -> ProtocolObject {
    StepKinds.named(name).map { ProtocolObject($0) } ?? FitnessCheck.object
  }

  private static func article(of name: String) -> String {
    name.first.map { "aeiou".contains($0) } ?? false ? "an" : "a"
  }
}

extension LocatedObject {
  /// Reports every key that is not allowed in such an object; a key that begins with `x-` is always allowed.
  func refuseKeys(beside object: ProtocolObject) { refuseKeys(beside: object.keys, object.problem) }
}

/// The names of keys that are no character; any other key is called by its character.
package enum KeyName: String, Sendable, CaseIterable {
  /// The space bar.
  case space
  case enter
  /// The arrow up.
  case up
  /// The arrow down.
  case down
  /// The arrow to the left.
  case left
  /// The arrow to the right.
  case right

  /// The names of the arrows.
  static let arrows: [String] = [KeyName.up, .down, .left, .right].map(\.rawValue)
}
