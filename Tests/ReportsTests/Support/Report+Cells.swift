@testable import Reports

extension Report {
  /// All tables, in their order.
  var tables: [DataTable] { sections.flatMap(\.tables) }

  /// The table whose caption begins with these words.
  func table(_ caption: String) -> DataTable? { tables.first { $0.caption.text.hasPrefix(caption) } }

  /// All charts, in their order.
  var pictures: [CaptionedChart] { sections.flatMap(\.pictures) }

  /// The words of a fact.
  func fact(_ term: String) -> String? { sections.flatMap(\.facts).first { $0.term == term }?.words.text }
}

extension DataTable {
  /// The text of a cell, without references to notes; `nil` where there is no such row or column.
  func cell(_ row: String, _ column: String) -> String? {
    guard let place = columns.firstIndex(where: { $0.title.text == column }) else { return nil }
    return groups.flatMap(\.rows).first { $0.cells.first?.text == row }?.cells[place].withoutNotes
  }

  /// The notes that a cell refers to.
  func notes(_ row: String, _ column: String) -> [String] {
    guard let place = columns.firstIndex(where: { $0.title.text == column }),
      let cell = groups.flatMap(\.rows).first(where: { $0.cells.first?.text == row })?.cells[place]
    else { return [] }
    return cell.runs.compactMap { run in if case .note(let number) = run.style { notes[number - 1].text } else { nil } }
  }
}

extension StyledText {
  /// What stands before the first reference to a note.
  var withoutNotes: String {
    runs.prefix { if case .note = $0.style { false } else { true } }.map(\.text).joined()
      .split(separator: "\u{202f}").first.map(String.init) ?? ""
  }
}

extension Section {
  private var all: [Block] { blocks.flatMap(\.all) }
  var tables: [DataTable] { all.compactMap { if case .table(let table) = $0 { table } else { nil } } }
  var pictures: [CaptionedChart] {
    all.flatMap { if case .figures(let pictures) = $0 { pictures } else { [CaptionedChart]() } }
  }
  var facts: [Fact] { all.flatMap { if case .facts(let facts) = $0 { facts } else { [Fact]() } } }
}

extension Block {
  /// The block and those inside of it.
  var all: [Block] {
    switch self {
    case .section(let section): [self] + section.blocks.flatMap(\.all)
    case .details(_, let blocks): [self] + blocks.flatMap(\.all)
    default: [self]
    }
  }
}
