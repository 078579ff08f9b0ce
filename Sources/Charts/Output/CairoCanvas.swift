import CPango

/// Renders a drawing on a Cairo surface.
@safe struct CairoCanvas {
  private let library: PangoLibrary
  private let functions: cpango_functions
  private let context: UnsafeMutableRawPointer?
  private let theme: Theme

  /// Renders the drawing as a PNG file.
  static func png(
    _ drawing: Drawing, theme: Theme, scale: Double, library: PangoLibrary
  ) throws(ChartError) -> [UInt8] {
    let functions = library.functions
    let longest = max(drawing.size.width, drawing.size.height) * drawing.magnification
    let scale = drawing.magnification * min(scale.isNaN ? 1 : min(max(scale, 0.1), 8), 30_000 / longest)
    // Not a pixel more for what a division left over.
    let width = Int32((drawing.size.width * scale - 1e-6).rounded(.up))
    let height = Int32((drawing.size.height * scale - 1e-6).rounded(.up))
    // CAIRO_FORMAT_RGB24: the background is opaque.
    let surface = functions.cairo_image_surface_create(1, width, height)
    defer { unsafe functions.cairo_surface_destroy(surface) }
    try unsafe draw(drawing, theme: theme, scale: scale, on: surface, library: library)
    let sink = unsafe Unmanaged.passRetained(ByteSink())
    defer { unsafe sink.release() }
    let status = unsafe functions.cairo_surface_write_to_png_stream(surface, takeBytes, sink.toOpaque())
    try check(status, functions)
    return unsafe sink.takeUnretainedValue().bytes
  }

  /// Renders the drawing as a PDF file.
  static func pdf(_ drawing: Drawing, theme: Theme, library: PangoLibrary) throws(ChartError) -> [UInt8] {
    let functions = library.functions
    let sink = unsafe Unmanaged.passRetained(ByteSink())
    defer { unsafe sink.release() }
    // PDF points are 1/72 inch.
    let scale = 0.75 * drawing.magnification
    let surface = unsafe functions.cairo_pdf_surface_create_for_stream(
      takeBytes, sink.toOpaque(), drawing.size.width * scale, drawing.size.height * scale)
    defer { unsafe functions.cairo_surface_destroy(surface) }
    // CAIRO_PDF_METADATA_TITLE, _SUBJECT and _CREATE_DATE; the default date, now, would make every file different.
    unsafe functions.cairo_pdf_surface_set_metadata(surface, 0, drawing.title)
    unsafe functions.cairo_pdf_surface_set_metadata(surface, 2, drawing.summary)
    unsafe functions.cairo_pdf_surface_set_metadata(surface, 5, "")
    try unsafe draw(drawing, theme: theme, scale: scale, on: surface, library: library)
    unsafe functions.cairo_surface_finish(surface)
    try unsafe check(functions.cairo_surface_status(surface), functions)
    return unsafe sink.takeUnretainedValue().bytes
  }

  private static func draw(
    _ drawing: Drawing, theme: Theme, scale: Double, on surface: UnsafeMutableRawPointer?, library: PangoLibrary
  ) throws(ChartError) {
    let functions = library.functions
    try unsafe check(functions.cairo_surface_status(surface), functions)
    let context = unsafe functions.cairo_create(surface)
    defer { unsafe functions.cairo_destroy(context) }
    let canvas = unsafe CairoCanvas(library: library, functions: functions, context: context, theme: theme)
    canvas.use(.ground)
    unsafe functions.cairo_paint(context)
    canvas.draw(drawing, x: 0, y: 0, scale: scale)
    try unsafe check(functions.cairo_status(context), functions)
  }

  /// Renders a drawing at a position of a context whose unit is 1/96 inch.
  static func draw(
    _ drawing: Drawing, x: Double, y: Double, scale: Double, on context: UnsafeMutableRawPointer?,
    library: PangoLibrary
  ) {
    unsafe CairoCanvas(library: library, functions: library.functions, context: context, theme: .light)
      .draw(drawing, x: x, y: y, scale: scale)
  }

  private func draw(_ drawing: Drawing, x: Double, y: Double, scale: Double) {
    unsafe functions.cairo_save(context)
    unsafe functions.cairo_translate(context, x, y)
    unsafe functions.cairo_scale(context, scale, scale)
    // CAIRO_LINE_CAP_ROUND and CAIRO_LINE_JOIN_ROUND.
    unsafe functions.cairo_set_line_cap(context, 1)
    unsafe functions.cairo_set_line_join(context, 1)
    for element in drawing.elements { draw(element) }
    unsafe functions.cairo_restore(context)
  }

