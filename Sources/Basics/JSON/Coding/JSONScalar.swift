/// A type that is a single value in JSON, which no container encloses.
package protocol ScalarInJSON: SendableMetatype {
  /// Creates a value from JSON.
  ///
  /// - Throws: ``JSONCodingError`` for another kind of value.
  init(scalarInJSON value: JSONValue) throws(JSONCodingError)

  var scalarInJSON: JSONValue { get }
}

extension JSONCodingError {
  /// The error of a value that is not of the wanted kind.
  static func expected(_ wanted: String) -> JSONCodingError {
    JSONCodingError(path: .root, reason: "expected \(wanted)")
  }
}

extension JSONValue: ScalarInJSON {
  package init(scalarInJSON value: JSONValue) { self = value }
  package var scalarInJSON: JSONValue { self }
}

extension String: ScalarInJSON {
  package init(scalarInJSON value: JSONValue) throws(JSONCodingError) {
    guard case .string(let text) = value else { throw .expected("a string") }
    self = text
  }

  package var scalarInJSON: JSONValue { .string(self) }
}

extension Bool: ScalarInJSON {
  package init(scalarInJSON value: JSONValue) throws(JSONCodingError) {
    guard case .bool(let truth) = value else { throw .expected("true or false") }
    self = truth
  }

  package var scalarInJSON: JSONValue { .bool(self) }
}

extension Double: ScalarInJSON {
  package init(scalarInJSON value: JSONValue) throws(JSONCodingError) {
    guard case .number(let number) = value else { throw .expected("a number") }
    self = number
  }

  package var scalarInJSON: JSONValue { .finite(self) }
}

extension Float: ScalarInJSON {
  package init(scalarInJSON value: JSONValue) throws(JSONCodingError) { self = Float(try Double(scalarInJSON: value)) }
  package var scalarInJSON: JSONValue { .finite(Double(self)) }
}

extension Duration: ScalarInJSON {
  package init(scalarInJSON value: JSONValue) throws(JSONCodingError) {
    guard let count = value.integer else { throw .expected("a whole number of nanoseconds within 2^53") }
    self = .nanoseconds(count)
  }

  package var scalarInJSON: JSONValue { .number(Double(max(-(1 << 53), min(1 << 53, nanoseconds)))) }
}

extension ScalarInJSON where Self: FixedWidthInteger {
  /// Creates a number; JSON has those from 0 to 2^53.
  package init(scalarInJSON value: JSONValue) throws(JSONCodingError) {
    guard let number = value.integer, number >= 0, let exact = Self(exactly: number) else {
      throw .expected("a whole number from 0 to \(Swift.min(UInt64(Self.max), 1 << 53))")
    }
    self = exact
  }

  package var scalarInJSON: JSONValue { .number(Swift.max(-0x1p53, Swift.min(0x1p53, Double(self)))) }
}

extension Int: ScalarInJSON {}
extension Int8: ScalarInJSON {}
extension Int16: ScalarInJSON {}
extension Int32: ScalarInJSON {}
extension Int64: ScalarInJSON {}
extension UInt: ScalarInJSON {}
extension UInt8: ScalarInJSON {}
extension UInt16: ScalarInJSON {}
extension UInt32: ScalarInJSON {}

extension UInt64: ScalarInJSON {
  package init(scalarInJSON value: JSONValue) throws(JSONCodingError) {
    if let digits = value.string {
      guard let number = UInt64(digits) else { throw .expected("a whole number from 0") }
      self = number
    } else {
      self = UInt64(try UInt(scalarInJSON: value))
    }
  }

  package var scalarInJSON: JSONValue { self <= 1 << 53 ? .number(Double(self)) : .string("\(self)") }
}

extension NamedInJSON {
  /// Creates the value that a name means.
  package init(scalarInJSON value: JSONValue) throws(JSONCodingError) {
    let name = try String(scalarInJSON: value)
    guard let value = Self(name: name) else {
      throw JSONCodingError(path: .root, reason: "“\(name)” is not known here")
    }
    self = value
  }

  package var scalarInJSON: JSONValue { .string(name) }
}
