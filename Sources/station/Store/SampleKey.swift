import Basics
import Bundles
import Quantities

/// What samples of trials say of themselves, by the names that commands and tables have for it.
enum SampleKey {
  /// The names, with the metadata keys.
  static let all: [(name: String, key: String)] = [
    ("participant", Metadata.Key.participant), ("session", BundleSamples.Key.session),
    ("trial", BundleSamples.Key.trial), ("step", BundleSamples.Key.step), ("clip", BundleSamples.Key.clip),
    ("recorder", BundleSamples.Key.recorder),
  ]

  /// The metadata key of that name; the name itself where it is none, as metadata keys can be named as they are.
  static func named(_ name: String) -> String { all.first { $0.name == name }?.key ?? name }
}

extension Metadata.Value {
  /// The value as a text for people and tables.
  var text: String {
    switch self {
    case .string(let text): text
    case .number(let number): SampleRendering.number(number)
    case .bool(let flag): "\(flag)"
    case .date(let time): time.precise
    case .quantity(let quantity): quantity.plainText
    }
  }
}
