import Basics
import Bundles
import Quantities

/// The metadata of samples from trials, by the names that commands and tables use.
enum SampleKey {
  /// The names, with the metadata keys.
  static let all: [(name: String, key: String)] = [
    ("participant", Metadata.Key.participant), ("session", BundleSamples.Key.session),
    ("trial", BundleSamples.Key.trial), ("step", BundleSamples.Key.step), ("clip", BundleSamples.Key.clip),
    ("recorder", BundleSamples.Key.recorder),
  ]

  /// The metadata key for a name; any other name is itself a metadata key.
  static func named(_ name: String) -> String { all.first { $0.name == name }?.key ?? name }
}

extension Metadata.Value {
  /// The value as text for people and tables.
  var text: String {
    switch self {
    case .string(let text): text
    case .number(let number): number.brief
    case .bool(let flag): "\(flag)"
    case .date(let time): time.precise
    case .quantity(let quantity): quantity.plainText
    }
  }
}
