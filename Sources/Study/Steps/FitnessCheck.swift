import Basics

/// ResearchKit's predefined task “fitness check”: a walk and a rest while heart rate is recorded.
///
/// A step of this kind stands for those of `ORKOrderedTask.fitnessCheckTask`: two instructions, a countdown of 5 s, the
/// walk, and the rest; a walk or rest of 0 s is left out. Their identifiers are `<identifier>.instruction`,
/// `.instruction1`, `.countdown`, `.walk` and `.rest`, and a recorder's has `.walk` or `.rest` at its end.
enum FitnessCheck {
  /// The kind's name in protocols.
  static let kind = "fitnessCheck"

  /// The keys of such a step, in their recommended order.
  static let object: ProtocolObject = ProtocolObject(
    "in a fitnessCheck step",
    [
      "kind", "identifier", "title", "text", "detailText", "groups", "walkDuration", "restDuration", "walkText",
      "restText",
      "recorderConfigurations",
    ])

  /// The steps that a step of this kind stands for; none after reporting a problem.
  static func steps(_ place: Located) -> [JSONNode] {
    guard let object = place.object("a fitness check, which is an object") else { return [] }
    object.refuseKeys(beside: Self.object)
    let identifier = object.required("identifier", "what results call this step")?.identifier()
    let walk = duration("walkDuration", of: object)
    let rest = duration("restDuration", of: object)
    guard let identifier, let walk, let rest else { return [] }
    guard walk > 0 || rest > 0 else {
      place.report("neither “walkDuration” nor “restDuration” is above 0 s; a fitness check walks or rests")
      return []
    }
    let make = Maker(place: place, identifier: identifier)
    let walkText = object["walkText"]?.string() ?? "Walk as fast as is comfortable for you, for \(words(walk))."
    let restText = object["restText"]?.string() ?? "Sit down and rest for \(words(rest))."
    return [
      make.step("instruction", "instruction", like: ["title", "text", "detailText"]),
      make.step(
        "instruction1", "instruction", ["text": .string(parts(walk, walkText, rest, restText))], like: ["title"]),
      make.step("countdown", "countdown", like: ["title"]),
      walk > 0 ? make.active("walk", "walk", walk, walkText, endsAloud: false) : nil,
      rest > 0 ? make.active("rest", "rest", rest, restText, endsAloud: true) : nil,
    ].compactMap(\.self)
  }

  private static func duration(_ key: String, of object: LocatedObject) -> Double? {
    object.required(key, "how many seconds it lasts, or 0 to leave it out")?.seconds(in: 0...ActiveStep.maxLength)?
      .seconds
  }

  private static func parts(_ walk: Double, _ walkText: String, _ rest: Double, _ restText: String) -> String {
    [walk > 0 ? walkText : nil, rest > 0 ? restText : nil].compactMap(\.self).joined(separator: " ")
  }

  private static func words(_ seconds: Double) -> String {
    let minutes = seconds / 60
    return minutes == minutes.rounded() && minutes > 0
      ? Int(minutes).counted("minute") : "\(JSONValue.number(seconds).text()) seconds"
  }
}

/// Makes the steps of a fitness check, all of which are where the check itself is.
private struct Maker {
  let place: Located
  let identifier: String

  /// A step with the values of these keys taken from the check.
  func step(
    _ part: String, _ kind: String, _ values: [String: JSONValue] = [:], like keys: [String]
  ) -> JSONNode {
    var members = values
    members["kind"] = .string(kind)
    members["identifier"] = .string("\(identifier).\(part)")
    let made = JSONNode(.object(members), at: place.node.offset)
    guard case .object(let own) = made.content, case .object(let given) = place.node.content else { return made }
    return made.with(.object(own + given.filter { (keys + ["groups"]).contains($0.key) }))
  }

  /// A step that lasts and records.
  func active(_ part: String, _ kind: String, _ duration: Double, _ text: String, endsAloud: Bool) -> JSONNode {
    var values: [String: JSONValue] = [
      "text": .string(text), "stepDuration": .number(duration), "spokenInstruction": .string(text),
    ]
    for key in [
      "shouldStartTimerAutomatically", "shouldContinueOnFinish", "shouldVibrateOnStart", "shouldPlaySoundOnStart",
    ] { values[key] = true }
    if endsAloud { (values["shouldVibrateOnFinish"], values["shouldPlaySoundOnFinish"]) = (true, true) }
    let step = step(part, kind, values, like: ["title", "recorderConfigurations"])
    guard case .object(let members) = step.content else { return step }
    return step.with(
      .object(
        members.map { $0.key == "recorderConfigurations" ? $0.with(named($0.value, ".\(part)")) : $0 }))
  }

  /// Recorders with an ending behind their identifiers, since each recorder of a protocol has its own.
  private func named(_ recorders: JSONNode, _ ending: String) -> JSONNode {
    guard case .array(let elements) = recorders.content else { return recorders }
    return recorders.with(
      .array(
        elements.map { element in
          guard case .object(let members) = element.content else { return element }
          return element.with(
            .object(
              members.map { member in
                guard member.key == "identifier", case .string(let name) = member.value.content else { return member }
                return member.with(member.value.with(.string(name + ending)))
              }))
        }))
  }
}
