import Basics
import Quantities

extension ActiveStep {
  /// Reads which keys are recorded.
  mutating func readKeys(_ object: LocatedObject) {
    guard let place = object["keys"], let elements = place.filledElements("an array of keys", atMost: 100) else {
      return
    }
    Located.refuseRepetition(elements, of: "key")
    keys = elements.compactMap { element in
      guard let name = element.name("a key, such as “a” or “space”") else { return nil }
      guard KeyName(rawValue: name) != nil || name.count == 1 && name != " " else {
        element.report(
          "\(element.node.phrase) is not a key: a single character, or "
            + KeyName.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", "))
        return nil
      }
      return name
    }
    if keys.contains(KeyName.enter.rawValue), shouldUseNextAsSkipButton || stepDuration == .zero {
      place.report("Return ends this step, and is not recorded; leave “enter” out")
    }
  }

  /// Reports a second rating, and keys that move the mark of the first.
  func checkRating(_ object: LocatedObject) {
    let ratings = recorderConfigurations.filter { $0.quantityType == .continuousRating }
    if ratings.count > 1 {
      object["recorderConfigurations"]?
        .report("a step has one continuousRating, since the arrow keys move a single mark")
    } else if !ratings.isEmpty, keys.contains(where: KeyName.arrows.contains) {
      object["keys"]?.report("the arrow keys move the mark of the continuousRating; leave them out")
    }
  }
}
