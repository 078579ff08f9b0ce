import Basics

/// The rules between the parts of a protocol.
///
/// They examine the file itself, so that they include a step that could not be read.
extension StudyProtocol {
  /// Reports parts that are valid separately but not together.
  static func checkRules(_ place: Located) {
    guard let stepsPlace = place.quietMember("steps") else { return }
    let steps = stepsPlace.quietElements
    guard steps.count <= StudyProtocolReader.mostSteps else { return }
    checkIdentifiers(steps.compactMap { $0.quietMember("identifier") }, of: "step")
    let recorders = steps.flatMap { $0.quietMember("recorderConfigurations")?.quietElements ?? [] }
    checkIdentifiers(recorders.compactMap { $0.quietMember("identifier") }, of: "recorder")
    checkMusic(steps, hasClips: place.quietMember("clips") != nil)
    checkCompletion(steps)
    Displays.checkSteps(place, among: steps.compactMap { $0.quietMember("identifier")?.quietString })
  }

  private static func checkIdentifiers(_ places: [Located], of what: String) {
    Located.checkUnique(places) { identifier, path in
      "the identifier “\(identifier)” is already used at \(path); each \(what) of a protocol needs its own"
    }
  }

  private static func checkMusic(_ steps: [Located], hasClips: Bool) {
    let music = kinds(of: steps).filter { $0.quietString == "music" }
    if let first = music.first, !hasClips {
      first.report("a music step needs clips; say at the top where they are: \"clips\": {\"folder\": \"…\"}")
    }
    for place in music.dropFirst() {
      place.report(
        "a second music step; a trial plays one clip, and a “trials” step, which is for several, is not known yet")
    }
  }

  private static func checkCompletion(_ steps: [Located]) {
    for place in kinds(of: steps.dropLast()) where place.quietString == "completion" {
      place.report("a completion step ends the trial; it must be the last step")
    }
  }

  private static func kinds(of steps: some Sequence<Located>) -> [Located] {
    steps.compactMap { $0.quietMember("kind") }
  }
}