  static func check(_ status: Int32, _ functions: cpango_functions) throws(ChartError) {
    guard status != 0 else { return }
    throw unsafe .failed(
      reason: functions.cairo_status_to_string(status).map { unsafe String(cString: $0) } ?? "status \(status)")
  }

  private func draw(_ element: Element) {
    switch element {
    case .shape(let path, let fill, let stroke):
      if let fill { draw(path, with: fill, isLine: false) }
      if let stroke {
        unsafe functions.cairo_set_line_width(context, stroke.width)
        unsafe functions.cairo_set_dash(context, stroke.dash, Int32(stroke.dash.count), 0)
        draw(path, with: stroke.ink, isLine: true, isWhole: !stroke.dash.isEmpty)
      }
    case .clipped(let rect, let elements):
      unsafe functions.cairo_save(context)
      unsafe functions.cairo_rectangle(context, rect.x, rect.y, rect.width, rect.height)
      unsafe functions.cairo_clip(context)
      for element in elements { draw(element) }
      unsafe functions.cairo_restore(context)
    case .text(let label): write(label)
    }
  }

  /// Fills or strokes a path; splitting a long one cuts Cairo's time to a tenth.
  private func draw(_ path: Path, with ink: Ink, isLine: Bool, isWhole: Bool = false) {
    use(ink)
    // Translucent parts would show where they overlap.
    let isWhole = isWhole || theme.colour(of: ink).opacity < 1
    for part in isWhole ? [path.commands[...]] : path.parts(cutsLines: isLine) {
      trace(part)
      if isLine { unsafe functions.cairo_stroke(context) } else { unsafe functions.cairo_fill(context) }
    }
  }

  private func write(_ label: Label) {
    let layout = PangoLayout(library: library, text: label.text, font: label.font)
    let left =
      switch label.anchor {
      case .start: label.at.x
      case .middle: label.at.x - layout.width / 2
      case .end: label.at.x - layout.width
      }
    let top = label.at.y - layout.baseline
    if label.hasHalo {
      unsafe functions.cairo_move_to(context, left, top)
      unsafe functions.pangocairo_layout_path(context, layout.handle)
      use(.ground)
      unsafe functions.cairo_set_line_width(context, 3)
      unsafe functions.cairo_set_dash(context, nil, 0, 0)
      unsafe functions.cairo_stroke(context)
    }
    use(label.ink)
    unsafe functions.cairo_move_to(context, left, top)
    unsafe functions.pangocairo_show_layout(context, layout.handle)
    unsafe functions.cairo_new_path(context)
  }

  private func use(_ ink: Ink) {
    let colour = theme.colour(of: ink)
    unsafe functions.cairo_set_source_rgba(
      context, Double(colour.red) / 255, Double(colour.green) / 255, Double(colour.blue) / 255, colour.opacity)
  }

  private func trace(_ commands: ArraySlice<Path.Command>) {
    if case .line(let point) = commands.first { unsafe functions.cairo_move_to(context, point.x, point.y) }
    for command in commands {
      switch command {
      case .move(let point): unsafe functions.cairo_move_to(context, point.x, point.y)
      case .line(let point): unsafe functions.cairo_line_to(context, point.x, point.y)
      case .arc(let centre, let radius, let from, let to):
        unsafe functions.cairo_arc(context, centre.x, centre.y, radius, from, to)
      case .close: unsafe functions.cairo_close_path(context)
      }
    }
  }
}

extension Path {
  /// Splits the path into parts of a few commands, each of which starts with a point.
  ///
  /// - Parameter cutsLines: whether a line may be cut into two parts that share a point; an area may not.
  /// - Returns: the parts in order.
  fileprivate func parts(cutsLines: Bool) -> [ArraySlice<Command>] {
    let length = 16
    guard commands.count > 2 * length else { return [commands[...]] }
    var parts: [ArraySlice<Command>] = []
    var start = 0
    for (index, command) in commands.enumerated() where index - start >= length {
      switch command {
      case .move:
        parts.append(commands[start..<index])
        start = index
      case .line where cutsLines && !isClosed:
        parts.append(commands[start...index])
        start = index
      default: continue
      }
    }
    return parts + [commands[start...]]
  }

  /// Whether any subpath is closed; a cut would lose its starting point.
  private var isClosed: Bool { commands.contains(.close) }
}

/// Collects the bytes of an output file.
final class ByteSink {
  var bytes: [UInt8] = []
}

/// Write callback: receives the next bytes of an output file from Cairo.
func takeBytes(_ closure: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?, _ count: UInt32) -> Int32 {
  // CAIRO_STATUS_WRITE_ERROR
  guard let closure = unsafe closure else { return 11 }
  let sink = unsafe Unmanaged<ByteSink>.fromOpaque(closure).takeUnretainedValue()
  unsafe sink.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
  return 0
}
