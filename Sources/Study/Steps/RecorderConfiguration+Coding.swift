import Basics
import Quantities

extension RecorderConfiguration: FlatInJSON {
  private enum CodingKeys: String, CodingKey {
    case identifier, quantityType, unit, settle, motionContext, scope
  }

  /// Decodes a configuration from a journal.
  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let type = try members.decode(String.self, forKey: .quantityType)
    guard let quantityType = QuantityType(healthKit: type) else {
      throw DecodingError.dataCorruptedError(
        forKey: .quantityType, in: members, debugDescription: "no sensor records a quantity type “\(type)”")
    }
    let symbol = try members.decode(String.self, forKey: .unit)
    guard let unit = try? Unit(symbol), unit.isCompatible(with: quantityType.defaultUnit) else {
      throw DecodingError.dataCorruptedError(
        forKey: .unit, in: members, debugDescription: "“\(symbol)” is not a unit of \(quantityType)")
    }
    let settle = try members.decode(Duration.self, forKey: .settle)
    guard settle >= .zero else {
      throw DecodingError.dataCorruptedError(
        forKey: .settle, in: members, debugDescription: "“settle_ns” is negative")
    }
    self.init(
      identifier: try members.decode(String.self, forKey: .identifier), quantityType: quantityType, unit: unit,
      settle: settle,
      motionContext: try members.decodeIfPresent(Metadata.MotionContext.self, forKey: .motionContext) ?? .notSet)
    scope = try members.decodeIfPresent(Scope.self, forKey: .scope) ?? .step
    guard namesFile else {
      throw DecodingError.dataCorruptedError(
        forKey: .identifier, in: members, debugDescription: "“\(identifier)” cannot be the name of a file of samples")
    }
  }

  /// Encodes the configuration.
  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(identifier, forKey: .identifier)
    try members.encode(quantityType.identifier, forKey: .quantityType)
    try members.encode(unit.symbol, forKey: .unit)
    try members.encode(settle, forKey: .settle)
    try members.encodeIfPresent(scope == .step ? nil : scope, forKey: .scope)
    try members.encodeIfPresent(motionContext == .notSet ? nil : motionContext, forKey: .motionContext)
  }
}
