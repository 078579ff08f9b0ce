import JSON
import Quantities

extension Duration {
  /// Its nanoseconds, held within ±2^53 so that every reader of JSON sees the same number.
  var exactNanoseconds: Int64 { max(-(1 << 53), min(1 << 53, nanoseconds)) }
}

extension JSONValue {
  /// A duration in whole nanoseconds, held within ±2^53.
  static func nanoseconds(_ duration: Duration) -> JSONValue { .integer(duration.exactNanoseconds) }

  /// A number that JSON has a text for; `nil` for the others.
  static func finite(_ number: Double) -> JSONValue? { number.isFinite ? .number(number) : nil }

  /// A seed: a number up to 2^53, a string of decimal digits above.
  static func seed(_ seed: UInt64) -> JSONValue { seed <= 1 << 53 ? .integer(seed) : .string(String(seed)) }
}

extension [String: JSONValue] {
  /// The members whose value is known.
  static func known(_ members: [String: JSONValue?]) -> Self { members.compactMapValues { $0 } }
}

/// JSON text that is written piece by piece, where a tree would cost too much.
struct TextBytes {
  private(set) var bytes: [UInt8] = []

  init(reserving capacity: Int) { bytes.reserveCapacity(capacity) }

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func append(_ number: Int64) { bytes.append(contentsOf: String(number).utf8) }

  /// As ``JSONValue/encoded(pretty:)`` writes it.
  mutating func append(_ number: Double) {
    if number == number.rounded(), number.magnitude <= 9_007_199_254_740_992 {
      append(Int64(number))
    } else {
      bytes.append(contentsOf: number.description.utf8)
    }
  }

  mutating func append(quoted text: String) { bytes.append(contentsOf: JSONValue.string(text).encoded()) }
}
