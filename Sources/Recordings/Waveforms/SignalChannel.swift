package import Quantities

/// One signal of a file.
package struct SignalChannel: Hashable, Sendable {
  /// Its name in the file: `EKG`, `MLII`.
  package let label: String
  /// The unit as the file writes it: `uV`.
  package let unit: String
  /// The number of samples per second, in Hz.
  package let rate: Double
  /// Whether the file says what its numbers are in the unit.
  package var hasRange = true

  /// The quantity that the name says; `nil` for any other.
  package var quantity: QuantityType? {
    let words = label.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    if Self.areOfElectrocardiogram(words) { return .electrocardiogram }
    if words.contains(where: { ["ppg", "pleth", "plethysmogram", "pulse", "bvp", "photoplethysmogram"].contains($0) }) {
      return .photoplethysmogram
    }
    if words.contains(where: { ["eda", "gsr", "scl", "electrodermal"].contains($0) }) {
      return QuantityType(channel: "skinConductance")
    }
    if words.contains(where: { ["resp", "rsp", "respiration", "breathing", "thorax"].contains($0) }) {
      return .respiration
    }
    if words.contains(where: { ["acc", "accel", "acceleration", "accelerometer"].contains($0) }) {
      return .acceleration
    }
    return nil
  }

  /// What a signal of a quantity is called in a file: `ECG`, as EDF+ says; its channel's name where there is no word.
  package static func label(of type: QuantityType) -> String {
    switch type {
    case .electrocardiogram: "ECG"
    case .photoplethysmogram: "PPG"
    case .respiration: "Resp"
    case .acceleration: "Acc"
    default: type.channelName
    }
  }

  /// Whether words name an electrocardiogram, or nothing but one of its leads: other signals have an “I” in their name.
  private static func areOfElectrocardiogram(_ words: [String]) -> Bool {
    if words.contains(where: { word in ["ecg", "ekg", "electrocardiogr"].contains { word.hasPrefix($0) } }) {
      return true
    }
    let leads = ["i", "ii", "iii", "avr", "avl", "avf", "mli", "mlii", "mliii", "modifiedleadii"]
    let (named, others) = (words.filter(isLead), words.filter { !isLead($0) })
    func isLead(_ word: String) -> Bool {
      // The chest leads: V1 to V9.
      leads.contains(word) || word.count == 2 && word.first == "v" && (word.last?.isNumber ?? false)
    }
    return !named.isEmpty && others.allSatisfy { ["lead", "channel", "ch", "chan", "signal", "raw"].contains($0) }
  }

  /// How many m/s² the unit of an acceleration is, where it is one of standard gravity: `g`, `mG`; `nil` for any other.
  package var standardGravity: Float? {
    switch unit.lowercased().filter({ !$0.isWhitespace }) {
    case "g": 9.80665
    case "mg": 0.00980665
    default: nil
    }
  }
}

/// Consecutive samples of one signal.
package struct SignalBlock: Hashable, Sendable {
  /// The number of the signal in the file, from 0.
  package let signal: Int
  /// The time of the first sample in seconds since the file's beginning.
  package let time: Double
  /// The samples in the signal's unit; not a number where one is missing.
  package let values: [Float]
}

/// A remark on an instant of a recording, as files have them beside the samples.
struct SignalAnnotation: Hashable, Sendable {
  /// Its time in seconds since the file's beginning.
  let time: Double
  /// What it says: `N`, `Recording starts`.
  let text: String
  /// Whether it marks a heartbeat.
  let isBeat: Bool
}
