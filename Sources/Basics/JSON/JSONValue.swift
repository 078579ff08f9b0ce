/// A JSON value without positions: for output, and for input that has been validated.
package enum JSONValue: Hashable, Sendable {
  /// The literal `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number; every number in our formats is exact as a double (no epoch nanoseconds).
  case number(Double)
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Members by key; their order is not kept.
  case object([String: JSONValue])

  /// Creates an integer.
  ///
  /// - Precondition: its magnitude is at most 2^53, so that every reader sees the same number.
  package static func integer(_ value: some BinaryInteger) -> JSONValue {
    precondition(value.magnitude <= 1 << 53, "a JSON number above 2^53 would not survive its readers")
    return .number(Double(value))
  }

  /// The member of an object with this key; `nil` if it is missing, or this is not an object.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[key]
  }

  package var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  /// The number, if this is one.
  package var number: Double? {
    guard case .number(let value) = self else { return nil }
    return value
  }

  /// The number as an integer, if this is an integer within ±2^53.
  package var integer: Int? {
    guard let value = number, value == value.rounded(), value.magnitude <= 9_007_199_254_740_992 else { return nil }
    return Int(value)
  }

  /// The Boolean, if this is one.
  package var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The elements, if this is an array.
  package var array: [JSONValue]? {
    guard case .array(let value) = self else { return nil }
    return value
  }

  /// The members, if this is an object.
  package var object: [String: JSONValue]? {
    guard case .object(let value) = self else { return nil }
    return value
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  /// `"text"`.
  package init(stringLiteral value: String) { self = .string(value) }
  /// `true`.
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  /// `72`.
  package init(integerLiteral value: Int) { self = .integer(value) }
  /// `72.5`.
  package init(floatLiteral value: Double) { self = .number(value) }
  /// `[1, 2]`.
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// `["key": 1]`.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(uniqueKeysWithValues: elements))
  }
  /// `nil`, JSON's null.
  package init(nilLiteral: ()) { self = .null }
}

extension JSONValue {
  /// A string; `null` for `nil`.
  package static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// A number; `null` for `nil`, and for infinities and NaN.
  package static func finite(_ number: Double?) -> JSONValue {
    number.flatMap { $0.isFinite ? .number($0) : nil } ?? .null
  }
}
