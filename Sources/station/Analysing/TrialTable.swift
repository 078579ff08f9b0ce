import Analysis
import Files
import JSON
import Recordings
import Spelling
import Tables

/// What came of one trial or file.
struct TrialOutcome: Sendable {
  let place: TrialPlace
  var trial: TrialFacts?
  var rows: [TrialRow] = []
  var responses: [ResponseRow] = []
  /// Why it could not be measured.
  var problem: String?
  /// Its rows as text, where they are printed one by one.
  var lines: [String] = []
}

/// Many trials: a long table for programs, summaries for people.
struct TrialTable: Sendable {
  let request: AnalysisRequest

  init(_ request: AnalysisRequest) { self.request = request }

  /// Measures everything that operands name, and prints it row by row.
  func write(_ operands: [String]) async throws -> ExitStatus {
    var paths: [String] = []
    var problems = 0
    for operand in operands {
      do {
        paths += try TrialPaths.expand(operand)
      } catch {
        Console.standard.complain("\(error)")
        problems += 1
      }
    }
    let order = await TrialOrder(paths)
    for problem in order.problems { Console.standard.complain(problem) }
    problems += order.problems.count
    var summaries = GroupSummaries(request)
    begin()
    var isFirst = true
    let request = request
    await Parallel.ordered(order.places) { place in
      Self.outcome(place, request)
    } take: { outcome in
      if let problem = outcome.problem {
        Console.standard.complain(problem)
        problems += 1
        return
      }
      if !outcome.lines.isEmpty {
        let separator = request.form == .json ? ",\n" : "\n"
        let text = outcome.lines.joined(separator: separator)
        Console.standard.write(Array(((isFirst || request.form == .csv ? "" : ",\n") + text).utf8))
        if request.form == .csv { Console.standard.write([UInt8(ascii: "\n")]) }
        isFirst = false
      }
      if request.form != .csv { summaries.take(outcome) }
    }
    end(summaries, isEmpty: isFirst)
    if request.form == .people {
      Console.standard.line(heading(summaries, order, problems))
      for line in summaries.lines { Console.standard.line(line.visible) }
    }
    return problems == 0 ? .done : .failed
  }

  private static func outcome(_ place: TrialPlace, _ request: AnalysisRequest) -> TrialOutcome {
    var outcome = TrialOutcome(place: place)
    do {
      for recording in try request.recorded.recordings(of: place.path) {
        outcome.trial = recording.trial
        if let settings = request.response {
          outcome.responses.append(ResponseRow(recording, at: place, request, settings))
        }
        if request.response == nil || request.form != .csv {
          outcome.rows += TrialRow.rows(recording, at: place, request)
        }
      }
    } catch {
      outcome.problem = "\(error)"
    }
    switch request.form {
    case .people: break
    case .csv: outcome.lines = outcome.rows.map(\.csv) + outcome.responses.flatMap(\.csv)
    case .json: outcome.lines = outcome.rows.map { $0.json.text() }
    }
    return outcome
  }

  private func begin() {
    switch request.form {
    case .people: break
    case .csv:
      Console.standard.line((request.response == nil ? TrialRow.columns : ResponseRow.columns).joined(separator: ","))
    case .json:
      Console.standard.line("{\"format\":\(JSONValue.string(AnalysisFormat.name).text()),\"rows\":[")
    }
  }

  /// What follows the rows of a JSON document.
  private func end(_ summaries: GroupSummaries, isEmpty: Bool) {
    guard request.form == .json else { return }
    var members = summaries.json
    members["trials"] = .integer(summaries.trials)
    // The object's own bracket is open already.
    let rest = JSONValue.object(members).text().dropFirst()
    Console.standard.line("\(isEmpty ? "" : "\n")],\(rest)")
  }

  private func heading(_ summaries: GroupSummaries, _ order: TrialOrder, _ problems: Int) -> String {
    func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
    var parts = [counted(summaries.trials, "trial") + " of " + counted(order.participants, "participant")]
    if problems > 0 { parts.append("\(problems) could not be read") }
    if summaries.bad > 0 { parts.append("\(summaries.bad) with the verdict bad left out of the summaries") }
    return parts.joined(separator: "; ")
  }
}
