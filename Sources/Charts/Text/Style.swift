/// The dimensions of a layout: points on a page, braille dots in a terminal.
struct Style: Sendable {
  let font: Font
  let titleFont: Font
  /// The height of a line of text.
  let textHeight: Double
  let titleHeight: Double
  /// The distance from the top of a line of text to its baseline.
  let textBaseline: Double
  let titleBaseline: Double
  /// The distance from the edge of the canvas to the content.
  let padding: Double
  /// The minimum distance between adjacent labels.
  let gap: Double
  /// The distance between the axes and their labels; more than half a line, which keeps the lowest number clear of the
  /// first label below.
  let tickGap: Double
  /// The distance between the rows of a layout.
  let rowGap: Double
  let lineWidth: Double
  let markRadius: Double
  /// The distance between marks that only identify a line.
  let markDistance: Double
  /// The width of a legend's samples.
  let swatch: Double
  /// The distance between a legend's sample and its text, and between two entries.
  let swatchGap: Double
  let entryGap: Double
  /// The minimum height of the plot before text is dropped.
  let leastPlot: Double
  /// The height per number on the vertical axis.
  let tickRoom: Double
  /// Whether positions are aligned to whole pixels, for crisp thin lines.
  let isCrisp: Bool

  /// The style for pages.
  static let page = Style(
    font: Font(size: CanvasSize.letters), titleFont: Font(size: 15, isBold: true), textHeight: 16, titleHeight: 20,
    textBaseline: 12, titleBaseline: 15.5, padding: 14, gap: 10, tickGap: 9, rowGap: 5, lineWidth: 1.75,
    markRadius: 3.25, markDistance: 39, swatch: 20, swatchGap: 6, entryGap: 18, leastPlot: 70, tickRoom: 34,
    isCrisp: true)

  /// The style for terminals, whose cells are two dots wide and four high.
  static let cells = Style(
    font: Font(size: 4), titleFont: Font(size: 4), textHeight: 4, titleHeight: 4, textBaseline: 4, titleBaseline: 4,
    padding: 0, gap: 4, tickGap: 2, rowGap: 0, lineWidth: 1, markRadius: 0, markDistance: 30, swatch: 6,
    swatchGap: 2,
    entryGap: 6, leastPlot: 12, tickRoom: 12,
    isCrisp: false)

  /// Whether a line with this many points per width is too dense for visible dashes.
  func isDense(_ points: Int, across width: Double) -> Bool { Double(points) > width / 6 }

  /// The stroke width of a line with this many points.
  func width(ofLineWith points: Int, across width: Double) -> Double {
    isDense(points, across: width) ? lineWidth * 0.75 : lineWidth
  }

  /// A character in a terminal that covers the dots of one cell.
  func glyph(_ glyph: Character, column: Double, row: Double, ink: Ink) -> Label {
    let box = Rect(x: column * 2, y: row * 4, width: 2, height: 4)
    return Label(
      text: String(glyph), at: Point(x: box.x, y: box.y + textBaseline), anchor: .start, font: font, ink: ink, box: box)
  }

  /// The centre of a pixel, for lines of an odd width.
  func crisp(_ place: Double) -> Double { isCrisp ? place.rounded(.down) + 0.5 : place }
}

extension String {
  /// The text on one line, without characters that are invalid in XML or on a terminal.
  var inOneLine: String {
    var line = String.UnicodeScalarView()
    for character in unicodeScalars {
      switch character.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: line.append(" ")
      case .unassigned where character.value & 0xfffe == 0xfffe: continue
      default: line.append(character)
      }
    }
    return String(line)
  }

  /// Whether the first letter with a direction is right-to-left (Unicode Standard Annex 9, rules P2, P3).
  var isRightToLeft: Bool {
    for character in unicodeScalars {
      switch character.value {
      case 0x590...0x8ff, 0xfb1d...0xfdff, 0xfe70...0xfeff, 0x10800...0x10fff, 0x1e800...0x1efff:
        if character.properties.isAlphabetic { return true }
      default:
        if character.properties.isAlphabetic { return false }
      }
    }
    return false
  }
}
