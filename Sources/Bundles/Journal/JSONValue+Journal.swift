import Basics
import Quantities

extension Duration {
  /// Its nanoseconds, held within ±2^53 so that every reader of JSON sees the same number.
  var exactNanoseconds: Int64 { max(-(1 << 53), min(1 << 53, nanoseconds)) }
}

extension JSONValue {
  /// A duration in whole nanoseconds, held within ±2^53.
  static func nanoseconds(_ duration: Duration) -> JSONValue { .integer(duration.exactNanoseconds) }

  /// The object that a value's members make.
  static func coded(_ value: some Encodable) -> JSONValue { .object(members(of: value)) }

  /// A value's members.
  static func members(of value: some Encodable) -> [String: JSONValue] {
    do {
      return try JSONValue(encoding: value).object ?? [:]
    } catch {
      preconditionFailure("what a journal holds encodes itself without fail: \(error)")
    }
  }

  /// A number that JSON has a text for; `nil` for the others.
  static func finite(_ number: Double) -> JSONValue? { number.isFinite ? .number(number) : nil }

  /// A seed: a number up to 2^53, a string of decimal digits above.
  static func seed(_ seed: UInt64) -> JSONValue { seed <= 1 << 53 ? .integer(seed) : .string(String(seed)) }
}

extension [String: JSONValue] {
  /// The members whose value is known.
  static func known(_ members: [String: JSONValue?]) -> Self { members.compactMapValues { $0 } }
}
