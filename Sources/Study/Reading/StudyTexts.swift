import Basics

/// A study's texts in a further language, by those of the protocol, and the station's own in it.
struct StudyTexts: Hashable, Sendable {
  /// The language, as a BCP 47 tag.
  var language: String
  /// What the station itself says, where its own words are to be replaced or missing.
  var phrases: Phrases
  /// The translation of each text of the protocol.
  var texts: [String: String]

  /// The value of the key `format` in files of texts.
  static let format = "station.texts/1"
  /// The maximum number of languages.
  private static let maxLanguages = 100

  /// Reads `texts`: an object for each language.
  ///
  /// - Parameters:
  ///   - place: the languages.
  ///   - root: the protocol, whose every text needs a translation.
  /// - Returns: the translations; `nil` after reporting a problem.
  static func readAll(_ place: Located, of root: Located) -> [StudyTexts]? {
    guard let object = place.object("an object with a file for each language: {\"de\": \"texts.de.json\"}") else {
      return nil
    }
    guard object.members.count <= maxLanguages else {
      place.report("at most \(maxLanguages) languages, found \(object.members.count)")
      return nil
    }
    let shown = root.shownStrings
    return object.members.compactMap { member in
      guard let place = object[member.key] else { return nil }
      guard isLanguage(member.key) else {
        place.report("“\(member.key.shortened)” is not the tag of a language, such as “en” or “pt-BR”")
        return nil
      }
      return read(place, member.key, shown)
    }
  }

  private static func read(_ place: Located, _ language: String, _ shown: [Located]) -> StudyTexts? {
    guard let object = place.object("the path of a file of texts, or its object") else { return nil }
    object.refuseKeys(beside: .texts)
    let phrases = object["phrases"].map(Phrases.read) ?? Phrases()
    var texts: [String: String] = [:]
    let members = object["texts"]?.object("an object with a translation for each text")
    for member in members?.members ?? [] { texts[member.key] = members?[member.key]?.string() }
    let sources = shown.compactMap(\.quietString)
    if let members {
      members.refuseKeys(beside: sources) { key in
        "no step shows this text; "
          + (Spelling.nearest(to: key, among: sources).map { "did you mean “\($0.shortened)”?" }
            ?? "leave it out")
      }
    }
    var reported: Set<String> = []
    for text in shown {
      guard let source = text.quietString, texts[source] == nil, source.contains(where: \.isLetter),
        reported.insert(source).inserted
      else { continue }
      text.report("this text has no translation into “\(language)”; add it to the “texts” of that language")
    }
    guard var phrases else { return nil }
    phrases.ownLanguage = language
    if let problem = phrases.missingTexts(in: language) {
      (object["phrases"] ?? place).report(problem)
    }
    return StudyTexts(language: language, phrases: phrases, texts: texts)
  }

  /// Whether a text is the tag of a language.
  static func isLanguage(_ tag: String) -> Bool {
    let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count <= 4
      && parts.enumerated().allSatisfy { index, part in
        let isPlain = part.allSatisfy { $0.isASCII && ($0.isLetter || index > 0 && $0.isNumber) }
        return isPlain && (index == 0 ? 2...3 : 2...8).contains(part.count)
      }
  }
}

extension ProtocolObject {
  static let texts: ProtocolObject = ProtocolObject("in the texts of a language", ["phrases", "texts"])
  static let fileOfTexts: ProtocolObject = ProtocolObject(
    "at the top of a file of texts", ["$schema", "format", "language", "phrases", "texts"])
}

extension JSONNode {
  /// The node with other strings in the place of those that participants read or hear.
  ///
  /// - Parameter translate: the other string; `nil` to leave it as it is.
  /// - Returns: the node.
  func translated(_ translate: (String) -> String?) -> JSONNode {
    changingShown { node in
      guard case .string(let text) = node.content, let other = translate(text) else { return node }
      return node.with(.string(other))
    }
  }

  /// The node with every value changed that is a string which participants read or hear.
  fileprivate func changingShown(_ change: (JSONNode) -> JSONNode) -> JSONNode {
    switch content {
    case .array(let elements): return with(.array(elements.map { $0.changingShown(change) }))
    case .object(let members):
      let isQuestion = members.contains { $0.key == "kind" }
      return with(
        .object(
          members.map { member in
            switch member.key {
            case let key where key.hasPrefix("x-"): return member
            // They are translated by a file of their own, or are not shown.
            case "phrases", "texts", "design", "groups", "clip", "navigation", "skipWhen": return member
            case "unit" where !isQuestion: return member
            case "anchors":
              guard case .object(let anchors) = member.value.content else { return member }
              return member.with(member.value.with(.object(anchors.map { $0.with(change($0.value)) })))
            case let key where Self.shownKeys.contains(key):
              if case .string = member.value.content { return member.with(change(member.value)) }
              return member
            default: return member.with(member.value.changingShown(change))
            }
          }))
    default: return self
    }
  }

  private static let shownKeys: Set<String> = [
    "title", "text", "detailText", "prompt", "agreement", "spokenInstruction", "finishedSpokenInstruction", "alt",
    "unit",
  ]
}

extension Located {
  /// The strings of a protocol that participants read or hear, in the order of the file; its own title is none of them.
  fileprivate var shownStrings: [Located] {
    var places: [Located] = []
    for key in ["steps", "recorderConfigurations"] {
      guard let part = quietMember(key) else { continue }
      _ = part.node.changingShown { node in
        if case .string(let text) = node.content, !text.isEmpty {
          places.append(Located(node: node, path: part.path, problems: problems))
        }
        return node
      }
    }
    return places
  }
}

// MARK: A protocol in another language

extension StudyTexts {
  /// The protocol in this language: its steps and recorders with their translation, and the station's words as the
  /// translation has them.
  ///
  /// - Parameters:
  ///   - root: the protocol.
  ///   - problems: takes what is wrong with translations.
  /// - Returns: the protocol; `nil` after reporting a problem.
  func translation(of root: JSONNode, _ problems: ProblemList) -> (JSONNode, StudyProtocol)? {
    guard case .object(let members) = root.content else { return nil }
    let kept = members.filter { !["phrases", "texts", "language"].contains($0.key) }
    let node = root.with(
      .object(
        kept.map { member in
          ["steps", "recorderConfigurations"].contains(member.key)
            ? member.with(member.value.translated { texts[$0] }) : member
        }))
    guard var studyProtocol = StudyProtocol.read(Located(root: node, problems: problems)) else { return nil }
    (studyProtocol.language, studyProtocol.phrases) = (language, phrases)
    return (node, studyProtocol)
  }
}
