import Bundles
import Charts

/// A table as indivisible rows, under a head that each page repeats.
struct TablePieces {
  private let table: DataTable
  private let ruler: PageWriter
  private let widths: [Double]
  /// The font size: reduced if columns would have to break words.
  private let size: Double

  private static let space = 12.0
  private static let padding = 3.5

  init(_ table: DataTable, ruler: PageWriter) {
    self.table = table
    self.ruler = ruler
    let sizes = [PageStyle.table, 9.5, 8.5]
    let fitting = sizes.first { Self.widths(of: table, size: $0, ruler: ruler).breaksNoWord } ?? 8.5
    size = fitting
    widths = Self.widths(of: table, size: fitting, ruler: ruler).columns
  }

  /// The caption, head, rows and footnotes.
  func pieces() -> [PagePiece] {
    let caption = table.caption.printed(size: PageStyle.small, width: PageStyle.width, isBold: true)
    let captionHeight = ruler.size(of: caption).height
    var pieces = [
      PagePiece(
        items: [.tagged("P", [.text(caption, x: 0, y: 0)])], height: captionHeight + 3, gap: 12, staysWithNext: true)
    ]
    let head = cells(of: table.columns.map(\.title), isHead: true)
    let rule = PageItem.fill(
      x: 0, y: head.height, width: PageStyle.width, height: 0.75, colour: PageStyle.colour("faint"))
    let headItems = head.items + [rule]
    pieces.append(PagePiece(items: headItems, height: head.height + 2, staysWithNext: true))
    for group in table.groups {
      if let title = group.title {
        let text = title.printed(size: size, width: PageStyle.width, isBold: true)
        pieces.append(
          PagePiece(
            items: [.tagged("TR", [.tagged("TH", [.text(text, x: 0, y: 9)])])],
            height: ruler.size(of: text).height + 12, staysWithNext: true, repeated: headItems,
            repeatedHeight: head.height + 2))
      }
      for (place, row) in group.rows.enumerated() {
        let (items, height) = cells(of: row.cells, verdict: row.verdict)
        let line: [PageItem] =
          place == 0
          ? [] : [.fill(x: 0, y: 0, width: PageStyle.width, height: 0.5, colour: PageStyle.colour("line"))]
        // Keep a short table on one page.
        let isShort = table.rowCount <= 8 && place < group.rows.count - 1
        pieces.append(
          PagePiece(
            items: line + items, height: height, staysWithNext: isShort, repeated: headItems,
            repeatedHeight: head.height + 2))
      }
    }
    return pieces + notes()
  }

  private func cells(of words: [StyledText], isHead: Bool = false, verdict: Verdict? = nil) -> (
    items: [PageItem], height: Double
  ) {
    var x = 0.0
    var height = 0.0
    var items: [PageItem] = []
    for (place, (column, words)) in zip(table.columns, words).enumerated() {
      let isVerdict = verdict != nil && place == table.columns.count - 1
      let colour =
        isHead ? PageStyle.colour("faint") : isVerdict ? PageStyle.colour(verdict?.rawValue ?? "text") : .text
      let text = words.printed(
        size: size, width: widths[place], colour: colour, isBold: isVerdict,
        isRightAligned: column.isNumber, mostHeight: PageStyle.bottom - PageStyle.top - 80)
      items.append(.tagged(isHead || place == 0 ? "TH" : "TD", [.text(text, x: x, y: Self.padding)]))
      height = max(height, ruler.size(of: text).height)
      x += widths[place] + Self.space
    }
    return ([.tagged("TR", items)], height + 2 * Self.padding)
  }

  private func notes() -> [PagePiece] {
    table.notes.enumerated().map { place, note in
      let text = (StyledText("\(place + 1)  ", .plain) + note).printed(
        size: PageStyle.table, width: PageStyle.width, colour: PageStyle.colour("faint"))
      return PagePiece(
        items: [.tagged("P", [.text(text, x: 0, y: 0)])], height: ruler.size(of: text).height, gap: place == 0 ? 8 : 2)
    }
  }

  /// The column widths: natural widths if they fit, otherwise shrunk towards their minimum.
  private static func widths(
    of table: DataTable, size: Double, ruler: PageWriter
  ) -> (columns: [Double], breaksNoWord: Bool) {
    let room = PageStyle.width - space * Double(table.columns.count - 1)
    var wide = table.columns.map { _ in 0.0 }
    var narrow = wide
    func width(_ words: StyledText) -> Double { ruler.size(of: words.printed(size: size)).width + 1 }
    // The first rows of a long table are taken as representative.
    let rows = table.groups.flatMap(\.rows).prefix(300).map { row in
      row.verdict == nil ? row.cells : row.cells.dropLast() + [StyledText(row.cells.last?.text ?? "", .strong)]
    }
    for row in [table.columns.map(\.title)] + rows {
      for (place, cell) in row.enumerated() where place < wide.count {
        wide[place] = max(wide[place], width(cell))
        let style = cell.runs.first?.style ?? .plain
        let words = style == .unbroken ? [cell.text[...]] : cell.text.split(separator: " ")
        let longest = words.max { $0.count < $1.count } ?? ""
        narrow[place] = max(narrow[place], min(width(StyledText(String(longest), style)), room / 3))
      }
    }
    let (most, least) = (wide.reduce(0, +), narrow.reduce(0, +))
    if most <= room {
      // Distribute the remaining width over the text columns, in proportion to their widths.
      let words = table.columns.indices.filter { !table.columns[$0].isNumber }
      let sum = words.reduce(0) { $0 + wide[$1] }
      guard sum > 0 else { return (wide, true) }
      for place in words { wide[place] += (room - most) * wide[place] / sum }
      return (wide, true)
    }
    if least >= room { return (narrow.map { $0 * room / least }, false) }
    return (zip(wide, narrow).map { $1 + (room - least) * ($0 - $1) / (most - least) }, true)
  }
}
