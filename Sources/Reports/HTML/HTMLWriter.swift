import Basics
import Bundles
import Charts

/// Writes a report as one page of HTML; the same report always gives the same bytes.
///
/// All text passes through ``html(_:table:)``, which escapes everything that a browser could interpret as a tag.
struct HTMLWriter {
  private var text = ""
  private var tables = 0
  private var figures = 0

  static func write(_ report: Report) -> String {
    var writer = HTMLWriter()
    writer.page(report)
    return writer.text
  }

  private mutating func page(_ report: Report) {
    let titles = report.sections.enumerated().map { index, section in
      "<li><a href=\"#part-\(index + 1)\">\(html(section.title))</a></li>"
    }
    text = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>\(Self.escaped(report.title))</title>
      <style>
      \(StyleSheet.text)
      @page{@bottom-left{content:\(Self.quoted(report.footer.text))}}
      </style>
      </head>
      <body>
      <a class="skip" href="#report">Skip to the report</a>
      <header>
      <p class="kind">\(Self.escaped(report.kind))</p>
      <h1\(report.heading.text.longestWord > 30 ? " class=\"long\"" : "")>\(html(report.heading))</h1>
      <p class="lead">\(html(report.lead))</p>
      </header>
      <nav aria-label="Contents">
      <ul>
      \(titles.joined(separator: "\n"))
      </ul>
      </nav>
      <main id="report">

      """
    for (index, section) in report.sections.enumerated() {
      write(section, identifier: "part-\(index + 1)", level: 2)
    }
    text += "</main>\n<footer>\n<p>\(html(report.footer)) \(html(report.closing))</p>\n</footer>\n</body>\n</html>\n"
  }

  private mutating func write(_ section: Section, identifier: String, level: Int) {
    let heading = "h\(min(level, 6))"
    // Top-level sections are landmarks with unique names; nested ones may share names.
    text += level == 2 ? "<section aria-labelledby=\"\(identifier)\">\n" : "<section>\n"
    text += "<\(heading) id=\"\(identifier)\">\(html(section.title))</\(heading)>\n"
    var inner = 0
    for block in section.blocks {
      if case .section = block { inner += 1 }
      write(block, identifier: "\(identifier)-\(inner)", level: level)
    }
    text += "</section>\n"
  }

  private mutating func write(_ block: Block, identifier: String, level: Int) {
    switch block {
    case .paragraph(let words): text += "<p>\(html(words))</p>\n"
    case .list(let items): text += list(items)
    case .facts(let facts):
      text += "<dl>\n"
      for fact in facts {
        text += "<div><dt>\(Self.escaped(fact.term))</dt><dd>\(html(fact.words))</dd></div>\n"
      }
      text += "</dl>\n"
    case .table(let table): write(table)
    case .figures(let pictures): write(pictures)
    case .verdict(let notice): write(notice)
    case .command(let words):
      // In print, commands break between words only, since options contain hyphens.
      let parts = words.split(separator: " ", omittingEmptySubsequences: false)
      let spans = parts.map { "<span>\(Self.escaped(String($0)))</span>" }
      text += "<p class=\"command\">\(spans.joined(separator: " "))</p>\n"
    case .details(let title, let blocks):
      text += "<details>\n<summary>\(html(title))</summary>\n"
      for block in blocks { write(block, identifier: identifier, level: level) }
      text += "</details>\n"
    case .section(let section): write(section, identifier: identifier, level: level + 1)
    }
  }

  private mutating func write(_ notice: VerdictNotice) {
    let look = notice.shownVerdict?.rawValue ?? "unknown"
    text += "<div class=\"verdict \(look)\">\n<p class=\"word\">Verdict: \(notice.word)</p>\n"
    text += "<p>\(html(notice.summary))</p>\n" + list(notice.problems) + list(notice.reasons)
    if !notice.warnings.isEmpty { text += "<p>To know besides:</p>\n" + list(notice.warnings) }
    text += "</div>\n"
  }

  private mutating func write(_ table: DataTable) {
    tables += 1
    let number = tables
    let caption = "table-\(number)"
    // On a phone a wide table scrolls within its box, which is reachable by keyboard. The verdict column stays visible.
    let isJudged = table.groups.contains { $0.rows.contains { $0.verdict != nil } }
    text +=
      table.isWide
      ? "<div class=\"box\" role=\"group\" tabindex=\"0\" aria-labelledby=\"\(caption)\">\n"
        + "<table class=\"many\(isJudged ? " graded" : "")\">\n"
      : "<div class=\"box\">\n<table>\n"
    text += "<caption id=\"\(caption)\">\(html(table.caption, table: number))</caption>\n<thead>\n<tr>"
    for column in table.columns {
      text += "<th scope=\"col\"\(column.isNumber ? " class=\"number\"" : "")>\(html(column.title, table: number))</th>"
    }
    text += "</tr>\n</thead>\n"
    for group in table.groups {
      text += "<tbody>\n"
      if let title = group.title {
        let span = table.columns.count
        text += "<tr><th scope=\"rowgroup\" colspan=\"\(span)\">\(html(title, table: number))</th></tr>\n"
      }
      for row in group.rows { write(row, of: table, number: number) }
      text += "</tbody>\n"
    }
    text += "</table>\n</div>\n"
    guard !table.notes.isEmpty else { return }
    text += "<ol class=\"notes\">\n"
    for (index, note) in table.notes.enumerated() {
      let back = "<a href=\"#\(caption)\" aria-label=\"back to the table, from note \(index + 1)\">↑</a>"
      text += "<li id=\"\(caption)-note-\(index + 1)\">\(html(note)) \(back)</li>\n"
    }
    text += "</ol>\n"
  }

  private mutating func write(_ row: DataTable.Row, of table: DataTable, number: Int) {
    text += "<tr>"
    for (column, cell) in zip(table.columns, row.cells).enumerated().map({ ($0.offset, $0.element.1) }) {
      let kind = table.columns[column].isNumber ? " class=\"number\"" : ""
      var words = html(cell, table: number)
      if let verdict = row.verdict, column == table.columns.count - 1 {
        words = "<span class=\"badge \(verdict.rawValue)\">\(words)</span>"
      }
      text += column == 0 ? "<th scope=\"row\"\(kind)>\(words)</th>" : "<td\(kind)>\(words)</td>"
    }
    text += "</tr>\n"
  }

  private mutating func write(_ pictures: [CaptionedChart]) {
    let isPair = pictures.contains { $0.width == .half }
    if isPair { text += "<div class=\"pair\">\n" }
    for picture in pictures {
      figures += 1
      let name = "figure-\(figures)"
      text += "<figure>\n"
      switch picture.width {
      case .half: text += "<div>\(svg(picture.chart, .half, name))</div>\n"
      case .whole:
        // Labels sized for a wide screen would be illegible on a phone, which gets a drawing of its own.
        text += "<div class=\"wide\">\(svg(picture.chart, .whole, name))</div>\n"
        text += "<div class=\"narrow\">\(svg(picture.chart, .narrow, "\(name)-narrow"))</div>\n"
      }
      text += "<figcaption>\(html(picture.caption))</figcaption>\n</figure>\n"
    }
    if isPair { text += "</div>\n" }
  }

  private func svg(_ chart: any Chart, _ size: CanvasSize, _ identifier: String) -> String {
    chart.svg(size: size, appearance: .automatic, identifier: identifier)
  }

  private func list(_ items: [StyledText]) -> String {
    guard !items.isEmpty else { return "" }
    return "<ul>\n" + items.map { "<li>\(html($0))</li>\n" }.joined() + "</ul>\n"
  }

  /// The text as HTML.
  ///
  /// - Parameters:
  ///   - words: the text.
  ///   - table: the number of the surrounding table, whose footnotes the text may refer to.
  /// - Returns: HTML whose only tags are the report's own.
  private func html(_ words: StyledText, table: Int? = nil) -> String {
    words.runs.map { run in
      let text = Self.escaped(run.text)
      return switch run.style {
      case .plain: text
      case .given:
        // The escape of a direction-changing character is itself left-to-right. A name without break opportunities
        // would push other columns out of view.
        "<bdi\(run.text.longestWord > 16 ? " class=\"long\"" : "")>"
          + run.text.printable.escapes.map { part, isEscape in
            isEscape ? "<bdi dir=\"ltr\">\(part.escapedForXML)</bdi>" : part.escapedForXML
          }.joined() + "</bdi>"
      case .code: "<code>\(text)</code>"
      case .strong: "<strong>\(text)</strong>"
      case .faint: "<span class=\"faint\">\(text)</span>"
      case .unbroken: "<span class=\"unbroken\">\(text)</span>"
      case .note(let number):
        table.map { "<sup><a href=\"#table-\($0)-note-\(number)\" aria-label=\"note \(text)\">\(text)</a></sup>" } ?? ""
      }
    }.joined()
  }

  /// A text as a string of a style sheet, in which every character but letters, digits and spaces is escaped.
  private static func quoted(_ text: String) -> String {
    let characters = text.printable.unicodeScalars.map { scalar in
      let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == " "
      return isPlain ? String(scalar) : "\\" + String(scalar.value, radix: 16) + " "
    }
    return "\"\(characters.joined())\""
  }

  /// Escapes a text so that a browser displays every character and interprets none.
  private static func escaped(_ text: String) -> String { text.printable.escapedForXML }
}

extension CanvasSize {
  /// The sizes of charts on a page: full width, half width, and phone width.
  static let whole = CanvasSize(width: 856, height: 340)
  static let half = CanvasSize(width: 418, height: 400)
  static let narrow = CanvasSize(width: 350, height: 300)
}

extension Report {
  /// The report as a self-contained HTML page.
  ///
  /// A browser prints it on numbered pages of A4. The page contains no script and no external references, and its
  /// security policy forbids both. The same report gives the same bytes.
  package func html() -> String { HTMLWriter.write(self) }
}
