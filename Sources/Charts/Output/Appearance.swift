/// The background of an SVG.
package enum Appearance: String, CaseIterable, Sendable {
  /// White.
  case light
  /// Nearly black.
  case dark
  /// Follows the reader's colour scheme on screen; white in print.
  case automatic
}
