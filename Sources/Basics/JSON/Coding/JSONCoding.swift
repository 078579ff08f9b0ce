/// Why a JSON value is not what a type wants.
package struct JSONCodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where the value is.
  package let path: JSONPointer
  /// What is wrong with it.
  package let reason: String

  /// An error at a path.
  package init(path: JSONPointer, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// `/clip/frames: expected a whole number from 0 to 9007199254740992`.
  package var description: String { path.parts.isEmpty ? reason : "\(path): \(reason)" }
}

/// A type whose members stand among those of the object that holds it, instead of in an object of their own.
package protocol FlatInJSON: Codable {}

/// An enumeration whose cases are objects: one member holds the key of the case, the others its associated values.
///
/// `case lost(count: Int)` of a type with the tag `kind` is `{"kind":"lost","count":3}`; the members of a value without a label
/// stand there as well. A case `unknown`, with a value of the tag's name, takes every key that is not known here.
package protocol TaggedInJSON: Codable {
  /// The name of the member that holds the key of the case.
  static var jsonTag: String { get }
}

/// A type whose value is known where a file says nothing of it, as earlier ones may.
package protocol DefaultInJSON: Decodable {
  /// The value for a member that is missing.
  static var jsonDefault: Self { get }
}

/// A choice that is known by its name in JSON, whatever else it is in Swift.
package protocol NamedInJSON: Codable {
  /// The choice's name.
  var name: String { get }

  /// The choice of that name.
  init?(name: String)
}

/// A type of which a decoded value may be wrong although its members are right.
package protocol CheckedInJSON: Decodable {
  /// What is wrong with it; `nil` for a right one.
  var jsonProblem: String? { get }
}

/// A key or an index of a coding path.
struct JSONKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
  init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }

  /// The key of an associated value without a label.
  static let unlabelled = "_0"

  /// The member's name: durations have their unit in it, as `onset_ns`.
  static func name<Value>(of key: some CodingKey, for type: Value.Type) -> String {
    type == Duration.self ? "\(key.stringValue)_ns" : key.stringValue
  }
}
