import Bundles
import Charts

/// A part of a report, which every output format shows.
enum Block: Sendable {
  case paragraph(Words)
  case list([Words])
  /// Terms with their descriptions.
  case facts([Fact])
  case table(DataTable)
  /// Charts, side by side if there is room.
  case figures([Picture])
  /// The verdict on a trial's quality.
  case verdict(VerdictNotice)
  /// A command to type, or other text to copy.
  case command(String)
  /// Secondary content: collapsed on an HTML page, shown in full on paper.
  case details(Words, [Block])
  case section(Section)
}

/// A part of a report with a heading.
struct Section: Sendable {
  var title: Words
  var blocks: [Block]

  init(_ title: Words, _ blocks: [Block]) { (self.title, self.blocks) = (title, blocks) }
}

/// A term with its description.
struct Fact: Hashable, Sendable {
  var term: String
  var words: Words

  init(_ term: String, _ words: Words) { (self.term, self.words) = (term, words) }
}

/// A chart with its caption.
struct Picture: Sendable {
  /// The part of the page's width that it takes.
  enum Width: Sendable {
    case whole
    /// Half the width, at the same height.
    case half
  }

  var chart: any Chart
  var caption: Words
  var width = Width.whole
}

/// The verdict on a trial's quality, with its reasons.
struct VerdictNotice: Hashable, Sendable {
  /// The verdict; `nil` if the file has none, or one that this version does not know.
  var verdict: Verdict?
  var summary: Words
  /// Problems that make the verdict and the numbers unreliable.
  var problems: [Words] = []
  /// The caveats that led to the verdict.
  var reasons: [Words]
  /// Further warnings.
  var warnings: [Words]

  /// The verdict in words, with a remark if the bundle has problems.
  var word: String { (verdict?.rawValue ?? "unknown") + (problems.isEmpty ? "" : " by the bundle, which has problems") }

  /// The verdict that determines the notice's colour: at best suspect if there are problems.
  var shownVerdict: Verdict? { problems.isEmpty || verdict != .good ? verdict : .suspect }
}

/// A table with column headings.
struct DataTable: Sendable {
  /// A column of a table.
  struct Column: Hashable, Sendable {
    var title: Words
    /// Whether the column holds numbers, which are right-aligned.
    var isNumber = false
  }

  /// A row, whose first cell is its heading.
  struct Row: Hashable, Sendable {
    var cells: [Words]
    /// The verdict on the row's trial, shown in the last cell.
    var verdict: Verdict?

    init(_ cells: [Words], verdict: Verdict? = nil) { (self.cells, self.verdict) = (cells, verdict) }
  }

  /// A group of rows.
  struct Group: Hashable, Sendable {
    /// The group's heading; `nil` if there is only one group.
    var title: Words?
    var rows: [Row]
  }

  /// The table's caption.
  var caption: Words
  var columns: [Column]
  var groups: [Group]
  /// Footnotes that cells refer to, numbered from 1.
  var notes: [Words] = []

  /// Whether the table is too wide for a phone, where it scrolls sideways.
  var isWide: Bool { columns.count > 5 }

  /// The number of rows in all groups.
  var rowCount: Int { groups.reduce(0) { $0 + $1.rows.count } }
}

/// Collects the footnotes of a table while its cells are written; identical sentences share one footnote.
struct Notes {
  private(set) var sentences: [Words] = []
  private var numbers: [Words: Int] = [:]

  /// The reference to a footnote.
  mutating func reference(_ sentence: Words) -> Words {
    if let number = numbers[sentence] { return Words([.init(text: "\(number)", style: .note(number))]) }
    sentences.append(sentence)
    numbers[sentence] = sentences.count
    return Words([.init(text: "\(sentences.count)", style: .note(sentences.count))])
  }
}
