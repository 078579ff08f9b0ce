import Analysis
import Basics
import Bundles
import Quantities
import Study

extension Overview {
  /// The most trials of a session's order that are shown.
  private static let maxInOrder = 500

  /// The sessions with records: each with its order and its own steps, or in a row where several participants are reported;
  /// `nil` without one.
  func sessionsSection(_ local: TimeZone) -> Section? {
    guard !records.isEmpty else { return nil }
    guard selection.isPersonal else { return Section("Sessions", [.table(sessionsTable(local))]) }
    guard records.count > 1 else { return Section("Order of the session", records.flatMap { blocks(of: $0, local) }) }
    return Section(
      "Order of the sessions",
      records.map { record in
        .section(
          Section(
            .given(record.studyProtocol.identifier) + StyledText(", session \(record.number)"),
            blocks(of: record, local)))
      })
  }

  private func sessionsTable(_ local: TimeZone) -> DataTable {
    let hasGroups = records.contains { $0.group != nil }
    let texts = ["start", "participant", "study"] + (hasGroups ? ["group"] : [])
    let rows = records.map { record in
      DataTable.Row(
        [local.brief(record.startDate), .given(record.participant), .given(record.studyProtocol.identifier)]
          + (hasGroups ? [.given(record.group)] : []) + [
            StyledText("\(record.number)"), StyledText("\(record.index)"),
            StyledText("\(record.trialsDone.count) of \(record.plan.count)"), StyledText(record.state.rawValue),
          ])
    }
    return DataTable(
      caption: "The sessions of designed studies, oldest first",
      columns: texts.map { .init(title: StyledText($0)) }
        + ["session", "index", "trials done"].map { .init(title: StyledText($0), isNumber: true) }
        + [.init(title: "state")], groups: [.init(title: nil, rows: rows)])
  }

  // MARK: One session

  private func blocks(of record: SessionRecord, _ local: TimeZone) -> [Block] {
    let group = record.group.map { ", group " + StyledText($0, .given) } ?? StyledText()
    let summary =
      "\(record.trialsDone.count) of \(record.plan.count.counted("trial")) of the plan were performed to their end; the "
      + "session is \(record.state.rawValue). Index \(record.index)"
    var blocks: [Block] = [
      .paragraph(StyledText(summary) + group + StyledText(", seed ") + .code("\(record.seed)") + "."),
      .table(orderTable(record, local)),
    ]
    let more = record.plan.count - Self.maxInOrder
    if more > 0 { blocks.append(.paragraph(StyledText("\(more.counted("further trial")) of the plan are not shown."))) }
    let repeated = record.performed.filter { $0.isSuperseded && $0.number != nil }
    if !repeated.isEmpty {
      blocks.append(
        .list(
          repeated.map { part in
            StyledText("Trial \(part.number ?? 0) was performed again; bundle ") + .code(part.bundle)
              + " does not count."
          }))
    }
    if let steps = stepsTable(record) { blocks.append(.table(steps)) }
    return blocks
  }

  /// Each trial of the plan with what was done of it.
  private func orderTable(_ record: SessionRecord, _ local: TimeZone) -> DataTable {
    let briefs = Dictionary(trials.map { ($0.facts.trial, $0) }) { first, _ in first }
    let performed = Dictionary(
      record.performed.filter { !$0.isSuperseded }.compactMap { part in part.number.map { ($0, part.bundle) } }
    ) { $1 }
    let rows = record.plan.prefix(Self.maxInOrder).map { planned -> DataTable.Row in
      let brief = performed[planned.number].flatMap { briefs[$0] }
      let design = planned.design
      return DataTable.Row(
        [
          StyledText("\(planned.number)"), design?.styled ?? .none,
          design.map { StyledText("\($0.block)") } ?? .none, design.map { StyledText("\($0.position)") } ?? .none,
          .given(planned.clip?.name), local.brief(brief?.facts.start),
          brief.map { Self.verdict($0.facts) } ?? "not performed",
        ], verdict: brief?.facts.verdict)
    }
    return DataTable(
      caption: "The planned order, and what was done",
      columns: [
        .init(title: "trial", isNumber: true), .init(title: "condition"), .init(title: "block", isNumber: true),
        .init(title: "position", isNumber: true), .init(title: "clip"), .init(title: "start"), .init(title: "verdict"),
      ], groups: [.init(title: nil, rows: rows)])
  }

  /// The steps around the trials, as they were shown; `nil` where none was.
  private func stepsTable(_ record: SessionRecord) -> DataTable? {
    let parts = around.filter { $0.run == record.session }
    let groups = parts.enumerated().map { number, part in
      DataTable.Group(
        title: parts.count > 1 ? StyledText("part \(number + 1), bundle ") + .code(part.facts.trial) : nil,
        rows: part.steps.map { step in
          let end = step.finished ?? step.left
          return DataTable.Row([
            .given(step.identifier), StyledText(Reports.seconds(step.shown.seconds)),
            end.map { StyledText(Reports.seconds(($0 - (step.begun ?? step.shown)).seconds)) } ?? .none,
            step.end.map { StyledText($0.rawValue) } ?? .none,
          ])
        })
    }
    guard groups.contains(where: { !$0.rows.isEmpty }) else { return nil }
    return DataTable(
      caption: "The session's own steps; that of the trials lasts as long as they do",
      columns: [
        .init(title: "step"), .init(title: "shown after", isNumber: true), .init(title: "lasted", isNumber: true),
        .init(title: "end"),
      ], groups: groups)
  }
}

extension TrialPlacement {
  fileprivate var styled: StyledText { .given(condition) + StyledText(isPractice ? " (practice)" : "") }
}

extension TrialBrief {
  /// The condition; of what lies around the trials, that it does.
  var condition: StyledText { facts.isAround ? "around the trials" : facts.design?.styled ?? .none }
}
