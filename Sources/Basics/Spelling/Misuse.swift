/// An error that may lie in how a command was called, after which the process exits as after wrong usage.
package protocol Misuse: Error {
  /// Whether it lies in the call.
  var isMisuse: Bool { get }
}
