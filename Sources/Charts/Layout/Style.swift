/// The measures of a layout: of a page in points, of a terminal in dots of braille.
struct Style: Sendable {
  let font: Font
  let titleFont: Font
  /// The height that a line of words takes.
  let textHeight: Double
  let titleHeight: Double
  /// How far below a line's upper edge its letters stand.
  let textBaseline: Double
  let titleBaseline: Double
  /// Between the canvas' edge and everything else.
  let padding: Double
  /// The least distance between words beside each other.
  let gap: Double
  /// Between the axes and their labels; more than half a line, so that the lowest number stays clear of the first below.
  let tickGap: Double
  /// Between one row of a layout and the next.
  let rowGap: Double
  let lineWidth: Double
  let markRadius: Double
  /// How far marks are from each other that only tell lines apart.
  let markDistance: Double
  /// The width of a legend's pictures.
  let swatch: Double
  /// Between a legend's picture and its words, and between one entry and the next.
  let swatchGap: Double
  let entryGap: Double
  /// The least height of the data before words are left out.
  let leastPlot: Double
  /// The height for each number on the vertical axis.
  let tickRoom: Double
  /// Whether places are moved so that thin lines cover whole pixels.
  let isCrisp: Bool

  /// For pictures that are read from a page.
  static let page = Style(
    font: Font(size: 12), titleFont: Font(size: 15, isBold: true), textHeight: 16, titleHeight: 20, textBaseline: 12,
    titleBaseline: 15.5, padding: 14, gap: 10, tickGap: 9, rowGap: 5, lineWidth: 1.75, markRadius: 3.25,
    markDistance: 39,
    swatch: 20,
    swatchGap: 6, entryGap: 18, leastPlot: 70, tickRoom: 34, isCrisp: true)

  /// For a terminal, whose cells are two dots wide and four high.
  static let cells = Style(
    font: Font(size: 4), titleFont: Font(size: 4), textHeight: 4, titleHeight: 4, textBaseline: 4, titleBaseline: 4,
    padding: 0, gap: 4, tickGap: 2, rowGap: 0, lineWidth: 1, markRadius: 0, markDistance: 30, swatch: 6,
    swatchGap: 2,
    entryGap: 6, leastPlot: 12, tickRoom: 12,
    isCrisp: false)

  /// Whether so many points on so wide a plot make a line so dense that dashes could not be told from gaps.
  func isDense(_ points: Int, across width: Double) -> Bool { Double(points) > width / 6 }

  /// The width of a line through so many points.
  func width(ofLineWith points: Int, across width: Double) -> Double {
    isDense(points, across: width) ? lineWidth * 0.75 : lineWidth
  }

  /// A letter of a terminal that covers the dots of one cell.
  func glyph(_ glyph: Character, column: Double, row: Double, ink: Ink) -> Label {
    let box = Rect(x: column * 2, y: row * 4, width: 2, height: 4)
    return Label(
      text: String(glyph), at: Point(x: box.x, y: box.y + textBaseline), anchor: .start, font: font, ink: ink, box: box)
  }

  /// The middle of a pixel, for lines of an odd width.
  func crisp(_ place: Double) -> Double { isCrisp ? place.rounded(.down) + 0.5 : place }
}
