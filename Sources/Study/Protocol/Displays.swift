import Basics

/// The audience of a trial's screen.
package enum Display: String, Hashable, Sendable, CaseIterable {
  /// The participant: title, text and remaining time on the whole screen, and no measurements.
  case participant
  /// The operator: lines with the heart rate, the state of the sensors, clip and verdict.
  case `operator`
}

/// The audience of each step: by its identifier, else by its kind, else the protocol's default.
package struct Displays: Hashable, Sendable {
  /// The audience of the other steps.
  var general: Display
  /// The audience of all steps of a kind, by its name.
  var kinds: [String: Display]
  /// The audience of single steps, by their identifiers.
  var steps: [String: Display]

  /// Creates a choice; without exceptions, it is one audience for every step.
  init(_ general: Display, kinds: [String: Display] = [:], steps: [String: Display] = [:]) {
    (self.general, self.kinds, self.steps) = (general, kinds, steps)
  }

  /// The audience of a step.
  package subscript(step: Step) -> Display { steps[step.identifier] ?? kinds[step.kindName] ?? general }
}

extension Displays {
  /// Reads `display`, a word or an object; `nil` after reporting a problem.
  static func read(_ place: Located) -> Displays? {
    guard case .object = place.node.content else { return word(place).map { Displays($0) } }
    guard let object = place.object("a display") else { return nil }
    object.refuseKeys(beside: .display)
    var displays = Displays(object["default"].flatMap(word) ?? .participant)
    if let kinds = object["kinds"]?.object("an object with kinds of step") {
      kinds.refuseKeys(beside: .displayKinds)
      for kind in StepKinds.names { displays.kinds[kind] = kinds[kind].flatMap(word) }
    }
    if let steps = object["steps"]?.object("an object with identifiers of steps") {
      for member in steps.members { displays.steps[member.key] = steps[member.key].flatMap(word) }
    }
    return displays
  }

  /// Reports every name in `steps` that no step of the protocol has.
  static func checkSteps(_ place: Located, among identifiers: [String]) {
    guard let steps = place.quietMember("display")?.quietMember("steps"), case .object(let members) = steps.node.content
    else { return }
    for member in members where !identifiers.contains(member.key) {
      place.problems.add(at: member.keyOffset, steps.path.appending(member.key)) {
        "no step has this identifier; \(Spelling.advice(for: member.key, among: identifiers))"
      }
    }
  }

  private static func word(_ place: Located) -> Display? {
    place.word("a display", among: Display.allCases.map(\.rawValue)).flatMap(Display.init)
  }
}
