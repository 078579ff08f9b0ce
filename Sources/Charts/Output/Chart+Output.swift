extension Chart {
  /// Renders the chart as an SVG document or as an element of an HTML page.
  ///
  /// The same chart at the same size gives the same bytes on one computer, and on all computers if its text is in
  /// Latin, Greek or Cyrillic script. The picture has the role `img`, a title and a description.
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
    let drawing = figure.page(size: size, letters: letters, ruler: PageRuler())
    return SVGWriter.write(drawing, appearance: appearance, identifier: identifier)
  }

  /// Renders the chart as a PNG file.
  ///
  /// - Parameters:
  ///   - size: the picture's size.
  ///   - letters: the size of its letters, in points.
  ///   - theme: the colours.
  ///   - scale: pixels per point, from 0.1 to 8; limited so that neither side exceeds 30,000 pixels.
  /// - Returns: the file's bytes.
  /// - Throws: ``ChartError`` if Cairo and Pango are not installed, or fail.
  package func png(
    size: CanvasSize = .standard, letters: Double = CanvasSize.letters, theme: Theme = .light, scale: Double = 2
  ) throws(ChartError) -> [UInt8] {
    DrawingLock.shared.lock()
    defer { DrawingLock.shared.unlock() }
    let library = try PangoLibrary.shared.get()
    let drawing = figure.page(size: size, letters: letters, ruler: library)
    return try CairoCanvas.png(drawing, theme: theme, scale: scale, library: library)
  }

  /// Renders the chart as a PDF file of one page, in the size of a browser's print; its text is selectable.
  ///
  /// - Parameters:
  ///   - size: the picture's size.
  ///   - letters: the size of its letters, in points.
  ///   - theme: the colours.
  /// - Returns: the file's bytes.
  /// - Throws: ``ChartError`` if Cairo and Pango are not installed, or fail.
  package func pdf(
    size: CanvasSize = .standard, letters: Double = CanvasSize.letters, theme: Theme = .light
  ) throws(ChartError) -> [UInt8] {
    DrawingLock.shared.lock()
    defer { DrawingLock.shared.unlock() }
    let library = try PangoLibrary.shared.get()
    let drawing = figure.page(size: size, letters: letters, ruler: library)
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

  /// The parts that there is no room for in a picture.
  ///
  /// - Parameters:
  ///   - size: the picture's size.
  ///   - letters: the size of its letters, in points.
  ///   - isSVG: whether it is an SVG document; other pictures measure text with this computer's fonts.
  /// - Returns: the parts.
  /// - Throws: ``ChartError`` as ``png(size:letters:theme:scale:)`` does.
  package func partsLeftOut(size: CanvasSize, letters: Double, isSVG: Bool) throws(ChartError) -> [ChartPart] {
    let ruler: any TextRuler = isSVG ? PageRuler() : try PangoLibrary.shared.get()
    return figure.page(size: size, letters: letters, ruler: ruler).partsLeftOut
  }
}

extension Figure {
  /// Lays the chart out with letters of some size: in a layout that is as much larger, or smaller, as they are smaller or
  /// larger than those of the style.
  fileprivate func page(size: CanvasSize, letters: Double, ruler: any TextRuler) -> Drawing {
    let magnification = letters / CanvasSize.letters
    let own = CanvasSize(width: size.width / magnification, height: size.height / magnification)
    var drawing = drawing(size: own, style: .page, ruler: ruler)
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
