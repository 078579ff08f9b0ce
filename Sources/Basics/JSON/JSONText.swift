/// JSON text that is written piece by piece, where a tree would cost too much.
package struct JSONText: Sendable {
  /// The text so far, in UTF-8.
  package private(set) var bytes: [UInt8] = []

  /// No text.
  ///
  /// - Parameter capacity: how many bytes it will have, as far as that can be told.
  package init(reserving capacity: Int) { bytes.reserveCapacity(capacity) }

  /// Adds text as it stands.
  package mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Adds text as it stands.
  package mutating func append(_ text: [UInt8]) { bytes.append(contentsOf: text) }

  /// Adds a whole number.
  package mutating func append(_ number: Int64) { bytes.append(contentsOf: String(number).utf8) }

  /// Adds a number as ``JSONValue/encoded(pretty:)`` writes it.
  ///
  /// - Precondition: it is finite; JSON has no text for the others.
  package mutating func append(_ number: Double) {
    if number == number.rounded(), number.magnitude <= 9_007_199_254_740_992 {
      append(Int64(number))
    } else {
      bytes.append(contentsOf: number.description.utf8)
    }
  }

  /// Adds a string, quoted.
  package mutating func append(quoted text: String) { bytes.append(contentsOf: JSONValue.string(text).encoded()) }
}
