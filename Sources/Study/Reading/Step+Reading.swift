import Basics

extension Step {
  /// Reads an element of `steps`; `nil` after reporting a problem.
  static func read(_ place: Located) -> Step? {
    guard let object = place.object("a step, which is an object") else { return nil }
    let words = names
    let list = words.dropLast().joined(separator: ", ") + words.suffix(1).map { " or \($0)" }.joined()
    let type = object.required("kind", "what the step does: \(list)").flatMap(readType)
    object.refuseKeys(beside: type.map { ProtocolObject($0) } ?? .step)
    let identifier = object.required("identifier", "what results call this step")?.identifier()
    let title = object["title"]?.string()
    let text = object["text"]?.string()
    let detailText = object["detailText"]?.string()
    let isOptional = object["optional"]?.bool() ?? false
    let skipWhen = object["skipWhen"].flatMap(Rule.read)
    let navigation = object["navigation"].flatMap(NavigationRule.readAll) ?? []
    // The times and recorders of a step of unknown kind can still be checked.
    let kind: (any StepContent)? = type?.read(object)
    if type == nil { _ = ActiveStep.read(object) }
    let isRepeated = object["repeatOnResume"]?.bool() ?? false
    let groups = object["groups"].flatMap(StudyGroups.readNames)
    guard let identifier, let kind else { return nil }
    var step = Step(
      identifier: identifier, title: title, text: text, detailText: detailText, isOptional: isOptional,
      skipWhen: skipWhen, navigation: navigation, kind: kind)
    step.isRepeatedOnResume = isRepeated
    step.groups = groups
    return step
  }

  private static func readType(_ place: Located) -> (any StepReading.Type)? {
    place.word("a kind of step", among: names).flatMap(StepKinds.named)
  }

  private static let names = StepKinds.names + [FitnessCheck.kind]

  /// Reads an array of steps; `nil` after reporting that there are none.
  static func readAll(_ place: Located) -> [Step]? {
    let (what, most) = ("an array of steps", StudyProtocolReader.maxSteps)
    guard !place.problems.lacksSteps else { return place.elements(what, atMost: most)?.compactMap(Step.read) }
    guard let elements = place.filledElements(what, atMost: most) else { return nil }
    let steps = elements.map(Step.read)
    NavigationCheck(steps, at: elements).run()
    return steps.compactMap(\.self)
  }
}
