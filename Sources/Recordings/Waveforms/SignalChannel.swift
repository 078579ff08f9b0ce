package import Quantities

/// One signal of a file.
package struct SignalChannel: Hashable, Sendable {
  /// Its name in the file: `EKG`, `MLII`.
  package let label: String
  /// The unit as the file writes it: `uV`.
  package let unit: String
  /// The number of samples per second, in Hz.
  package let rate: Double

  /// The quantity that the name says; `nil` for any other.
  package var quantity: QuantityType? {
    let words = label.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    if words.contains(where: Self.isOfElectrocardiogram) { return .electrocardiogram }
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

  private static func isOfElectrocardiogram(_ word: String) -> Bool {
    let leads = [
      "ecg", "ekg", "electrocardiogram", "i", "ii", "iii", "avr", "avl", "avf", "mli", "mlii", "mliii",
      "modifiedleadii",
    ]
    if leads.contains(word) { return true }
    // The chest leads: V1 to V9.
    return word.count == 2 && word.first == "v" && (word.last?.isNumber ?? false)
      || word.hasPrefix("ecg") || word.hasPrefix("ekg")
  }

  /// How many m/s² the unit of an acceleration is, where it is one of standard gravity: `g`, `mG`; `nil` for any other.
  package var standardGravity: Float? {
    switch unit.lowercased().filter({ !$0.isWhitespace }) {
    case "g": 9.80665
    case "mg": 0.00980665
    default: nil
    }
  }

  /// The unit of the station that is meant; `nil` for one that is not known.
  package var knownUnit: Unit? {
    let text = unit.replacing(/\s/, with: "")
    if let unit = try? Unit(text) { return unit }
    guard let first = text.first, ["u", "µ", "μ"].contains(first) else { return nil }
    return try? Unit("mc\(text.dropFirst())")
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
package struct SignalAnnotation: Hashable, Sendable {
  /// Its time in seconds since the file's beginning.
  package let time: Double
  /// What it says: `N`, `Recording starts`.
  package let text: String
  /// Whether it marks a heartbeat.
  package let isBeat: Bool
}
