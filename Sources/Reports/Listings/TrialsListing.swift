package import Analysis
package import Basics
import Bundles
import Recordings

/// The analysis of many trials: a long table for programs, summaries for people.
package struct TrialsListing: Sendable {
  private let request: AnalysisRequest
  private let form: OutputForm
  private let showsDefinitions: Bool
  private let printer: any Printer

  /// Prepares a listing.
  ///
  /// - Parameters:
  ///   - request: what is analysed, and how.
  ///   - form: the form of the output.
  ///   - showsDefinitions: whether the definition of each measure is listed for people.
  ///   - printer: where it is printed.
  package init(_ request: AnalysisRequest, form: OutputForm, showsDefinitions: Bool, printer: any Printer) {
    (self.request, self.form, self.showsDefinitions, self.printer) = (request, form, showsDefinitions, printer)
  }

  /// The outcome for one trial or file.
  private struct Measured: Sendable {
    var outcome: TrialOutcome?
    /// Why it could not be measured.
    var problem: String?
    /// Its rows as text, if they are printed one by one.
    var lines: [String] = []
  }

  /// Analyses everything that the operands name, and prints it row by row.
  ///
  /// - Returns: whether all could be read and had what was requested.
  /// - Throws: `NoTrialChosen` if nothing was selected.
  package func write(_ operands: [String]) async throws -> Bool {
    var paths: [String] = []
    var problems = 0
    var told: Set<String> = []
    func report(_ problem: String) {
      // What is wrong with the request is the same for every trial.
      if told.insert(problem).inserted { printer.report(problem) }
      problems += 1
    }
    for operand in operands {
      do throws(RecordingError) {
        paths += try TrialPaths.expand(operand)
      } catch {
        report("\(error)")
      }
    }
    let order = await TrialChronology.read(paths, request.selection)
    for problem in order.problems { report(problem) }
    try order.requireChosen()
    for note in order.notes + [order.unknownPeriods].compactMap(\.self) { printer.report(note) }
    var together = TrialsTogether(
      request.analysis, by: request.grouping ?? .clip, bootstrap: request.bootstrap,
      leavingOut: request.selection.omissions)
    begin(order.studyColumns)
    var isFirst = true
    await Parallel.ordered(order.places) { place in
      measured(place, order.studyColumns)
    } take: { measured in
      if let problem = measured.problem { report(problem) }
      guard let outcome = measured.outcome else { return }
      if !measured.lines.isEmpty {
        let text = measured.lines.joined(separator: form == .json ? ",\n" : "\n")
        printer.write(Array(((isFirst || form == .csv ? "" : ",\n") + text).utf8))
        if form == .csv { printer.write([UInt8(ascii: "\n")]) }
        isFirst = false
      }
      together.take(outcome)
    }
    let unreadable = problems
    func advise(_ missing: (name: String, known: [String])?, besides others: @autoclosure () -> Set<String> = []) {
      guard let (name, known) = missing else { return }
      let all = others().union(known).sorted()
      report("no trial reached a step “\(name)”; \(Spelling.advice(for: name, among: all))")
    }
    advise(together.missingStep(request.analysis.window))
    advise(together.missingStep(request.analysis.baseline), besides: Self.stepsAround(order))
    advise(together.missingStep(request.choice.events))
    let comparison = together.comparison(with: request.reference)
    if comparison == nil, form != .csv, let name = request.reference {
      let known = together.groups.compactMap(\.self).sorted() + (together.groups.contains(nil) ? ["none"] : [])
      let key = together.grouping?.rawValue ?? "group"
      report("there is no \(key) “\(name)”; \(Spelling.advice(for: name, among: known))")
    }
    // The maximum number of groups that are compared with each other.
    let most = form == .json ? 20 : 8
    let summaries = GroupSummaries(
      together, comparing: comparison ?? .none, most: most, unreadable: unreadable, notChosen: order.notChosen,
      simulatedLeftOut: order.simulatedLeftOut)
    switch form {
    case .csv: break
    case .json:
      // The object's opening bracket has been printed already.
      printer.line("\(isFirst ? "" : "\n")],\(JSONValue.object(summaries.json).text().dropFirst())")
    case .people:
      let listing = GroupListing(
        summaries, events: request.choice.events, showsDefinitions: showsDefinitions)
      for line in listing.lines { printer.line(line.visible) }
    }
    return problems == 0
  }

  /// The steps around the trials of their sessions, which can be baselines.
  private static func stepsAround(_ order: TrialChronology) -> Set<String> {
    let paths = Set(order.places.flatMap(\.around))
    return Set(paths.flatMap { path in (try? Bundle(path).record.steps.map(\.identifier)) ?? [] })
  }

  private func measured(_ place: TrialPlace, _ study: StudyColumns) -> Measured {
    let measuresWindows = request.analysis.response == nil || form != .csv
    let outcome: TrialOutcome
    do {
      let (hearts, channels) = try request.choice.oneKind(of: place.path)
      if let channel = channels.first {
        try request.analysis.requireMeasures(of: channel)
        outcome = request.analysis.outcome(of: channels, at: place, measuresWindows: measuresWindows)
      } else {
        try request.analysis.requireMeasures()
        outcome = request.analysis.outcome(
          of: hearts, at: place, measuresWindows: measuresWindows)
      }
    } catch is NoSuchRecording where place.isAround {
      // Other recorders than those of the trials may record around them.
      return Measured()
    } catch {
      return Measured(problem: "\(error)")
    }
    var measured = Measured(outcome: outcome)
    switch form {
    case .people: break
    case .csv:
      measured.lines = outcome.rows.map { $0.csv(study) } + outcome.responses.flatMap { $0.rows.map { $0.csv(study) } }
    case .json: measured.lines = outcome.rows.map { $0.json(study).text() }
    }
    return measured
  }

  private func begin(_ study: StudyColumns) {
    switch form {
    case .people: break
    case .csv: printer.line(request.analysis.response == nil ? TrialRow.header(study) : ResponseRow.header(study))
    case .json:
      printer.line("{\"format\":\(JSONValue.string(AnalysisFormat.name).text()),\"rows\":[")
    }
  }
}
