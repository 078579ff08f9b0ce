extension Chart {
  /// Renders the chart as an SVG document or as an element of an HTML page.
  ///
  /// The same chart at the same size gives the same bytes on one computer, and on all computers if its text is in
  /// Latin, Greek or Cyrillic script. The picture has the role `img`, a title and a description.
  ///
  /// - Parameters:
  ///   - size: the picture's size, unless the page sets another.
  ///   - appearance: the background.
  ///   - identifier: the prefix of the element IDs of its title and description; unique within a page.
  /// - Returns: the SVG document.
  package func svg(
    size: CanvasSize = .standard, appearance: Appearance = .light, identifier: String = "chart"
  ) -> String {
    let drawing = figure.drawing(size: size, style: .page, ruler: PageRuler())
    return SVGWriter.write(drawing, appearance: appearance, identifier: identifier)
  }

  /// Renders the chart as a PNG file.
  ///
  /// - Parameters:
  ///   - size: the picture's size.
  ///   - theme: the colours.
  ///   - scale: pixels per point, from 0.1 to 8; limited so that neither side exceeds 30,000 pixels.
  /// - Returns: the file's bytes.
  /// - Throws: ``ChartError`` if Cairo and Pango are not installed, or fail.
  package func png(
    size: CanvasSize = .standard, theme: Theme = .light, scale: Double = 2
  ) throws(ChartError) -> [UInt8] {
    DrawingLock.shared.lock()
    defer { DrawingLock.shared.unlock() }
    let library = try PangoLibrary.shared.get()
    let drawing = figure.drawing(size: size, style: .page, ruler: library)
    return try CairoCanvas.png(drawing, theme: theme, scale: scale, library: library)
  }

  /// Renders the chart as a PDF file of one page, in the size of a browser's print; its text is selectable.
  ///
  /// - Parameters:
  ///   - size: the picture's size.
  ///   - theme: the colours.
  /// - Returns: the file's bytes.
  /// - Throws: ``ChartError`` if Cairo and Pango are not installed, or fail.
  package func pdf(size: CanvasSize = .standard, theme: Theme = .light) throws(ChartError) -> [UInt8] {
    DrawingLock.shared.lock()
    defer { DrawingLock.shared.unlock() }
    let library = try PangoLibrary.shared.get()
    let drawing = figure.drawing(size: size, style: .page, ruler: library)
    return try CairoCanvas.pdf(drawing, theme: theme, library: library)
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

extension CanvasSize {
  /// The default size, for the width of a printed page.
  package static let standard = CanvasSize(width: 760, height: 380)
}
