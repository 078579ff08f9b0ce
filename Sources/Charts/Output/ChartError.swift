/// Why a chart could not be drawn.
package enum ChartError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Cairo or Pango is not installed, or lacks a function.
  case missingLibrary(reason: String)
  /// Cairo could not make the picture.
  case failed(reason: String)

  /// What could not be done, why, and what helps.
  package var description: String {
    switch self {
    case .missingLibrary(let reason):
      "cannot draw a chart as PNG or PDF: \(reason); install libpangocairo-1.0-0 and fonts-liberation2, or draw it as SVG"
    case .failed(let reason): "cannot draw the chart: \(reason)"
    }
  }
}
