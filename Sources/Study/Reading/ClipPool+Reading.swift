import Basics

extension ClipPool {
  static let keys: [String] = ["from", "mood", "tag", "folder"]

  /// Reads a pool of its own object; `nil` after reporting a problem.
  static func read(_ place: Located) -> ClipPool? {
    guard let object = place.object("an object with “from”, “mood”, “tag” or “folder”, or “silence”") else {
      return nil
    }
    object.refuseKeys(beside: .pool)
    return read(object)
  }

  /// Reads the keys of a pool from an object that may have others.
  static func read(_ object: LocatedObject) -> ClipPool? {
    let names = object["from"].flatMap(readNames)
    let mood = object["mood"]?.name("a mood")
    let tags = object["tag"].flatMap(readTags) ?? []
    let folder = object["folder"].flatMap(readFolder)
    return ClipPool(names: names, mood: mood, tags: tags, folder: folder)
  }

  private static func readTags(_ place: Located) -> [String]? {
    if place.quietString != nil { return place.name("a tag").map { [$0] } }
    return place.filledElements("a tag, or an array of tags", atMost: 100)?.compactMap { $0.name("a tag") }
  }

  private static func readFolder(_ place: Located) -> String? {
    guard let name = place.name("a folder inside the folder of clips") else { return nil }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }) else {
      place.report("\(place.node.phrase) is not the name of a folder that lies in the folder of clips")
      return nil
    }
    if let problem = ParticipantFolder.problem(with: name) {
      place.report(problem)
      return nil
    }
    return name
  }

  private static func readNames(_ place: Located) -> [String]? {
    guard let elements = place.elements("an array of clip names", atMost: StudyProtocolReader.maxNames) else {
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
