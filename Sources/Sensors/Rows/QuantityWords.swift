import Quantities

/// The words that senders have for quantities.
enum QuantityWords {
  /// The quantity behind a label or type: its own name, or a word of the field.
  static func quantity(_ word: String) -> QuantityType? {
    let folded = word.lowercased().filter { $0.isLetter || $0.isNumber }
    guard !folded.isEmpty else { return nil }
    if let name = words[folded] { return QuantityType(channel: name) }
    return names[folded]
  }

  private static let names: [String: QuantityType] = Dictionary(
    QuantityType.recordable.map { ($0.channelName.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })

  private static let words = [
    "hr": "heartRate", "bpm": "heartRate", "pulse": "heartRate", "rr": "rrInterval", "rri": "rrInterval",
    "ibi": "rrInterval", "nn": "rrInterval", "rrintervals": "rrInterval", "ecg": "electrocardiogram",
    "ekg": "electrocardiogram", "ppg": "photoplethysmogram", "bvp": "photoplethysmogram", "eda": "skinConductance",
    "gsr": "skinConductance", "scl": "skinConductance", "resp": "respiration", "rsp": "respiration",
    "acc": "acceleration", "accelerometer": "acceleration", "rating": "continuousRating", "spo2": "oxygenSaturation",
  ]
}
