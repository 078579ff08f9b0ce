/// Where listings are printed.
package protocol Printer: Sendable {
  /// Prints a line for people; control characters are escaped.
  func line(_ text: String)

  /// Prints bytes unchanged.
  func write(_ bytes: [UInt8])

  /// Prints a problem, apart from the listing.
  func report(_ text: String)
}
