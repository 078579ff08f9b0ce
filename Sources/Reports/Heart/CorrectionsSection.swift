import Analysis
import Bundles
import Recordings

extension ReportedHeart {
  /// What people have corrected; `nil` without corrections of this heart.
  var correctionsSection: Section? {
    guard let corrections = recording.corrections, !corrections.entries.isEmpty else { return nil }
    let shown = corrections.entries.prefix(Self.maxCorrections)
    let rows = shown.map { entry in
      DataTable.Row([
        StyledText("\(entry.correction.number)"), StyledText("\(entry.correction.edit)"),
        .given(entry.correction.author), .given(entry.correction.reason), StyledText("\(entry.state)"),
      ])
    }
    var blocks: [Block] = [
      .paragraph(
        "People have looked at these beats. Their corrections lie beside the bundle, which holds the beats as they were "
          + "recorded; “--corrections none” computes every number from those."),
      .table(
        DataTable(
          caption: "Corrections and what became of them",
          columns: [
            .init(title: "no.", isNumber: true), .init(title: "correction"), .init(title: "author"),
            .init(title: "reason"), .init(title: "state"),
          ], groups: [.init(title: nil, rows: rows)])),
    ]
    if shown.count < corrections.entries.count {
      blocks.append(
        .paragraph(
          StyledText(
            "These are the first \(shown.count) of \(corrections.entries.count); “station corrections” lists all.")))
    }
    return Section("Corrections", blocks)
  }

  /// More are not worth listing on a page.
  private static let maxCorrections = 200
}
