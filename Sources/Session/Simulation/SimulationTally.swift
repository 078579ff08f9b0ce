package import Basics
import Bundles
import Quantities
import Study

/// What came of a simulation, in numbers.
package struct SimulationTally: Hashable, Sendable {
  /// A condition as it is counted: practice by itself.
  struct Condition: Hashable, Sendable {
    /// The condition's name; the protocol's identifier for a protocol that is a single trial.
    let name: String
    /// Whether the trials are for practice.
    let isPractice: Bool
  }

  /// Where a clip was played.
  struct Cell: Hashable, Sendable {
    let condition: Condition
    /// The clip's name; `nil` for silence.
    let clip: String?
    /// The position among the design's trials, from 1.
    let position: Int
  }

  /// The answers to a question.
  struct Answers: Hashable, Sendable {
    /// How often it was asked.
    fileprivate(set) var asked = 0
    /// How often each answer was given.
    fileprivate(set) var given: [AnswerValue: Int] = [:]

    /// How often it was answered with a signature, which is kept apart from results.
    fileprivate(set) var signed = 0

    /// How often it was answered.
    var answered: Int { given.values.reduce(0, +) + signed }
    /// How often it was left without an answer.
    var missing: Int { asked - answered }
  }

  /// How many sessions were performed.
  private(set) var sessions = 0
  /// How many trials were performed, without what lies around them.
  private(set) var trials = 0
  /// The simulated time of all sessions.
  private(set) var time = Duration.zero
  /// How many trials were played with a clip, or in silence, in each condition and position.
  private(set) var cells: [Cell: Int] = [:]
  /// How often each verdict was reached, that on what lies around trials included.
  private(set) var verdicts: [Verdict: Int] = [:]
  /// The participants of each group.
  private(set) var groups: [String: Set<String>] = [:]
  /// The answers to each question, by step and question.
  private(set) var questions: [AskedQuestion: Answers] = [:]
  /// What went wrong, in the order of participants.
  package private(set) var problems: [SimulationProblem] = []

  /// Answers by step and question's identifiers, until the questions are known.
  private var given: [QuestionName: [AnswerValue: Int]] = [:]

  private struct QuestionName: Hashable, Sendable {
    let step: String
    let question: String
  }

  /// Counts a trial, or what lies around trials.
  mutating func take(_ record: TrialRecord) {
    verdicts[record.verdict, default: 0] += 1
    for answer in record.answers {
      given[QuestionName(step: answer.step, question: answer.question), default: [:]][answer.value, default: 0] += 1
    }
    guard record.place?.trial != nil, let name = record.condition else { return }
    trials += 1
    let condition = Condition(
      name: name,
      isPractice: record.design?.isPractice ?? false)
    let cell = Cell(condition: condition, clip: record.clip?.clip.name, position: record.design?.position ?? 1)
    cells[cell, default: 0] += 1
  }

  /// Counts how often a question was asked in the session, whose trials were taken before.
  mutating func take(_ question: AskedQuestion, asked: Int) {
    let name = QuestionName(step: question.step, question: question.question.identifier)
    questions[question] = Answers(asked: asked, given: given[name] ?? [:])
  }

  /// Counts the signatures under the consent of a step in the session, whose questions were taken before.
  mutating func sign(_ step: String, times: Int) {
    let signature = questions.keys.first {
      $0.step == step && $0.question.identifier == ConsentStep.signatureQuestion
    }
    if let signature { questions[signature]?.signed = times }
  }

  /// Counts a session that was performed.
  mutating func endSession(of participant: String, group: String?, after time: Duration) {
    sessions += 1
    self.time += time
    if let group { groups[group, default: []].insert(participant) }
  }

  /// Notes something that went wrong.
  mutating func add(_ problem: SimulationProblem) { problems.append(problem) }

  /// Adds what came of another session.
  mutating func add(_ other: SimulationTally) {
    sessions += other.sessions
    trials += other.trials
    time += other.time
    cells.merge(other.cells, uniquingKeysWith: +)
    verdicts.merge(other.verdicts, uniquingKeysWith: +)
    groups.merge(other.groups) { $0.union($1) }
    questions.merge(other.questions) { own, other in
      Answers(
        asked: own.asked + other.asked, given: own.given.merging(other.given, uniquingKeysWith: +),
        signed: own.signed + other.signed)
    }
    problems += other.problems
  }
}

