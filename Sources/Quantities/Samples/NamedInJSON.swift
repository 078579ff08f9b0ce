/// A choice that HealthKit numbers and files name.
package protocol NamedInJSON: Codable {
  /// The choice's name, as files say it.
  var name: String { get }

  /// The choice of that name.
  init?(name: String)
}

extension NamedInJSON {
  /// Reads the name.
  package init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    guard let choice = Self(name: name) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "“\(name)” is not known here"))
    }
    self = choice
  }

  /// Writes the name.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}
