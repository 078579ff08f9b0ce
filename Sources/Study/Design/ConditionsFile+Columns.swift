import Basics

/// The names of columns: each is a property of conditions, or a factor.
extension ConditionsFile {
  /// What a column is called that is a factor although it is called almost like a property: `factor:sound`.
  private static let prefix = "factor:"

  /// What a column of this name says; a name with a ``problem(with:)`` counts as a factor.
  static func heading(_ name: String) -> Heading {
    if name.isEmpty { return .nameless }
    if let property = property(called: name) { return .property(property) }
    return .factor(factor(called: name) ?? name)
  }

  /// The property with this name, whatever its capitals.
  static func property(called name: String) -> Property? { Property(rawValue: name.lowercased()) }

  /// The factor that a name says to be one.
  private static func factor(called name: String) -> String? {
    guard name.lowercased().hasPrefix(prefix) else { return nil }
    return String(name.dropFirst(prefix.count).drop { $0.isWhitespace })
  }

  /// Why a column cannot have this name; `nil` if it can.
  static func problem(with name: String) -> String? {
    if let factor = factor(called: name) {
      return factor.isEmpty ? "the factor has no name; write one after “\(prefix)”" : nil
    }
    guard !name.isEmpty, property(called: name) == nil else { return nil }
    let escape = "a factor of this name is written “\(prefix)\(name.shortened)”"
    if let near = likely(name) {
      return "“\(name.shortened)” is not a column of a table of conditions; did you mean “\(near)”? \(escape)"
    }
    let folded = fold(name)
    if ["group", "groups"].contains(folded) {
      return "a table cannot say which groups have a condition; list such conditions in the protocol, or \(escape)"
    }
    if let key = keysElsewhere.first(where: { [folded, folded + "s"].contains($0.lowercased()) })
      ?? (["nreps", "reps"].contains(folded) ? "repetitions" : nil)
    {
      return "\(ProtocolObject.condition.problem(with: key)); \(escape)"
    }
    return nil
  }

  /// Keys of protocols that a table would not apply.
  private static let keysElsewhere = [
    "repetitions", "stepDuration", "whenShorter", "fadeIn", "fadeOut", "loudness", "maxRun", "minDistance",
  ]

  // MARK: Other names

  /// What the properties are called in other programs and other words, folded.
  private static let otherNames: [(property: Property, names: [String])] = [
    (
      .clip,
      [
        "file", "path", "stimulus", "stimuli", "stim", "sound", "audio", "wav", "mp3", "flac", "song", "track", "music",
        "piece", "excerpt", "media", "from",
      ]
    ),
    (.condition, ["cond", "name", "trialtype"]), (.tag, ["keyword"]), (.folder, ["directory", "dir"]),
    (.marker, ["trigger", "code", "eventcode", "portcode", "ttl"]),
  ]

  /// What names in other programs end with: `soundFile`, `trigger_code`, `stim1`.
  private static let endings = ["file", "name", "path", "code", "value", "id", "s"]

  /// The property that a name likely stands for: another word for it, a plural, or a misspelling.
  private static func likely(_ name: String) -> Property? {
    var stem = fold(name)
    while true {
      let known = otherNames.first { $0.names.contains(stem) }?.property
      if let property = known ?? (stem == fold(name) ? nil : Property(rawValue: stem)) { return property }
      let isNumbered = stem.last?.isNumber ?? false
      guard let ending = isNumbered ? 1 : endings.first(where: stem.hasSuffix)?.count, stem.count > ending + 1 else {
        break
      }
      stem.removeLast(ending)
    }
    guard let near = Spelling.nearest(to: name, among: Property.allCases.map(\.rawValue)),
      let property = Property(rawValue: near)
    else { return nil }
    // “order” and “lag” are near to “folder” and “tag”, and meant as they are: few misspell the first letter.
    let (letters, known) = (Array(fold(name)), Array(near))
    let isMisspelt =
      letters.first == known[0] || letters.first == known[1] && Spelling.distance(letters, known) == 1
    return isMisspelt || known.count > 3 && fold(name).contains(near) ? property : nil
  }

  private static func fold(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
}
