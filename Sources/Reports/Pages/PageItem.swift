import Charts

/// An element at a position on a page.
enum PageItem: Sendable {
  case text(PageText, x: Double, y: Double)
  case fill(x: Double, y: Double, width: Double, height: Double, colour: PageColour)
  case chart(any Chart, x: Double, y: Double, size: CanvasSize)
  /// A tagged part of the document's structure.
  case tagged(String, [PageItem])
  /// An entry of the PDF outline.
  case entry(String, level: Int, y: Double)

  /// The item moved down by a distance.
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

/// An indivisible piece of a page: a paragraph, a row, a chart.
struct PagePiece: Sendable {
  /// The items, positioned relative to the piece's upper edge.
  var items: [PageItem]
  var height: Double
  /// The distance to the preceding piece, omitted at the top of a page.
  var gap = 0.0
  /// Whether it is kept on one page with the next piece, as a heading is.
  var staysWithNext = false
  /// The items repeated above it if it starts a page: the head of a table.
  var repeated: [PageItem] = []
  var repeatedHeight = 0.0
}

/// Distributes pieces over pages in reading order.
struct PageFlow: Sendable {
  private(set) var pages: [[PageItem]] = [[]]
  private var y = PageStyle.top

  /// Stacks pieces, keeping those that stay with the next one on its page.
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
      // A chain of pieces longer than a page is split between its pieces.
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
