import Bundles
import Charts

/// A part of a report; every output shows all of them.
enum Block: Sendable {
  case paragraph(Words)
  case list([Words])
  /// Terms and what they are.
  case facts([Fact])
  case table(DataTable)
  /// Charts beside each other where there is room.
  case figures([Picture])
  /// How far a trial can be trusted.
  case verdict(VerdictNotice)
  /// A command to type, or something else to copy.
  case command(String)
  /// What few want to read: a page shows its title alone until it is opened, and paper shows all of it.
  case details(Words, [Block])
  case section(Section)
}

/// A part of a report under a heading.
struct Section: Sendable {
  var title: Words
  var blocks: [Block]

  init(_ title: Words, _ blocks: [Block]) { (self.title, self.blocks) = (title, blocks) }
}

/// A term and what it is.
struct Fact: Hashable, Sendable {
  var term: String
  var words: Words

  init(_ term: String, _ words: Words) { (self.term, self.words) = (term, words) }
}

/// A chart with the sentence below it.
struct Picture: Sendable {
  /// How much of the page's width it takes.
  enum Width: Sendable {
    case whole
    /// Half of it, with as much height.
    case half
  }

  var chart: any Chart
  var caption: Words
  var width = Width.whole
}

/// How far a trial can be trusted, and why not further.
struct VerdictNotice: Hashable, Sendable {
  /// `nil` where the file says none, or one that this station does not know.
  var verdict: Verdict?
  var summary: Words
  /// What keeps the verdict and the numbers from being relied on.
  var problems: [Words] = []
  /// Why not better.
  var reasons: [Words]
  /// What to know besides.
  var warnings: [Words]

  /// The verdict's word, and whether the bundle is one to take it from.
  var word: String { (verdict?.rawValue ?? "unknown") + (problems.isEmpty ? "" : " by the bundle, which has problems") }

  /// The verdict by which the notice is coloured: no better than suspect where there are problems.
  var shownVerdict: Verdict? { problems.isEmpty || verdict != .good ? verdict : .suspect }
}

/// Rows under headings.
struct DataTable: Sendable {
  /// What stands in a column.
  struct Column: Hashable, Sendable {
    var title: Words
    /// Numbers end at the column's right edge.
    var isNumber = false
  }

  /// A row, whose first cell is its heading.
  struct Row: Hashable, Sendable {
    var cells: [Words]
    /// How far the trial that the row is about can be trusted; the last cell then says it.
    var verdict: Verdict?

    init(_ cells: [Words], verdict: Verdict? = nil) { (self.cells, self.verdict) = (cells, verdict) }
  }

  /// Rows that belong together.
  struct Group: Hashable, Sendable {
    /// Their heading; `nil` where there is one group only.
    var title: Words?
    var rows: [Row]
  }

  /// What the table shows.
  var caption: Words
  var columns: [Column]
  var groups: [Group]
  /// Sentences that cells refer to, counted from 1.
  var notes: [Words] = []

  /// Whether it is wider than a telephone, whose reader then moves it sideways.
  var isWide: Bool { columns.count > 5 }

  /// How many rows there are.
  var rowCount: Int { groups.reduce(0) { $0 + $1.rows.count } }
}

/// The notes of a table while its cells are written: the same sentence is noted once.
struct Notes {
  private(set) var sentences: [Words] = []
  private var numbers: [Words: Int] = [:]

  /// The reference to a note.
  mutating func reference(_ sentence: Words) -> Words {
    if let number = numbers[sentence] { return Words([.init(text: "\(number)", style: .note(number))]) }
    sentences.append(sentence)
    numbers[sentence] = sentences.count
    return Words([.init(text: "\(sentences.count)", style: .note(sentences.count))])
  }
}
