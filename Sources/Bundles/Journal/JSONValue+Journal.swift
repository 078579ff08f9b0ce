import Basics
import Quantities

extension Duration {
  /// Its nanoseconds, held within ±2^53 so that every reader of JSON sees the same number.
  var exactNanoseconds: Int64 { max(-(1 << 53), min(1 << 53, nanoseconds)) }
}

extension JSONValue {
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
}
