extension Chart {
  /// The chart as an SVG document, or as an element of an HTML page.
  ///
  /// The same chart at the same size gives the same bytes, and where its words are written in Latin, Greek or Cyrillic
  /// letters this holds on every computer. The picture has the role `img`, a title and a description.
  ///
  /// - Parameters:
  ///   - size: how large it is, unless the page says otherwise.
  ///   - appearance: on which ground.
  ///   - identifier: what the identifiers of its title and description begin with; unique within a page.
  /// - Returns: the document.
  package func svg(
    size: CanvasSize = .standard, appearance: Appearance = .light, identifier: String = "chart"
  ) -> String {
    let drawing = figure.drawing(size: size, style: .page, ruler: PageRuler())
    return SVGWriter.write(drawing, appearance: appearance, identifier: identifier)
  }

  /// The chart as a PNG file.
  ///
  /// - Parameters:
  ///   - size: how large it is.
  ///   - theme: on which ground.
  ///   - scale: how many pixels a point has; from 0.1 to 8, so that neither side has more than 30,000.
  /// - Returns: the file's bytes.
  /// - Throws: ``ChartError`` where Cairo and Pango are missing, or fail.
  package func png(
    size: CanvasSize = .standard, theme: Theme = .light, scale: Double = 2
  ) throws(ChartError) -> [UInt8] {
    DrawingLock.shared.lock()
    defer { DrawingLock.shared.unlock() }
    let library = try PangoLibrary.shared.get()
    let drawing = figure.drawing(size: size, style: .page, ruler: library)
    return try CairoCanvas.png(drawing, theme: theme, scale: scale, library: library)
  }

  /// The chart as a PDF file of one page, as large as a browser prints it; its words can be selected.
  ///
  /// - Parameters:
  ///   - size: how large it is.
  ///   - theme: on which ground.
  /// - Returns: the file's bytes.
  /// - Throws: ``ChartError`` where Cairo and Pango are missing, or fail.
  package func pdf(size: CanvasSize = .standard, theme: Theme = .light) throws(ChartError) -> [UInt8] {
    DrawingLock.shared.lock()
    defer { DrawingLock.shared.unlock() }
    let library = try PangoLibrary.shared.get()
    let drawing = figure.drawing(size: size, style: .page, ruler: library)
    return try CairoCanvas.pdf(drawing, theme: theme, library: library)
  }

  /// The chart for a terminal: lines of braille and words, none longer than so many columns.
  ///
  /// - Parameters:
  ///   - columns: at least 20.
  ///   - rows: at least 5.
  /// - Returns: so many lines, each with its end.
  package func braille(columns: Int = 80, rows: Int = 20) -> String {
    BrailleCanvas.print(figure, columns: max(20, min(columns, 1000)), rows: max(5, min(rows, 500)))
  }
}

extension CanvasSize {
  /// As wide as a page of print.
  package static let standard = CanvasSize(width: 760, height: 380)
}
