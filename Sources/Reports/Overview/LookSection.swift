import Analysis
import Basics
import Bundles
import Recordings

extension Overview {
  /// A list for review: trials that are not good, changed bundles, and unreadable data.
  var lookSection: Section {
    let suspect = parts.filter { $0.facts.verdict != .good }
    let changed = parts.filter { !$0.fileProblems.isEmpty }
    var blocks: [Block] = []
    if !suspect.isEmpty { blocks.append(.table(suspectTable(suspect))) }
    if !changed.isEmpty { blocks.append(.table(changedTable(changed))) }
    if !problems.isEmpty { blocks.append(list("What could not be read or relied on", problems)) }
    if !repeated.isEmpty { blocks.append(list("What is in the folder more than once", repeated)) }
    return Section(
      "What to look at", blocks.isEmpty ? [.paragraph("Nothing: every trial is good.")] : blocks)
  }

  private func list(_ title: StyledText, _ sentences: [String]) -> Block {
    // The folder's path is not valid on other computers, and may reveal a user name.
    .section(Section(title, [.list(sentences.map { .given($0.replacing("“\(path)/", with: "“").sentence) })]))
  }

  private func suspectTable(_ suspect: [TrialBrief]) -> DataTable {
    DataTable(
      caption: "Trials that are not good",
      columns: ["trial", "participant", "session", "clip", "caveats", "verdict"].map { .init(title: StyledText($0)) },
      groups: [
        .init(
          title: nil,
          rows: suspect.map { trial in
            let facts = trial.facts
            return DataTable.Row(
              [
                .code(facts.trial), .given(facts.participant), .given(facts.session), .given(facts.clip),
                .given(facts.reasons.map(\.description.sentence).joined(separator: " ")), Self.verdict(facts),
              ], verdict: facts.verdict)
          })
      ])
  }

  private func changedTable(_ changed: [TrialBrief]) -> DataTable {
    DataTable(
      caption: "Bundles whose files are not what their manifests list",
      columns: ["trial", "bundle", "files"].map { .init(title: StyledText($0)) },
      groups: [
        .init(
          title: nil,
          rows: changed.map { trial in
            DataTable.Row([
              .code(trial.facts.trial), .code(Folder.name(of: trial.path)),
              .given(trial.fileProblems.map(\.sentence).joined(separator: " ")),
            ])
          })
      ])
  }
}
