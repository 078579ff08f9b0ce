import Basics
import Quantities

/// The names that a sender gives its channels, each looked up once.
struct ChannelNames: Sendable {
  /// A sender with more names is only read more slowly.
  private static let maxCount = 1000
  /// The number of unknown names that are reported.
  private static let maxReported = 20

  private var known: [String: Channel] = [:]
  private var unknown: Set<String> = []
  /// Whether there were more unknown names than are reported.
  private var hasMore = false
  private var reports: [String] = []

  /// The channel of a name; an unknown name is reported once, as long as they are few.
  mutating func channel(_ name: String) -> Channel? {
    if let channel = known[name] { return channel }
    if unknown.contains(name) { return nil }
    guard let channel = Channel(named: name) else {
      if unknown.count < Self.maxReported {
        unknown.insert(name)
        reports.append(Self.report(name))
      } else if !hasMore {
        hasMore = true
        reports.append("sends more names of no channel, which are ignored without further reports")
      }
      return nil
    }
    if known.count < Self.maxCount { known[name] = channel }
    return channel
  }

  /// The reports on unknown names since the last call, worded as predicates.
  mutating func takeReports() -> [String] {
    defer { reports = [] }
    return reports
  }

  private static func report(_ name: String) -> String {
    let quantity = name.prefix { $0 != "_" }
    let near = Spelling.nearest(to: String(quantity), among: QuantityType.recordable.map(\.channelName))
    let advice =
      QuantityType(channel: String(quantity)) != nil
      ? "; \(quantity) is not measured in “\(name.dropFirst(quantity.count + 1).visible)”"
      : near.map { "; did it mean “\($0)”?" } ?? ""
    return "sends “\(String(name.prefix(40)).visible)”, which is ignored because it names no channel\(advice)"
  }
}

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
