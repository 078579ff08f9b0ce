/// An error while drawing a chart.
package enum ChartError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Cairo or Pango is not installed, or the library does not have a required function.
  case missingLibrary(reason: String)
  /// Cairo failed to render the picture.
  case failed(reason: String)

  /// The failed action, the reason, and the remedy.
  package var description: String {
    switch self {
    case .missingLibrary(let reason):
      "cannot draw a chart as PNG or PDF: \(reason); install libpangocairo-1.0-0 and fonts-liberation2, or draw it as SVG"
    case .failed(let reason): "cannot draw the chart: \(reason)"
    }
  }
}
