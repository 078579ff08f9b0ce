/// JSON text that is built piece by piece, for output where a tree would be too expensive.
package struct JSONText: Sendable {
  /// The text so far, in UTF-8.
  package private(set) var bytes: [UInt8] = []

  /// Creates an empty text.
  ///
  /// - Parameter capacity: the expected size in bytes.
  package init(reserving capacity: Int) { bytes.reserveCapacity(capacity) }

  /// Appends text verbatim.
  package mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends text verbatim.
  package mutating func append(_ text: [UInt8]) { bytes.append(contentsOf: text) }

  /// Appends an integer.
  package mutating func append(_ number: Int64) { bytes.append(contentsOf: String(number).utf8) }

  /// Appends a number as ``JSONValue/encoded(pretty:)`` writes it.
  ///
  /// - Precondition: the number is finite; JSON cannot represent others.
  package mutating func append(_ number: Double) {
    if number == number.rounded(), number.magnitude <= 9_007_199_254_740_992 {
      append(Int64(number))
    } else {
      bytes.append(contentsOf: number.description.utf8)
    }
  }

  /// Appends a string in quotes.
  package mutating func append(quoted text: String) { bytes.append(contentsOf: JSONValue.string(text).encoded()) }
}
