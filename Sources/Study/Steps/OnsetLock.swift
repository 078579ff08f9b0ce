import Basics
import Quantities

/// That a clip begins at a set delay after a heartbeat: after an R peak.
package struct OnsetLock: Hashable, Sendable {
  /// How the heartbeat is known.
  package enum Beat: String, Hashable, Sendable, CaseIterable, Codable {
    /// It is seen in an electrocardiogram as soon as it is over.
    case detected
    /// It is predicted from the intervals before it.
    case predicted
  }

  /// How the heartbeat is known.
  package var beat: Beat
  /// The time from the R peak to the onset.
  package var delay: Duration

  /// The delays after a detected R peak, in milliseconds: a sound cannot follow it sooner.
  static let afterDetected = 50.0...2000
  /// The delays after a predicted one.
  static let afterPredicted = 0.0...2000

  /// The quantities, the best first, in which such beats are known.
  package var quantities: [String] { beat == .detected ? ["electrocardiogram"] : ["rrInterval", "heartRate"] }

  /// Creates a lock.
  package init(beat: Beat = .detected, delay: Duration) { (self.beat, self.delay) = (beat, delay) }

  /// Reads `onset`; `nil` after reporting a problem.
  static func read(_ place: Located) -> OnsetLock? {
    guard let object = place.object("an object such as {\"lockTo\": \"rPeak\", \"delay_ms\": 250}") else { return nil }
    object.refuseKeys(beside: .onset)
    let target = object.required("lockTo", "what the onset follows: “rPeak”")?
      .word("what an onset can follow", among: ["rPeak"])
    let beat =
      object["beat"]?.word("a way to know a heartbeat", among: Beat.allCases.map(\.rawValue)).flatMap(Beat.init)
    let range = beat == .predicted ? afterPredicted : afterDetected
    let delay = object.required("delay_ms", "the time from the R peak to the onset")?.milliseconds(in: range)
    guard target != nil, let delay, object["beat"] == nil || beat != nil else { return nil }
    return OnsetLock(beat: beat ?? .detected, delay: delay)
  }

  /// Reports music steps whose onset follows heartbeats that no recorder records.
  static func checkRecorders(of steps: [Located], _ place: Located) {
    func types(_ place: Located) -> [String] {
      (place.quietMember("recorderConfigurations")?.quietElements ?? [])
        .compactMap { $0.quietMember("quantityType")?.quietString }.compactMap { QuantityType(channel: $0)?.identifier }
    }
    for step in steps where step.quietKind == "music" {
      guard let onset = step.quietMember("onset") else { continue }
      let beat = onset.quietMember("beat")?.quietString.flatMap(Beat.init) ?? .detected
      let quantities = OnsetLock(beat: beat, delay: .zero).quantities
      guard Set(types(step) + types(place)).isDisjoint(with: quantities) else { continue }
      onset.report(
        "the onset follows \(beat.rawValue) heartbeats, and no recorder of the step or of the protocol records "
          + "\(quantities.joined(separator: " or ")); add one to “recorderConfigurations”, such as {\"identifier\": "
          + "\"heart\", \"quantityType\": \"\(quantities[0])\"}")
    }
  }
}
