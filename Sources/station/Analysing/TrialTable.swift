import Analysis
import Basics
import Recordings
import Reports

/// The analysis of many trials: a long table for programs, summaries for people.
struct TrialTable: Sendable {
  let request: AnalysisRequest

  init(_ request: AnalysisRequest) { self.request = request }

  /// The outcome for one trial or file.
  private struct Measured: Sendable {
    var outcome: TrialOutcome?
    /// Why it could not be measured.
    var problem: String?
    /// Its rows as text, if they are printed one by one.
    var lines: [String] = []
  }

  /// Analyses everything that the operands name, and prints it row by row.
  func write(_ operands: [String]) async throws -> ExitStatus {
    var paths: [String] = []
    var problems = 0
    func complain(_ problem: String) {
      Console.standard.complain(problem)
      problems += 1
    }
    for operand in operands {
      do throws(RecordingError) {
        paths += try TrialPaths.expand(operand)
      } catch {
        complain("\(error)")
      }
    }
    let order = await TrialOrder.read(paths, request.selection)
    for problem in order.problems { complain(problem) }
    if let reason = order.noneChosen { throw Failure(reason) }
    for note in order.repeated + [order.unknownPeriods].compactMap(\.self) { Console.standard.complain(note) }
    var together = TrialsTogether(
      request.analysis, by: request.grouping ?? .clip, bootstrap: request.bootstrap,
      leavingOut: request.selection.omissions)
    begin()
    var isFirst = true
    let request = request
    await Parallel.ordered(order.places) { place in
      Self.measured(place, request)
    } take: { measured in
      if let problem = measured.problem { complain(problem) }
      guard let outcome = measured.outcome else { return }
      if !measured.lines.isEmpty {
        let text = measured.lines.joined(separator: request.form == .json ? ",\n" : "\n")
        Console.standard.write(Array(((isFirst || request.form == .csv ? "" : ",\n") + text).utf8))
        if request.form == .csv { Console.standard.write([UInt8(ascii: "\n")]) }
        isFirst = false
      }
      together.take(outcome)
    }
    let unreadable = problems
    let windows = [request.window, request.baseline].map { together.missingStep($0) }
    for case (let name, let known)? in windows + [together.missingStep(request.recorded.choice.events)] {
      complain("no trial reached a step “\(name)”; \(Spelling.advice(for: name, among: known))")
    }
    let comparison = together.comparison(with: request.reference)
    if comparison == nil, request.form != .csv, let name = request.reference {
      let known = together.groups.compactMap(\.self).sorted() + (together.groups.contains(nil) ? ["none"] : [])
      let key = together.grouping?.rawValue ?? "group"
      complain("there is no \(key) “\(name)”; \(Spelling.advice(for: name, among: known))")
    }
    // The maximum number of groups that are compared with each other.
    let most = request.form == .json ? 20 : 8
    let summaries = GroupSummaries(
      together, comparing: comparison ?? .none, most: most, unreadable: unreadable, notChosen: order.notChosen)
    switch request.form {
    case .csv: break
    case .json:
      // The object's opening bracket has been printed already.
      Console.standard.line("\(isFirst ? "" : "\n")],\(JSONValue.object(summaries.json).text().dropFirst())")
    case .people:
      let listing = GroupListing(
        summaries, events: request.recorded.choice.events, showsDefinitions: request.showsDefinitions)
      for line in listing.lines { Console.standard.line(line.visible) }
    }
    return problems == 0 ? .done : .failed
  }

  private static func measured(_ place: TrialPlace, _ request: AnalysisRequest) -> Measured {
    let outcome: TrialOutcome
    do {
      outcome = request.analysis.outcome(
        of: try request.recorded.choice.recordings(of: place.path), at: place,
        measuresWindows: request.response == nil || request.form != .csv)
    } catch {
      return Measured(problem: "\(error)")
    }
    var measured = Measured(outcome: outcome)
    switch request.form {
    case .people: break
    case .csv:
      measured.lines = outcome.rows.map(\.csv) + outcome.responses.flatMap { $0.rows.map(\.csv) }
    case .json: measured.lines = outcome.rows.map { $0.json.text() }
    }
    return measured
  }

  private func begin() {
    switch request.form {
    case .people: break
    case .csv: Console.standard.line(request.response == nil ? TrialRow.header : ResponseRow.header)
    case .json:
      Console.standard.line("{\"format\":\(JSONValue.string(AnalysisFormat.name).text()),\"rows\":[")
    }
  }
}
