import CPango

/// Cairo and Pango, loaded at first use; measures text as this computer renders it.
@safe final class PangoLibrary: TextRuler {
  /// The libraries, or the reason why they could not be loaded; tried once a process.
  static let shared: Result<PangoLibrary, ChartError> = {
    do throws(ChartError) { return .success(try PangoLibrary()) } catch { return .failure(error) }
  }()

  /// The functions; immutable after `init`, and safe to call from any thread.
  let functions: cpango_functions

  private init() throws(ChartError) {
    var functions = cpango_functions()
    var reason = [CChar](repeating: 0, count: 256)
    guard unsafe cpango_load(&functions, &reason, reason.count) == 0 else {
      let text = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw .missingLibrary(reason: String(decoding: text, as: UTF8.self))
    }
    self.functions = functions
  }

  func width(of text: String, in font: Font) -> Double {
    DrawingLock.shared.lock()
    defer { DrawingLock.shared.unlock() }
    return PangoLayout(library: self, text: text, font: font).width
  }
}

/// Text shaped by Pango with this computer's fonts, on one line or wrapped to a width.
@safe struct PangoLayout: ~Copyable {
  private let library: PangoLibrary
  let handle: UnsafeMutableRawPointer?

  /// Shapes text on one line.
  init(library: PangoLibrary, text: String, font: Font) {
    self.init(library: library, font: font)
    let functions = library.functions
    unsafe functions.pango_layout_set_single_paragraph_mode(handle, 1)
    var text = text
    text.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
        unsafe functions.pango_layout_set_text(handle, characters.baseAddress, Int32(clamping: characters.count))
      }
    }
  }

  /// Shapes text of a page, wrapped if it has a width.
  init(library: PangoLibrary, text: PageText) {
    self.init(library: library, font: Font(size: text.size))
    let functions = library.functions
    if let width = text.width { unsafe functions.pango_layout_set_width(handle, Self.units(width)) }
    // PANGO_WRAP_WORD_CHAR: between words, and within words that are wider than a line.
    unsafe functions.pango_layout_set_wrap(handle, 2)
    // Right-to-left text keeps the alignment of the rest; its reading direction is unaffected.
    unsafe functions.pango_layout_set_auto_dir(handle, 0)
    // PANGO_ALIGN_RIGHT or PANGO_ALIGN_LEFT.
    unsafe functions.pango_layout_set_alignment(handle, text.isRightAligned ? 2 : 0)
    // Not pango_layout_set_line_spacing: it multiplies the font's height, which colour fonts do not report, so that
    // their lines would overlap.
    let spacing = (text.lineHeight - 1) * Self.fontHeight * text.size
    unsafe functions.pango_layout_set_spacing(handle, Int32(spacing * Self.unit))
    if let height = text.mostHeight {
      // Pango does not include line spacing in this height.
      unsafe functions.pango_layout_set_height(handle, Self.units(height / max(1, text.lineHeight)))
      // PANGO_ELLIPSIZE_END.
      unsafe functions.pango_layout_set_ellipsize(handle, 3)
    }
    var markup = text.markup
    markup.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
        unsafe functions.pango_layout_set_markup(handle, characters.baseAddress, Int32(clamping: characters.count))
      }
    }
  }

  private init(library: PangoLibrary, font: Font) {
    let functions = library.functions
    let options = functions.cairo_font_options_create()
    // CAIRO_HINT_STYLE_NONE, CAIRO_HINT_METRICS_OFF and CAIRO_ANTIALIAS_GRAY: letter shapes as in print.
    unsafe functions.cairo_font_options_set_hint_style(options, 1)
    unsafe functions.cairo_font_options_set_hint_metrics(options, 1)
    unsafe functions.cairo_font_options_set_antialias(options, 2)
    let context = unsafe functions.pango_font_map_create_context(functions.pangocairo_font_map_get_default())
    unsafe functions.pangocairo_context_set_font_options(context, options)
    unsafe functions.pango_context_set_round_glyph_positions(context, 0)
    let description = unsafe functions.pango_font_description_from_string(FontStack.pango)
    unsafe functions.pango_font_description_set_absolute_size(description, font.size * Self.unit)
    unsafe functions.pango_font_description_set_weight(description, font.isBold ? 700 : 400)
    let layout = unsafe functions.pango_layout_new(context)
    unsafe functions.pango_layout_set_font_description(layout, description)
    unsafe functions.pango_font_description_free(description)
    unsafe functions.object_unref(context)
    unsafe functions.cairo_font_options_destroy(options)
    self.library = library
    unsafe handle = unsafe layout
  }

  deinit { unsafe library.functions.object_unref(handle) }

  /// PANGO_SCALE: the number of Pango units in a point.
  private static let unit = 1024.0

  /// The line height of the chart fonts as a multiple of the font size: Liberation Sans has an ascent of 0.905 and a
  /// descent of 0.212.
  private static let fontHeight = 1.117

  private static func units(_ points: Double) -> Int32 { Int32(max(1, min(points, 1e6)) * unit) }

  /// The width of the text in points.
  var width: Double { size.width }

  /// The width and height of the text in points.
  var size: (width: Double, height: Double) {
    var extents = cpango_rectangle()
    unsafe library.functions.pango_layout_get_extents(handle, nil, &extents)
    return (Double(extents.width) / Self.unit, Double(extents.height) / Self.unit)
  }

  /// The distance from the upper edge to the first baseline, in points.
  var baseline: Double { unsafe Double(library.functions.pango_layout_get_baseline(handle)) / Self.unit }
}
