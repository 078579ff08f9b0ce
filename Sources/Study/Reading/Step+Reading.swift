import Basics

extension Step {
  /// The words for the kinds of step.
  private enum Word: String, CaseIterable {
    case instruction, music, rest, completion

    var object: ProtocolObject {
      switch self {
      case .instruction: .instruction
      case .music: .music
      case .rest: .rest
      case .completion: .completion
      }
    }
  }

  /// Reads an element of `steps`; `nil` after reporting a problem.
  static func read(_ place: Located) -> Step? {
    guard let object = place.object("a step, which is an object") else { return nil }
    let word = object.required("kind", "what the step does: instruction, music, rest or completion").flatMap(readWord)
    object.refuseKeys(beside: word?.object ?? .step)
    let identifier = object.required("identifier", "what results call this step")?.identifier()
    let title = object["title"]?.string()
    let text = object["text"]?.string()
    let detailText = object["detailText"]?.string()
    let isOptional = object["optional"]?.bool() ?? false
    let kind = readKind(word, object)
    guard let identifier, let kind else { return nil }
    return Step(
      identifier: identifier, title: title, text: text, detailText: detailText, isOptional: isOptional, kind: kind)
  }

  private static func readWord(_ place: Located) -> Word? {
    if place.quietString == "trials" {
      place.report(
        "a “trials” step, which repeats its steps for several clips, is not known yet; a protocol is a single trial so far"
      )
      return nil
    }
    return place.word("a kind of step", among: Word.allCases.map(\.rawValue)).flatMap(Word.init)
  }

  private static func readKind(_ word: Word?, _ object: LocatedObject) -> Kind? {
    switch word {
    case .instruction: return .instruction
    case .completion: return .completion
    case .rest: return .rest(ActiveStep.read(object))
    case .music: return MusicStep.read(object).map(Kind.music)
    case nil:
      // The times and recorders of a step of unknown kind can still be checked.
      _ = ActiveStep.read(object)
      return nil
    }
  }
}
