import Charts

/// Prints a report on A4 pages.
enum PagePrinter {
  static func print(_ report: Report) throws(ChartError) -> [UInt8] {
    // Colour fonts make tagging fail: then print without tags.
    if let tagged = try? print(report, isTagged: true) { return tagged }
    return try print(report, isTagged: false)
  }

  private static func print(_ report: Report, isTagged: Bool) throws(ChartError) -> [UInt8] {
    let writer = try PageWriter(
      size: PageStyle.size, title: report.title, subject: report.lead.text, isTagged: isTagged)
    let pages = PageFlow(PagePieces(report, ruler: writer).pieces).pages
    for (index, items) in pages.enumerated() {
      if index > 0 { writer.nextPage() }
      for item in items { draw(item, with: writer) }
      foot(report, page: index + 1, of: pages.count, with: writer)
    }
    return try writer.finish()
  }

  private static func draw(_ item: PageItem, with writer: PageWriter) {
    let left = PageStyle.margin
    switch item {
    case .text(let text, let x, let y): writer.write(text, x: left + x, y: y)
    case .fill(let x, let y, let width, let height, let colour):
      writer.fill(x: left + x, y: y, width: width, height: height, colour)
    case .chart(let chart, let x, let y, let size):
      // A chart's labels are sized for screens, larger than the surrounding text.
      writer.draw(chart, x: left + x, y: y, size: size, scale: 0.85)
    case .tagged(let name, let items): writer.tagged(name) { for item in items { draw(item, with: writer) } }
    case .entry(let text, let level, let y): writer.addEntry(text, level: level, y: y)
    }
  }

  private static func foot(_ report: Report, page: Int, of count: Int, with writer: PageWriter) {
    let faint = PageStyle.colour("faint")
    let numbers = StyledText("page \(page) of \(count)").printed(size: PageStyle.table, colour: faint)
    let width = writer.size(of: numbers).width
    let title = report.footer.printed(
      size: PageStyle.table, width: PageStyle.width - width - 24, colour: faint, mostHeight: 30)
    writer.fill(
      x: PageStyle.margin, y: PageStyle.footer - 7, width: PageStyle.width, height: 0.5, PageStyle.colour("line"))
    writer.write(title, x: PageStyle.margin, y: PageStyle.footer)
    writer.write(numbers, x: PageStyle.margin + PageStyle.width - width, y: PageStyle.footer)
  }
}
