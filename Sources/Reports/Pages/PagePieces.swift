import Bundles
import Charts

/// Converts a report to pieces of pages.
struct PagePieces {
  private let ruler: PageWriter
  private(set) var pieces: [PagePiece] = []

  init(_ report: Report, ruler: PageWriter) {
    self.ruler = ruler
    paragraph(StyledText(report.kind.uppercased()), size: PageStyle.table, colour: PageStyle.colour("faint"), gap: 0)
    heading(report.heading, level: 1)
    paragraph(report.lead, size: PageStyle.body, colour: PageStyle.colour("faint"), gap: 4)
    for section in report.sections { add(section, level: 2) }
    paragraph(report.closing, size: PageStyle.table, colour: PageStyle.colour("faint"), gap: 18)
  }

  private mutating func add(_ section: Section, level: Int) {
    heading(section.title, level: level)
    for (place, block) in section.blocks.enumerated() {
      add(block, level: level)
      // A sentence stays with the command that it introduces.
      if case .paragraph = block, place + 1 < section.blocks.count, case .command = section.blocks[place + 1] {
        pieces[pieces.count - 1].staysWithNext = true
      }
    }
  }

  private mutating func add(_ block: Block, level: Int) {
    switch block {
    case .paragraph(let words): paragraph(words)
    case .list(let items): list(items)
    case .facts(let facts): add(facts)
    case .table(let table): pieces += TablePieces(table, ruler: ruler).pieces()
    case .figures(let pictures): add(pictures)
    case .verdict(let notice): add(notice)
    case .command(let words):
      var text = StyledText(words, .code).printed(size: PageStyle.body, width: PageStyle.width - 20)
      text.keepsWords = true
      let height = ruler.size(of: text).height + 12
      let ground = PageItem.fill(
        x: 0, y: 0, width: PageStyle.width, height: height, colour: PageStyle.colour("raised"))
      pieces.append(PagePiece(items: [ground, .tagged("P", [.text(text, x: 10, y: 6)])], height: height, gap: 6))
    case .section(let section): add(section, level: level + 1)
    case .details(_, let blocks): for block in blocks { add(block, level: level) }
    }
  }

  private mutating func heading(_ words: StyledText, level: Int) {
    // A heading with few break opportunities, such as a long identifier, would fill a page.
    let size = PageStyle.heading(words.text.longestWord > 30 ? 4 : level)
    let text = words.printed(size: size, width: PageStyle.width, isBold: true)
    let height = ruler.size(of: text).height
    var items: [PageItem] = [.tagged("H\(level)", [.text(text, x: 0, y: level == 2 ? 10 : 0)])]
    if level == 2 {
      items.insert(
        .fill(x: 0, y: 0, width: PageStyle.width, height: 0.75, colour: PageStyle.colour("line")), at: 0)
    }
    if level > 1 { items.append(.entry(words.text.printable, level: level - 1, y: 0)) }
    pieces.append(
      PagePiece(
        items: items, height: height + (level == 2 ? 10 : 0), gap: [2, 26, 18, 14][min(level, 4) - 1],
        staysWithNext: level > 1))
  }

  private mutating func paragraph(
    _ words: StyledText, size: Double = PageStyle.body, colour: PageColour = .text, indent: Double = 0, gap: Double = 8
  ) {
    let text = words.printed(
      size: size, width: PageStyle.width - indent, colour: colour, mostHeight: PageStyle.bottom - PageStyle.top - 80)
    pieces.append(
      PagePiece(
        items: [.tagged("P", [.text(text, x: indent, y: 0)])], height: ruler.size(of: text).height, gap: gap))
  }

  private mutating func list(_ items: [StyledText]) {
    for item in items { paragraph("• " + item, indent: 10, gap: 4) }
  }

  private mutating func add(_ facts: [Fact]) {
    let term = PageStyle.width * 0.22
    for (place, fact) in facts.enumerated() {
      let name = StyledText(fact.term).printed(
        size: PageStyle.small, width: term - 10, colour: PageStyle.colour("faint"))
      let text = fact.words.printed(
        size: PageStyle.small, width: PageStyle.width - term, mostHeight: PageStyle.bottom - PageStyle.top - 80)
      let height = max(ruler.size(of: name).height, ruler.size(of: text).height)
      var items: [PageItem] = [
        .tagged(
          "L",
          [.tagged("LI", [.tagged("Lbl", [.text(name, x: 0, y: 3)]), .tagged("LBody", [.text(text, x: term, y: 3)])])])
      ]
      if place > 0 {
        items.append(.fill(x: 0, y: 0, width: PageStyle.width, height: 0.5, colour: PageStyle.colour("line")))
      }
      pieces.append(PagePiece(items: items, height: height + 6, gap: place == 0 ? 8 : 0))
    }
  }

  private mutating func add(_ pictures: [Picture]) {
    let isPair = pictures.contains { $0.width == .half }
    let space = 16.0
    let width = isPair ? (PageStyle.width - space) / 2 : PageStyle.width
    let size = CanvasSize(width: width, height: isPair ? 300 : 270)
    for start in stride(from: 0, to: pictures.count, by: isPair ? 2 : 1) {
      var items: [PageItem] = []
      var below = 0.0
      for (place, picture) in pictures[start..<min(start + (isPair ? 2 : 1), pictures.count)].enumerated() {
        let x = Double(place) * (width + space)
        let caption = picture.caption.printed(
          size: PageStyle.table, width: width, colour: PageStyle.colour("faint"))
        items.append(
          .tagged(
            "Figure",
            [.chart(picture.chart, x: x, y: 0, size: size), .text(caption, x: x, y: size.height + 3)]))
        below = max(below, ruler.size(of: caption).height)
      }
      pieces.append(PagePiece(items: items, height: size.height + 3 + below, gap: 10))
    }
  }

  private mutating func add(_ notice: VerdictNotice) {
    let look = notice.shownVerdict?.rawValue
    let colour = PageStyle.colour(look ?? "faint")
    let ground = PageStyle.colour(look.map { "\($0)-ground" } ?? "raised")
    var lines: [(StyledText, Bool)] = [(StyledText("Verdict: \(notice.word)"), true), (notice.summary, false)]
    lines += (notice.problems + notice.reasons).map { ("• " + $0, false) }
    if !notice.warnings.isEmpty { lines.append(("To know besides:", false)) }
    lines += notice.warnings.map { ("• " + $0, false) }
    for (place, (words, isWord)) in lines.enumerated() {
      let text = words.printed(
        size: PageStyle.body, width: PageStyle.width - 32, colour: isWord ? colour : .text, isBold: isWord,
        mostHeight: PageStyle.bottom - PageStyle.top - 80)
      let (above, below) = (place == 0 ? 11.0 : 2, place == lines.count - 1 ? 11.0 : 2)
      let height = above + ruler.size(of: text).height + below
      pieces.append(
        PagePiece(
          items: [
            .fill(x: 0, y: 0, width: PageStyle.width, height: height + 0.5, colour: ground),
            .fill(x: 0, y: 0, width: 4, height: height + 0.5, colour: colour),
            .tagged("P", [.text(text, x: 18, y: above)]),
          ], height: height, gap: place == 0 ? 10 : 0, staysWithNext: place < min(2, lines.count - 1)))
    }
  }
}
