import CPango

/// Writes a PDF file of several pages: positioned text, lines, areas and charts, tagged by structure.
///
/// Positions and lengths are in points of 1/96 inch, from a page's upper left corner. The text is selectable and
/// searchable. The same calls give the same bytes on one computer.
@safe package final class PageWriter {
  private let library: PangoLibrary
  private let functions: cpango_functions
  private let sink: Unmanaged<ByteSink>
  private let surface: UnsafeMutableRawPointer?
  private let context: UnsafeMutableRawPointer?
  // The last entry of the table of contents at each level, under which later ones are nested.
  private var entries: [Int: Int32] = [:]
  private var page = 1
  private let isTagged: Bool

  // PDF points are 1/72 inch.
  private static let scale = 0.75

  private static let whole = "Document"

  /// Creates a file with one empty page.
  ///
  /// - Parameters:
  ///   - size: the size of the pages.
  ///   - title: the document's title.
  ///   - subject: a description in a sentence.
  ///   - isTagged: whether to tag the document structure. Cairo 1.16 fails if a tagged part contains colour fonts, such
  ///     as emoji; an untagged file may contain them.
  /// - Throws: ``ChartError`` if Cairo and Pango are not installed, or fail.
  package init(
    size: CanvasSize, title: String, subject: String = "", isTagged: Bool = true
  ) throws(ChartError) {
    let library = try PangoLibrary.shared.get()
    let functions = library.functions
    let sink = unsafe Unmanaged.passRetained(ByteSink())
    let surface = unsafe functions.cairo_pdf_surface_create_for_stream(
      takeBytes, sink.toOpaque(), size.width * Self.scale, size.height * Self.scale)
    // CAIRO_PDF_METADATA_TITLE, _SUBJECT and _CREATE_DATE; the default date, now, would make every file different.
    unsafe functions.cairo_pdf_surface_set_metadata(surface, 0, title.inOneLine)
    unsafe functions.cairo_pdf_surface_set_metadata(surface, 2, subject.inOneLine)
    unsafe functions.cairo_pdf_surface_set_metadata(surface, 5, "")
    let context = unsafe functions.cairo_create(surface)
    unsafe functions.cairo_scale(context, Self.scale, Self.scale)
    // Cairo marks a file as tagged if this tag encloses everything.
    if isTagged { unsafe functions.cairo_tag_begin(context, Self.whole, nil) }
    self.isTagged = isTagged
    self.library = library
    self.functions = functions
    unsafe self.sink = unsafe sink
    unsafe self.surface = unsafe surface
    unsafe self.context = unsafe context
  }

  deinit {
    DrawingLock.shared.lock()
    defer { DrawingLock.shared.unlock() }
    // Cairo 1.16 crashes when it finishes a file whose tags have failed: the context is leaked instead.
    guard unsafe functions.cairo_status(context) == 0 else { return }
    unsafe functions.cairo_destroy(context)
    unsafe functions.cairo_surface_destroy(surface)
    unsafe sink.release()
  }

  /// The width and height of text in points.
  package func size(of text: PageText) -> (width: Double, height: Double) {
    DrawingLock.shared.lock()
    defer { DrawingLock.shared.unlock() }
    return PangoLayout(library: library, text: text).size
  }

  /// Writes text with its upper left corner at a position.
  package func write(_ text: PageText, x: Double, y: Double) {
    DrawingLock.shared.lock()
    defer { DrawingLock.shared.unlock() }
    let layout = PangoLayout(library: library, text: text)
    unsafe functions.cairo_move_to(context, x, y)
    unsafe functions.pangocairo_show_layout(context, layout.handle)
    unsafe functions.cairo_new_path(context)
  }

  /// Fills a rectangle.
  package func fill(x: Double, y: Double, width: Double, height: Double, _ colour: PageColour) {
    DrawingLock.shared.lock()
    defer { DrawingLock.shared.unlock() }
    let colour = colour.colour
    unsafe functions.cairo_set_source_rgba(
      context, Double(colour.red) / 255, Double(colour.green) / 255, Double(colour.blue) / 255, 1)
    unsafe functions.cairo_rectangle(context, x, y, width, height)
    unsafe functions.cairo_fill(context)
  }

  /// Draws a chart on a white background.
  ///
  /// - Parameters:
  ///   - chart: the chart.
  ///   - x: the position of its left edge.
  ///   - y: the position of its upper edge.
  ///   - size: its size on the page.
  ///   - scale: the size of its text and marks, relative to a stand-alone chart.
  package func draw(_ chart: any Chart, x: Double, y: Double, size: CanvasSize, scale: Double = 1) {
    DrawingLock.shared.lock()
    defer { DrawingLock.shared.unlock() }
    let own = CanvasSize(width: size.width / scale, height: size.height / scale)
    let drawing = chart.figure.drawing(size: own, style: .page, ruler: library)
    unsafe CairoCanvas.draw(drawing, x: x, y: y, scale: scale, on: context, library: library)
  }

  /// Tags what `draw` draws with a structure type: `H1`, `P`, `Table`, `TR`, `TH`, `TD`, `Figure`.
  package func tagged(_ name: String, _ draw: () -> Void) {
    guard isTagged else { return draw() }
    unsafe functions.cairo_tag_begin(context, name, nil)
    draw()
    unsafe functions.cairo_tag_end(context, name)
  }

  /// Adds an entry to the table of contents (the PDF outline), which links to a position on this page.
  ///
  /// - Parameters:
  ///   - text: the entry.
  ///   - level: 1 for the top level; an entry is nested under the last one of the level above.
  ///   - y: the target's distance from the top of the page.
  package func addEntry(_ text: String, level: Int, y: Double) {
    DrawingLock.shared.lock()
    defer { DrawingLock.shared.unlock() }
    let link = "page=\(page) pos=[0 \(y * Self.scale)]"
    // CAIRO_PDF_OUTLINE_ROOT is 0, and CAIRO_PDF_OUTLINE_FLAG_OPEN is 1.
    entries[level] = unsafe functions.cairo_pdf_surface_add_outline(
      surface, entries[level - 1] ?? 0, text.inOneLine, link, 1)
  }

  /// Begins a new page, on which later calls draw.
  package func nextPage() {
    DrawingLock.shared.lock()
    defer { DrawingLock.shared.unlock() }
    unsafe functions.cairo_show_page(context)
    page += 1
  }

  /// Completes the file.
  ///
  /// - Returns: the file's bytes.
  /// - Throws: ``ChartError`` if Cairo failed.
  package func finish() throws(ChartError) -> [UInt8] {
    DrawingLock.shared.lock()
    defer { DrawingLock.shared.unlock() }
    if isTagged { unsafe functions.cairo_tag_end(context, Self.whole) }
    unsafe functions.cairo_show_page(context)
    try unsafe CairoCanvas.check(functions.cairo_status(context), functions)
    unsafe functions.cairo_surface_finish(surface)
    try unsafe CairoCanvas.check(functions.cairo_surface_status(surface), functions)
    return unsafe sink.takeUnretainedValue().bytes
  }
}

/// Only one task at a time may use a writer.
@available(*, unavailable)
extension PageWriter: Sendable {}

extension CanvasSize {
  /// A page of A4, 210 by 297 mm.
  package static let a4 = CanvasSize(width: 210 / 25.4 * 96, height: 297 / 25.4 * 96)
}
