import Analysis
import Basics
import Bundles
import Recordings
import Study

extension Overview {
  /// A question of a form, by its step and its identifier.
  private struct AskedQuestion: Hashable {
    let step: String
    let question: String

    init(_ answer: TrialRecord.Answer) { (step, question) = (answer.step, answer.question) }

    var title: StyledText {
      step == question ? .given(step) : .given(step) + StyledText(", ") + .given(question)
    }
  }

  /// The participants' answers, trial by trial and by clip; `nil` without one.
  var answersSection: Section? {
    var questions: [AskedQuestion] = []
    for answer in parts.flatMap(\.answers) where !questions.contains(AskedQuestion(answer)) {
      questions.append(AskedQuestion(answer))
    }
    guard !questions.isEmpty else { return nil }
    let dash = "A dash is a question without an answer."
    let numbers = questions.filter(isNumber)
    guard !numbers.isEmpty else {
      return Section("Answers", [.paragraph(StyledText(dash)), .table(answersTable(questions))])
    }
    let omissions = selection.omissions
    let used = trials.filter { TrialOmission.of($0.facts, by: grouping, among: omissions) == nil }
    let isOfOne = Set(used.map(\.facts.participant)).count == 1
    let unit =
      isOfOne
      ? "SD and the 95 % confidence interval of the means are over the trials of the one participant."
      : "In the means a participant's trials of a \(grouping.rawValue) are averaged first; SD and the 95 % confidence interval are over "
        + "participants."
    return Section(
      "Answers",
      [
        .paragraph(StyledText("\(dash) \(unit) The means leave out the same trials as those of heart rates.")),
        .table(answersTable(questions)),
        .table(answerMeans(numbers, of: used, over: isOfOne ? .trials : .participants)),
      ])
  }

  /// What answers are averaged by: a trial of silence has a condition and no clip.
  private var grouping: TrialGrouping {
    hasDesign ? .condition : trials.contains { $0.facts.group != nil } ? .group : .clip
  }

  /// Whether every answer to a question is a number, of which there are means.
  private func isNumber(_ question: AskedQuestion) -> Bool {
    parts.flatMap(\.answers).allSatisfy { AskedQuestion($0) != question || $0.value.number != nil }
  }

  private func answersTable(_ questions: [AskedQuestion]) -> DataTable {
    let numbers = Dictionary(trials.enumerated().map { ($1.facts.trial, $0 + 1) }) { first, _ in first }
    let rows = parts.filter { !$0.answers.isEmpty }.map { trial in
      let values = questions.map { question -> StyledText in
        let given = trial.answers.last { AskedQuestion($0) == question }
        return given.map { $0.value.brief } ?? .none
      }
      return DataTable.Row(
        [numbers[trial.facts.trial].map { StyledText("\($0)") } ?? .none, .given(trial.facts.participant)]
          + (hasDesign ? [trial.condition] : []) + [.given(trial.facts.clip)] + values
          + [Self.verdict(trial.facts)], verdict: trial.facts.verdict)
    }
    return DataTable(
      caption: "The answers of each trial",
      columns: [.init(title: "no.", isNumber: true), .init(title: "participant")]
        + (hasDesign ? ["condition"] : []).map { .init(title: $0) } + [.init(title: "clip")]
        + questions.map { .init(title: $0.title, isNumber: isNumber($0)) } + [.init(title: "verdict")],
      groups: [.init(title: nil, rows: rows)])
  }

  private func answerMeans(
    _ questions: [AskedQuestion], of used: [TrialBrief], over unit: SamplingUnit
  ) -> DataTable {
    let groups = questions.map { question -> DataTable.Group in
      let observations = used.compactMap { trial -> WithinParticipants.Observation? in
        // Of a question that was asked again the last answer counts.
        let answer = trial.answers.last { AskedQuestion($0) == question }
        return answer?.value.number.map {
          WithinParticipants.Observation(
            participant: trial.facts.participant, condition: grouping.key(of: trial.facts), value: $0)
        }
      }
      let means = WithinParticipants(observations, over: unit, comparing: .none)
      let rows = means.conditions.map { clip in
        let one = clip.summary
        return DataTable.Row([
          .given(clip.name), StyledText("\(one.participants)"), StyledText("\(one.trials)"),
          one.mean.map { StyledText($0.decimals(2)) } ?? .none,
          one.standardDeviation.map { StyledText($0.decimals(2)) } ?? .none,
          one.interval.map { StyledText("\($0.lower.decimals(2)) to \($0.upper.decimals(2))") } ?? .none,
        ])
      }
      return DataTable.Group(title: question.title, rows: rows)
    }
    return DataTable(
      caption: StyledText("Mean answers by \(grouping.rawValue)"),
      columns: [.init(title: StyledText(grouping.rawValue))]
        + ["participants", "trials", "mean", "SD", "95 % CI"].map { .init(title: StyledText($0), isNumber: true) },
      groups: groups.filter { !$0.rows.isEmpty })
  }
}

extension AnswerValue {
  /// The answer in a report.
  var styled: StyledText { number == nil ? .given(description) : StyledText(description) }

  /// The answer in a cell of a table, where the beginning of a text must do.
  fileprivate var brief: StyledText { number == nil ? .given(description.shortened) : StyledText(description) }
}
