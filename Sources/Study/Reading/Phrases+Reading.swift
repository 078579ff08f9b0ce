extension Phrases {
  /// Reads `phrases`; `nil` after reporting a problem.
  static func read(_ place: Located) -> Phrases? {
    guard let object = place.object("an object with texts") else { return nil }
    object.refuseKeys(beside: .phrases)
    var own: [Phrase: String] = [:]
    for phrase in Phrase.allCases {
      if let text = object[phrase.rawValue]?.name("what is shown, in the participant's language") { own[phrase] = text }
    }
    return Phrases(own)
  }
}
