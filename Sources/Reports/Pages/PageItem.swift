import Charts

/// Something at a place of a page.
enum PageItem: Sendable {
  case text(PageText, x: Double, y: Double)
  case fill(x: Double, y: Double, width: Double, height: Double, colour: PageColour)
  case chart(any Chart, x: Double, y: Double, size: CanvasSize)
  /// What is inside is a part of the document's structure.
  case tagged(String, [PageItem])
  /// An entry of the table of contents beside the pages.
  case entry(String, level: Int, y: Double)

  /// How far down it moves when what it stands in does.
  func moved(by distance: Double) -> PageItem {
    switch self {
    case .text(let text, let x, let y): .text(text, x: x, y: y + distance)
    case .fill(let x, let y, let width, let height, let colour):
      .fill(x: x, y: y + distance, width: width, height: height, colour: colour)
    case .chart(let chart, let x, let y, let size): .chart(chart, x: x, y: y + distance, size: size)
    case .tagged(let name, let items): .tagged(name, items.map { $0.moved(by: distance) })
    case .entry(let text, let level, let y): .entry(text, level: level, y: y + distance)
    }
  }
}

/// Something that is not cut by the end of a page: a paragraph, a row, a chart.
struct PagePiece: Sendable {
  /// At places that count from the piece's own upper edge.
  var items: [PageItem]
  var height: Double
  /// The distance to what is above, left out at the top of a page.
  var gap = 0.0
  /// Whether it stands on one page with the piece below it, as a heading does.
  var staysWithNext = false
  /// What stands above it again where it begins a page: the head of a table.
  var repeated: [PageItem] = []
  var repeatedHeight = 0.0
}

/// Pieces in the order of reading, put on pages.
struct PageFlow: Sendable {
  private(set) var pages: [[PageItem]] = [[]]
  private var y = PageStyle.top

  /// Puts pieces below each other, and those that stay with the next on the next one's page.
  init(_ pieces: [PagePiece]) {
    var index = 0
    while index < pieces.count {
      var end = index
      while end < pieces.count - 1, pieces[end].staysWithNext { end += 1 }
      put(pieces[index...end])
      index = end + 1
    }
  }

  private mutating func put(_ chain: ArraySlice<PagePiece>) {
    let isTop = y == PageStyle.top
    let needed = chain.reduce(0) { $0 + $1.gap + $1.height } - (isTop ? chain.first?.gap ?? 0 : 0)
    if y + needed > PageStyle.bottom, !isTop { endPage() }
    for piece in chain {
      // A chain that is longer than a page is cut between its pieces.
      if y > PageStyle.top, y + piece.gap + piece.height > PageStyle.bottom { endPage() }
      if y == PageStyle.top {
        append(piece.repeated, height: piece.repeatedHeight)
      } else {
        y += piece.gap
      }
      append(piece.items, height: piece.height)
    }
  }

  private mutating func append(_ items: [PageItem], height: Double) {
    pages[pages.count - 1] += items.map { $0.moved(by: y) }
    y += height
  }

  private mutating func endPage() {
    pages.append([])
    y = PageStyle.top
  }
}
