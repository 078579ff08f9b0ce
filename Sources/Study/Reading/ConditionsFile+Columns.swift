import Basics

/// The names of columns: each is a property of conditions, or a factor.
extension ConditionsFile {
  /// What a column is called that is a factor although it is called almost like a property: `factor:sound`.
  static let prefix = "factor:"

  /// What a column of this name says; a name with a ``problem(with:)`` counts as a factor.
  static func heading(_ name: String) -> Heading {
    if name.isEmpty { return .nameless }
    if let property = property(called: name) { return .property(property) }
    return .factor(factor(called: name) ?? name)
  }

  /// The property with this name, whatever its capitals.
  static func property(called name: String) -> Property? { Property(rawValue: name.lowercased()) }

  /// The factor that a name says to be one: `factor:sound`, `Factor : sound`.
  static func factor(called name: String) -> String? {
    guard let colon = name.firstIndex(of: ":"), trimmed(name[..<colon]).lowercased() + ":" == prefix else { return nil }
    return trimmed(name[colon...].dropFirst())
  }

  /// What a name that is nearly that of a factor likely stands for: `factor_sound`, `facotr:sound`.
  private static func likelyFactor(_ name: String) -> String? {
    guard let place = name.firstIndex(where: { ":;_-. ".contains($0) }) else { return nil }
    let (lead, rest) = (trimmed(name[..<place]).lowercased(), trimmed(name[place...].dropFirst()))
    // “factor_1” and “factor_A” are names of their own.
    guard !rest.isEmpty, name[place] == ":" || rest.count > 1 && !rest.allSatisfy(\.isNumber) else { return nil }
    let distance = Spelling.distance(Array(lead), Array(prefix.dropLast()))
    return distance == 0 || name[place] == ":" && distance <= 2 ? prefix + rest : nil
  }

  /// Why a column cannot have this name; `nil` if it can.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - properties: the properties that are columns of the table.
  ///   - levels: the cells of the column that are not blank.
  /// - Returns: the reason, with what the name likely stands for.
  static func problem(with name: String, beside properties: Set<Property>, _ levels: [String]) -> String? {
    if let factor = factor(called: name) {
      return factor.isEmpty ? "the factor has no name; write one after “\(prefix)”" : nil
    }
    guard !name.isEmpty, property(called: name) == nil else { return nil }
    let escape = "a factor of this name is written “\(prefix)\(name.shortened)”"
    if let near = likelyFactor(name) ?? (likely(name) ?? likely(name, beside: properties, levels))?.rawValue {
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
        "piece", "excerpt", "media", "from", "klip", "reiz", "datei", "musikstück", "musikdatei", "fichier", "morceau",
        "archivo", "tune", "src", "url", "m4a", "ogg", "aiff",
      ]
    ),
    (.condition, ["cond", "name", "trialtype"]), (.tag, ["keyword"]),
    (.picture, ["image", "img", "bild", "photo", "foto"]), (.folder, ["directory", "dir"]),
    (.marker, ["trigger", "trig", "code", "eventcode", "portcode", "ttl", "lpt"]),
  ]

  /// Words that may also be factors, folded: of moods beside a column that draws clips, of markers above codes.
  private static func likely(_ name: String, beside properties: Set<Property>, _ levels: [String]) -> Property? {
    let name = fold(name)
    if properties.isDisjoint(with: [.clip, .mood]), !properties.isDisjoint(with: [.folder, .tag]),
      ["emotion", "émotion", "stimmung"].contains(name)
    {
      return .mood
    }
    let areCodes = !levels.isEmpty && levels.allSatisfy { Int($0).map(MarkerCodes.range.contains) ?? false }
    let isOfMarkers = ["port", "event", "eeg", "eegcode"].contains(name)
    return areCodes && isOfMarkers && !properties.contains(.marker) ? .marker : nil
  }

  /// What names in other programs end with: `soundFile`, `trigger_code`, `stim1`.
  private static let endings = ["file", "name", "path", "code", "value", "id", "s"]

  /// The property that a name likely stands for: another word for it, a plural, or a misspelling.
  private static func likely(_ name: String) -> Property? {
    var stem = fold(name)
    while true {
      let known = otherNames.first { $0.names.contains { looks(stem, like: $0) } }?.property
      let own = Property.allCases.first { looks(stem, like: $0.rawValue) }
      if let property = known ?? own { return property }
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

  /// Whether a name is another one, or differs only in letters of other scripts, such as a Cyrillic “с”.
  private static func looks(_ name: String, like known: String) -> Bool {
    guard name != known else { return true }
    // What follows Latin in Unicode begins with Greek.
    func isForeign(_ letter: Character) -> Bool { letter.unicodeScalars.contains { $0.value >= 0x370 } }
    return name.count == known.count && zip(name, known).allSatisfy { $0 == $1 || isForeign($0) }
      && zip(name, known).contains { $0 == $1 }
  }

  private static func fold(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
}