extension SimulationTally {
  /// The conditions by name, practice after all others.
  private var conditions: [Condition] {
    Set(cells.keys.map(\.condition)).sorted { ($0.isPractice ? 1 : 0, $0.name) < ($1.isPractice ? 1 : 0, $1.name) }
  }

  /// How many trials each position has, by position, of those cells.
  private func positions(_ isChosen: (Cell) -> Bool) -> [(position: Int, trials: Int)] {
    cells.reduce(into: [Int: Int]()) { counts, cell in
      if isChosen(cell.key) { counts[cell.key.position, default: 0] += cell.value }
    }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The clips of a condition by name, silence first.
  private func clips(of condition: Condition) -> [String?] {
    Set(cells.keys.filter { $0.condition == condition }.map(\.clip)).sorted { ($0 ?? "") < ($1 ?? "") }
  }

  /// The questions that were asked, by step and identifier.
  private var asked: [(question: AskedQuestion, answers: Answers)] {
    questions.map { ($0.key, $0.value) }.sorted {
      ($0.question.step, $0.question.question.identifier) < ($1.question.step, $1.question.question.identifier)
    }
  }

  // MARK: For people

  /// What came of it, as lines for people.
  ///
  /// - Parameter names: the names of the study's groups, in its order.
  /// - Returns: the lines, the parts parted by empty ones.
  package func lines(groups names: [String]) -> [String] {
    var blocks = [[summary], conditionTable]
    if !names.isEmpty {
      var table = TextTable([("group", .left), ("participants", .right)])
      for name in names { table.add([name, "\(groups[name]?.count ?? 0)"]) }
      blocks.append(table.lines)
    }
    if !questions.isEmpty { blocks.append(questionTable) }
    return Array(blocks.filter { !$0.isEmpty }.joined(separator: [""]))
  }

  private var summary: String {
    let verdicts = Verdict.allCases.compactMap { verdict in
      self.verdicts[verdict].map { "\($0) \(verdict.rawValue)" }
    }
    let hours = (time.seconds / 3600).fixed(1)
    let mean = sessions > 0 ? " (\((time.seconds / 60 / Double(sessions)).fixed(1)) min a session)" : ""
    return "\(sessions.counted("session")), \(trials.counted("trial")), \(hours) h of simulated time\(mean); verdicts: "
      + (verdicts.isEmpty ? "none" : verdicts.joined(separator: ", "))
  }

  /// The maximum number of positions that are shown one by one.
  private static let maxPositions = 12

  /// How often each condition and clip came at each position; or, of many positions, at any of them.
  private var conditionTable: [String] {
    let all = positions { _ in true }.map(\.position)
    let shown = all.count > Self.maxPositions ? [] : all
    var table = TextTable(
      [("condition", .left), ("clip", .left), ("trials", .right)]
        + shown.map { ("\(all.count == 1 ? "position " : "")\($0)", .right) })
    for condition in conditions {
      let name = condition.name + (condition.isPractice ? " (practice)" : "")
      let clips = clips(of: condition)
      func add(_ heading: [String], _ isChosen: (Cell) -> Bool) {
        let counts = Dictionary(uniqueKeysWithValues: positions(isChosen).map { ($0.position, $0.trials) })
        table.add(heading + ["\(counts.values.reduce(0, +))"] + shown.map { "\(counts[$0] ?? 0)" })
      }
      add([name, clips.count > 1 ? "" : clips.first?.flatMap(\.self) ?? "–"]) { $0.condition == condition }
      guard clips.count > 1 else { continue }
      for clip in clips { add(["", clip ?? "–"]) { $0.condition == condition && $0.clip == clip } }
    }
    return cells.isEmpty ? [] : table.lines
  }

  private var questionTable: [String] {
    var table = TextTable([
      ("step", .left), ("question", .left), ("asked", .right), ("missing", .right), ("answers", .left),
    ])
    for (question, answers) in asked {
      table.add([
        question.step, question.question.identifier, "\(answers.asked)", "\(answers.missing)",
        answers.words(for: question.question.format),
      ])
    }
    return table.lines
  }

  // MARK: For programs

  /// What came of it, for programs.
  ///
  /// - Parameter names: the names of the study's groups, in its order.
  /// - Returns: the members of an object.
  package func json(groups names: [String]) -> [String: JSONValue] {
    [
      "sessions": .integer(sessions), "trials": .integer(trials), "simulated_s": .number(time.seconds),
      "verdicts": .object(
        Dictionary(
          uniqueKeysWithValues: Verdict.allCases.map { ($0.rawValue, .integer(verdicts[$0] ?? 0)) })),
      "conditions": .array(conditions.map(json)),
      "groups": .array(
        names.map { ["group": .string($0), "participants": .integer(groups[$0]?.count ?? 0)] }),
      "questions": .array(asked.map { $0.answers.json(for: $0.question) }),
      "problems": .array(problems.map(\.json)),
    ]
  }

  private func json(_ condition: Condition) -> JSONValue {
    [
      "condition": .string(condition.name), "practice": .bool(condition.isPractice),
      "positions": json { $0.condition == condition },
      "clips": .array(
        clips(of: condition).map { clip in
          ["clip": .text(clip), "positions": json { $0.condition == condition && $0.clip == clip }]
        }),
    ]
  }

  private func json(_ isChosen: (Cell) -> Bool) -> JSONValue {
    .array(positions(isChosen).map { ["position": .integer($0.position), "trials": .integer($0.trials)] })
  }
}

extension SimulationTally.Answers {
  /// The answers with how often each was given, the smallest first.
  private var ordered: [(value: AnswerValue, count: Int)] {
    given.map { ($0.key, $0.value) }.sorted { left, right in
      switch (left.value.number, right.value.number) {
      case (let left?, let right?): left < right
      default: left.value.description < right.value.description
      }
    }
  }

