import Basics
import Bundles
package import Quantities

/// The metadata of samples from trials, by the names that commands and tables use.
package enum SampleKey: Sendable {
  /// The names, with the metadata keys.
  package static let all: [(name: String, key: String)] = [
    ("participant", Metadata.Key.participant), ("session", BundleSamples.Key.session),
    ("trial", BundleSamples.Key.trial), ("step", BundleSamples.Key.step), ("clip", BundleSamples.Key.clip),
    ("recorder", BundleSamples.Key.recorder),
  ]

  /// The metadata key for a name; any other name is itself a metadata key.
  package static func named(_ name: String) -> String { all.first { $0.name == name }?.key ?? name }
}

extension Metadata.Value {
  /// The value as text for people and tables.
  package var text: String {
    switch self {
    case .string(let text): text
    case .number(let number): number.brief
    case .bool(let flag): "\(flag)"
    case .date(let time): time.precise
    case .quantity(let quantity): quantity.plainText
    }
  }
}
