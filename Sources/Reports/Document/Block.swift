import Bundles
import Charts

/// A part of a report, which every output format shows.
enum Block: Sendable {
  case paragraph(StyledText)
  case list([StyledText])
  /// Terms with their descriptions.
  case facts([Fact])
  case table(DataTable)
  /// Charts, side by side if there is room.
  case figures([CaptionedChart])
  /// The verdict on a trial's quality.
  case verdict(VerdictNotice)
  /// A command to type, or other text to copy.
  case command(String)
  /// Secondary content: collapsed on an HTML page, shown in full on paper.
  case details(StyledText, [Block])
  case section(Section)
}

/// A part of a report with a heading.
struct Section: Sendable {
  var title: StyledText
  var blocks: [Block]

  init(_ title: StyledText, _ blocks: [Block]) { (self.title, self.blocks) = (title, blocks) }
}

/// A term with its description.
struct Fact: Hashable, Sendable {
  var term: String
  var words: StyledText

  init(_ term: String, _ words: StyledText) { (self.term, self.words) = (term, words) }
}

/// A chart with its caption.
struct CaptionedChart: Sendable {
  /// The part of the page's width that it takes.
  enum Width: Sendable {
    case whole
    /// Half the width, at the same height.
    case half
  }

  var chart: any Chart
  var caption: StyledText
  var width = Width.whole
}

/// The verdict on a trial's quality, with its reasons.
struct VerdictNotice: Hashable, Sendable {
  /// The verdict; `nil` if the file has none, or one that this version does not know.
  var verdict: Verdict?
  var summary: StyledText
  /// Problems that make the verdict and the numbers unreliable.
  var problems: [StyledText] = []
  /// The caveats that led to the verdict.
  var reasons: [StyledText]
  /// Further warnings.
  var warnings: [StyledText]

  /// The verdict in words, with a remark if the bundle has problems.
  var word: String { (verdict?.rawValue ?? "unknown") + (problems.isEmpty ? "" : " by the bundle, which has problems") }

  /// The verdict that determines the notice's colour: at best suspect if there are problems.
  var shownVerdict: Verdict? { problems.isEmpty || verdict != .good ? verdict : .suspect }
}

/// A table with column headings.
struct DataTable: Sendable {
  /// A column of a table.
  struct Column: Hashable, Sendable {
    var title: StyledText
    /// Whether the column holds numbers, which are right-aligned.
    var isNumber = false
  }

  /// A row, whose first cell is its heading.
  struct Row: Hashable, Sendable {
    var cells: [StyledText]
    /// The verdict on the row's trial, shown in the last cell.
    var verdict: Verdict?

    init(_ cells: [StyledText], verdict: Verdict? = nil) { (self.cells, self.verdict) = (cells, verdict) }
  }

  /// A group of rows.
  struct Group: Hashable, Sendable {
    /// The group's heading; `nil` if there is only one group.
    var title: StyledText?
    var rows: [Row]
  }

  /// The table's caption.
  var caption: StyledText
  var columns: [Column]
  var groups: [Group]
  /// Footnotes that cells refer to, numbered from 1.
  var notes: [StyledText] = []

  /// Whether the table is too wide for a phone, where it scrolls sideways.
  var isWide: Bool { columns.count > 5 }

  /// The number of rows in all groups.
  var rowCount: Int { groups.reduce(0) { $0 + $1.rows.count } }
}

/// Collects the footnotes of a table while its cells are written; identical sentences share one footnote.
struct Notes {
  private(set) var sentences: [StyledText] = []
  private var numbers: [StyledText: Int] = [:]

  /// The reference to a footnote.
  mutating func reference(_ sentence: StyledText) -> StyledText {
    if let number = numbers[sentence] { return StyledText([.init(text: "\(number)", style: .note(number))]) }
    sentences.append(sentence)
    numbers[sentence] = sentences.count
    return StyledText([.init(text: "\(sentences.count)", style: .note(sentences.count))])
  }
}