  /// The maximum number of different answers that are shown one by one.
  private static let maxShown = 12

  fileprivate func words(for format: AnswerFormat) -> String {
    if signed > 0 { return "\(signed) signed" }
    let ordered = ordered
    guard let first = ordered.first, let last = ordered.last else { return "none" }
    if ordered.count <= Self.maxShown, !format.isOpen {
      return ordered.map { "\($0.value): \($0.count)" }.joined(separator: ", ")
    }
    if case .text = format { return "\(ordered.count) different" }
    return "\(ordered.count) different, from \(first.value) to \(last.value)"
  }

  fileprivate func json(for asked: AskedQuestion) -> JSONValue {
    [
      "step": .string(asked.step), "question": .string(asked.question.identifier),
      "asked": .integer(self.asked), "answered": .integer(answered), "missing": .integer(missing),
      "answers": .array(
        ordered.map { ["value": (try? JSONValue(encoding: $0.value)) ?? .null, "count": .integer($0.count)] }),
    ]
  }
}

extension AnswerFormat {
  /// Whether answers are the person's own, and not among a few that the question gives.
  fileprivate var isOpen: Bool {
    switch self {
    case .text, .integer, .decimal, .date, .time: true
    case .boolean, .choice, .choices, .scale, .visualAnalogue: false
    }
  }
}

extension SimulationProblem {
  fileprivate var json: JSONValue {
    [
      "participant": .string(participant), "session": .integer(session), "trial": trial.map { .integer($0) } ?? .null,
      "reason": .string("\(reason)"),
    ]
  }
}
