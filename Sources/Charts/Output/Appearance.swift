/// On which ground an SVG is drawn.
package enum Appearance: Sendable {
  /// On white.
  case light
  /// On nearly black.
  case dark
  /// On white, and on nearly black for those who prefer dark pages on their screen; print stays white.
  case automatic
}
