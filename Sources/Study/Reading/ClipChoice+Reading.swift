import Basics

extension ClipChoice {
  /// Reads `clip`: a draw or a name; `nil` after reporting a problem.
  static func read(_ place: Located) -> ClipChoice? {
    let shapes = "{\"choose\": \"random\"} or {\"name\": \"…\"}"
    guard let object = place.object(shapes) else { return nil }
    object.refuseKeys(beside: .clip)
    let way = object["choose"]?.word("a way to choose", among: ["random", "condition"])
    let name = object["name"]?.name("the name of a clip")
    let pool = ClipPool.read(object)
    if object["name"] != nil {
      for key in ["choose"] + ClipPool.keys {
        object[key]?.report("“name” plays one clip and “\(key)” belongs to a draw; keep one of them")
      }
      return name.map(ClipChoice.named)
    }
    guard object["choose"] != nil else {
      place.report("neither “choose” nor “name” says which clip; write \(shapes)")
      return nil
    }
    guard way != "condition" else {
      for key in ClipPool.keys {
        object[key]?.report("the trial's condition says which clips there are; put “\(key)” into the design")
      }
      return .condition
    }
    return pool.map(ClipChoice.random)
  }
}
