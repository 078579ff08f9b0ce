extension Chart {
  /// Renders the chart as an SVG document or as an element of an HTML page.
  ///
  /// The same chart at the same size gives the same bytes on all computers. The picture has the role `img`, a title and
  /// a description.
  ///
  /// - Parameters:
  ///   - size: the picture's size, unless the page sets another.
  ///   - letters: the size of its letters, in points.
  ///   - appearance: the background.
  ///   - identifier: the prefix of the element IDs of its title and description; unique within a page.
  /// - Returns: the SVG document.
  package func svg(
    size: CanvasSize = .standard, letters: Double = CanvasSize.letters, appearance: Appearance = .light,
    identifier: String = "chart"
  ) -> String {
    picture(size: size, letters: letters, appearance: appearance, identifier: identifier).svg
  }

  /// Renders the chart as ``svg(size:letters:appearance:identifier:)`` does, and names the parts that there is no room
  /// for.
  package func picture(
    size: CanvasSize, letters: Double, appearance: Appearance, identifier: String = "chart"
  ) -> (svg: String, partsLeftOut: [ChartPart]) {
    let drawing = figure.page(size: size, letters: letters)
    return (SVGWriter.write(drawing, appearance: appearance, identifier: identifier), drawing.partsLeftOut)
  }

  /// Renders the chart for a terminal: lines of braille and text, at most `columns` wide.
  ///
  /// - Parameters:
  ///   - columns: at least 20.
  ///   - rows: at least 5.
  /// - Returns: `rows` lines, each with a line end.
  package func braille(columns: Int = 80, rows: Int = 20) -> String {
    BrailleCanvas.print(figure, columns: max(20, min(columns, 1000)), rows: max(5, min(rows, 500)))
  }
}

extension Figure {
  /// Lays the chart out with letters of some size: in a layout that is as much larger, or smaller, as they are smaller or
  /// larger than those of the style.
  fileprivate func page(size: CanvasSize, letters: Double) -> Drawing {
    let magnification = letters / CanvasSize.letters
    let own = CanvasSize(width: size.width / magnification, height: size.height / magnification)
    var drawing = drawing(size: own, style: .page, ruler: PageRuler())
    drawing.magnification = magnification
    return drawing
  }
}

extension CanvasSize {
  /// The default size, for the width of a printed page.
  package static let standard = CanvasSize(width: 760, height: 380)

  /// The default size of a picture's letters, in points.
  package static let letters = 12.0
}

/// The background of an SVG.
package enum Appearance: String, CaseIterable, Sendable {
  case light
  /// Nearly black.
  case dark
  /// Follows the reader's colour scheme on screen; white in print.
  case automatic
}
