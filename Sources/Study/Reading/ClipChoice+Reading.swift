import Basics

extension ClipChoice {
  /// Reads `clip`: a draw or a name; `nil` after reporting a problem.
  static func read(_ place: Located) -> ClipChoice? {
    let shapes = "{\"choose\": \"random\"} or {\"name\": \"…\"}"
    guard let object = place.object(shapes) else { return nil }
    object.refuseKeys(beside: .clip)
    _ = object["choose"]?.word("a way to choose", among: ["random"])
    let name = object["name"]?.name("the name of a clip")
    let names = object["from"].flatMap(readNames)
    let mood = object["mood"]?.name("a mood")
    if object["name"] != nil {
      for key in ["choose", "from", "mood"] {
        object[key]?.report("“name” plays one clip and “\(key)” belongs to a draw; keep one of them")
      }
      return name.map(ClipChoice.named)
    }
    guard object["choose"] != nil else {
      place.report("neither “choose” nor “name” says which clip; write \(shapes)")
      return nil
    }
    return .random(from: names, mood: mood)
  }

  private static func readNames(_ place: Located) -> [String]? {
    guard let elements = place.elements("an array of clip names", atMost: StudyProtocolReader.mostNames) else {
      return nil
    }
    if elements.isEmpty { place.report("nothing to draw from; name clips, or leave “from” out to draw from all") }
    var seen: Set<String> = []
    return elements.compactMap { element in
      guard let name = element.name("the name of a clip") else { return nil }
      if !seen.insert(name).inserted {
        element.report("“\(name.shortened)” is given twice; every name is drawn with the same chance")
      }
      return name
    }
  }
}
