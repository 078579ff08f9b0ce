/// A JSON value does not match the type to decode.
package struct JSONCodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the value.
  let path: JSONPointer
  let reason: String

  /// `/clip/frames: expected a whole number from 0 to 9007199254740992`.
  package var description: String { path.parts.isEmpty ? reason : "\(path): \(reason)" }
}

/// Any JSON is a member as it is; the coders of this module, the only ones that can, take it without asking it.
extension JSONValue: Codable {
  private static let foreign = JSONCodingError(path: .root, reason: "a foreign coder cannot code any JSON")

  /// Throws: this module's decoder does not call it.
  package init(from decoder: any Decoder) throws { throw Self.foreign }

  /// Throws: this module's encoder does not call it.
  package func encode(to encoder: any Encoder) throws { throw Self.foreign }
}

/// A type whose members are encoded directly in the enclosing object, instead of in a nested one.
package protocol FlatInJSON: FormedInJSON, Codable {}

/// An enumeration whose cases are encoded as objects: one member holds the name of the case, the others its associated
/// values.
///
/// With the tag `kind`, `case lost(count: Int)` becomes `{"kind":"lost","count":3}`; the members of an unlabelled value
/// are inlined too. A case `unknown`, with a value labelled like the tag, receives every unknown name.
package protocol TaggedInJSON: FormedInJSON, Codable {
  /// The name of the member that holds the name of the case.
  static var jsonTag: String { get }
}

/// A type that is represented by its name in JSON, whatever its raw value in Swift.
package protocol NamedInJSON: FormedInJSON, ScalarInJSON, Codable {
  var name: String { get }

  init?(name: String)
}

/// A type that validates decoded values beyond their single members.
package protocol CheckedInJSON: FormedInJSON, Decodable {
  /// The problem with the value; `nil` if it is valid.
  var jsonProblem: String? { get }
}

/// A key or an index in a coding path.
struct JSONKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
  init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }

  /// The key of an unlabelled associated value.
  static let unlabelled = "_0"

  /// The member's name; those of durations end with the unit, as in `onset_ns`.
  static func name<Value>(of key: some CodingKey, for type: Value.Type) -> String {
    type == Duration.self ? "\(key.stringValue)_ns" : key.stringValue
  }
}

extension TaggedInJSON where Self: CustomStringConvertible {
  /// The value as an object with its sentence for people: `{"caveat":"gaps","count":1,…,"text":"There is a gap …"}`.
  package var json: JSONValue {
    guard case .object(var members)? = try? JSONValue(encoding: self) else { return .null }
    members["text"] = .string(description)
    return .object(members)
  }
}
