/// The form of an output.
package enum OutputForm: Sendable {
  /// Text for people.
  case people
  /// JSON.
  case json
  /// A table of comma-separated values.
  case csv
}
