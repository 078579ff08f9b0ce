/// A wave in braille characters, without axes, for a screen that is drawn again and again.
package enum WaveLine: Sendable {
  /// Draws values at even distances, from the lowest at the bottom to the highest at the top.
  ///
  /// - Parameters:
  ///   - values: the values; only finite ones are drawn.
  ///   - columns: the number of characters in a row.
  ///   - rows: the number of rows.
  /// - Returns: the rows, without spaces at their ends.
  package static func rows(_ values: [Double], columns: Int, rows: Int) -> [String] {
    let finite = values.filter(\.isFinite)
    guard columns > 0, rows > 0, let least = finite.min(), let most = finite.max() else {
      return Array(repeating: "", count: max(0, rows))
    }
    let (width, height) = (Double(columns * 2 - 1), Double(rows * 4 - 1))
    let points = values.enumerated().filter { $0.element.isFinite }.map { index, value in
      Point(
        x: Double(index) / Double(max(1, values.count - 1)) * width,
        y: most > least ? (most - value) / (most - least) * height : height / 2)
    }
    var canvas = BrailleCanvas(columns: columns, rows: rows)
    canvas.stroke(points, dash: [], within: nil)
    return canvas.text().split(separator: "\n", omittingEmptySubsequences: false).prefix(rows).map(String.init)
  }
}
