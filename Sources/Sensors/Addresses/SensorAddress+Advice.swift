import Basics

/// What people are told who cannot name their sensor, or whose sensor does not answer.
extension SensorAddress {
  /// Where the addresses are found.
  package static let advice =
    "“station sensors” lists the sensors in reach and what to type for each; others are lines:exec:COMMAND, "
    + "lines:tcp://HOST:PORT, replay:FILE, and “simulated” for a rehearsal"

  /// What to do about a sensor that does not answer.
  ///
  /// - Parameter text: its address as written.
  /// - Returns: what comes after “cannot record …; ”.
  package static func remedy(of text: String) -> String {
    ((try? SensorAddress(text))?.kind ?? RatingKeys()).remedy
  }

  /// Whether it sends lines of text.
  package var sendsLines: Bool { kind.sendsLines }

  /// The kind of address for the name of a device, a maker or a program; `nil` for other words.
  static func meant(by words: String) -> String? {
    let named = Set(words.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
    let fitting = SensorTransport.all.flatMap(\.nicknames).filter { !named.isDisjoint(with: $0.words) }
    return (fitting.first { !$0.isVague } ?? fitting.first)?.address
  }
}
