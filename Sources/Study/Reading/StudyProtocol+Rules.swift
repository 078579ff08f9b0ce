import Basics

/// The rules between the parts of a protocol.
///
/// They examine the file itself, so that they include a step that could not be read.
extension StudyProtocol {
  /// Reports parts that are valid separately but not together.
  static func checkRules(_ place: Located) {
    guard let stepsPlace = place.quietMember("steps") else { return }
    let steps = stepsPlace.quietElements
    guard steps.count <= StudyProtocolReader.maxSteps else { return }
    let templates = steps.filter { $0.quietKind == "trials" }
    let inTrials = templates.flatMap { $0.quietMember("steps")?.quietElements ?? [] }
    let inBreaks = templates.flatMap { $0.quietMember("breaks")?.quietMember("steps")?.quietElements ?? [] }
    let all = steps + inTrials + inBreaks
    checkIdentifiers(all.compactMap { $0.quietMember("identifier") }, of: "step")
    let recorders = ([place] + all).flatMap { $0.quietMember("recorderConfigurations")?.quietElements ?? [] }
    checkIdentifiers(recorders.compactMap { $0.quietMember("identifier") }, of: "recorder")
    checkMusic(steps, templates, inBreaks, hasClips: place.quietMember("clips") != nil)
    OnsetLock.checkRecorders(of: all, place)
    checkCompletion(steps, inTrials + inBreaks)
    ConsentStep.checkPlace(among: steps, inTrials + inBreaks)
    let conditions = templates.flatMap { $0.quietMember("design")?.quietMember("conditions")?.quietElements ?? [] }
    StudyGroups.checkNames((all + conditions).compactMap { $0.quietMember("groups") }, place)
    StudyGroups.checkSteps(steps, place)
    checkMarkers(conditions)
    for step in inTrials + inBreaks where step.quietKind == "trials" {
      step.quietMember("kind")?.report("trials cannot contain trials; put the steps side by side")
    }
    Displays.checkSteps(place, among: all.compactMap { $0.quietMember("identifier")?.quietString })
  }

  private static func checkIdentifiers(_ places: [Located], of what: String) {
    Located.checkUnique(places) { identifier, path in
      "the identifier “\(identifier)” is already used at \(path); each \(what) of a protocol needs its own"
    }
  }

  private static func checkMarkers(_ conditions: [Located]) {
    let marked = conditions.compactMap { condition -> (name: String, marker: Int, place: Located)? in
      guard let name = condition.quietMember("name")?.quietString, let place = condition.quietMember("marker"),
        case .number(let number) = place.node.content, let code = Int(exactly: number)
      else { return nil }
      return (name, code, place)
    }
    MarkerCodes.check(marked.map { ($0.name, $0.marker) }) { marked[$0].place.report($1) }
  }

  private static func checkMusic(
    _ steps: [Located], _ templates: [Located], _ inBreaks: [Located], hasClips: Bool
  ) {
    let outer = steps.filter { $0.quietKind == "music" }
    let inner = templates.map { ($0.quietMember("steps")?.quietElements ?? []).filter { $0.quietKind == "music" } }
    if !hasClips, let first = (outer + inner.joined()).first {
      first.quietMember("kind")?
        .report("a music step needs clips; say at the top where they are: \"clips\": {\"folder\": \"…\"}")
    }
    for place in (outer.dropFirst() + inner.flatMap { $0.dropFirst() }).compactMap({ $0.quietMember("kind") }) {
      place.report("a second music step; a trial plays one clip, and a “trials” step performs several trials")
    }
    if !templates.isEmpty {
      for place in (outer + inBreaks.filter { $0.quietKind == "music" }) {
        place.quietMember("kind")?.report("beside a “trials” step music is played in its trials only")
      }
    }
    for place in outer {
      place.quietMember("clip")?.quietMember("choose").map { choice in
        if choice.quietString == "condition" {
          choice.report("only trials of a “trials” step have a condition; write “random”")
        }
      }
    }
  }

  private static func checkCompletion(_ steps: [Located], _ inner: [Located]) {
    for step in steps.dropLast() where step.quietKind == "completion" {
      step.quietMember("kind")?.report("a completion step ends the trial; it must be the last step")
    }
    for step in inner where step.quietKind == "completion" {
      step.quietMember("kind")?.report("a completion step ends the session; it must be the protocol's last step")
    }
  }
}

extension Located {
  /// The kind of the step here, as its file says it.
  var quietKind: String? { quietMember("kind")?.quietString }
}
