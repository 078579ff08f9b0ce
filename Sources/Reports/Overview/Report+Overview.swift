import Analysis
import Basics
import Bundles
import Recordings

extension Report {
  /// Creates the report of a session, or of all trials of a results folder.
  ///
  /// - Parameters:
  ///   - overview: the trials' data.
  ///   - local: the time zone of displayed times.
  ///   - station: the version of the station that creates the report.
  init(_ overview: Overview, local: TimeZone, station: String) {
    let selection = overview.selection
    let isSession = selection.isPersonal
    var sections = [overview.summarySection(local)]
    if let order = overview.sessionsSection(local) { sections.append(order) }
    if !overview.trials.isEmpty {
      sections += [overview.trialsSection(local), overview.meansSection]
      if let answers = overview.answersSection { sections.append(answers) }
      if let responses = overview.responsesSection { sections.append(responses) }
    }
    sections.append(overview.lookSection)
    if let courses = overview.coursesSection(local) { sections.append(courses) }
    if !overview.trials.isEmpty { sections.append(overview.verificationSection) }
    let who = selection.participant.map { "Participant " + StyledText($0, .given) }
    let which = selection.session.map { StyledText(who == nil ? "Session " : "session ") + StyledText($0, .given) }
    self.init(
      kind: isSession ? "Session report" : "Results report",
      heading: isSession ? [who, which].compactMap(\.self).joined(separator: ", ") : .given(overview.name),
      lead: overview.lead, sections: sections,
      footer: Self.footer(station, about: "the results folder “" + .given(overview.name) + "”"),
      mark: overview.mark)
  }
}

extension Overview {
  var lead: StyledText {
    guard !trials.isEmpty else { return "There is no trial to report." }
    let participants = Set(trials.map(\.facts.participant)).count
    let leftOut =
      simulatedLeftOut == 0
      ? "" : " \(simulatedLeftOut.counted("simulated trial")) left out; --include simulated takes them in."
    return StyledText("\(trials.count.counted("trial")) of \(participants.counted("participant")).\(leftOut)")
  }

  /// The mark of simulated trials; `nil` without one.
  var mark: String? {
    TrialSimulation.sentence(simulated: trials.count { $0.facts.simulation.isSimulated }, of: trials.count)
  }

  func summarySection(_ local: TimeZone) -> Section {
    guard !trials.isEmpty else {
      return Section(
        "Summary", [.paragraph("The folder has no finished trial that could be read. “station run” makes one.")])
    }
    func names(_ value: (TrialBrief) -> String?) -> StyledText {
      let names = Set(trials.compactMap(value)).sorted()
      let shown = names.prefix(20).map { StyledText.given($0) }.joined(separator: ", ")
      return names.isEmpty ? .none : names.count > 20 ? shown + StyledText(" and \(names.count - 20) more") : shown
    }
    let verdicts = [Verdict.good, .suspect, .bad].map { verdict in
      "\(trials.count { $0.facts.verdict == verdict }) \(verdict.rawValue)"
    }
    let unknown = trials.count { $0.facts.verdict == nil }
    let starts = trials.compactMap(\.facts.start).sorted()
    return Section(
      "Summary",
      [
        .facts(
          [
            Fact("trials", StyledText("\(trials.count)")),
            Fact(
              "verdicts", StyledText(verdicts.joined(separator: ", ") + (unknown > 0 ? ", \(unknown) unknown" : ""))),
            Fact("participants", names { $0.facts.participant }),
            Fact("sessions", StyledText("\(Set(trials.map { [$0.facts.participant, $0.facts.session] }).count)")),
            Fact("clips", names { $0.facts.clip }), Fact("moods", names { $0.facts.mood }),
            Fact("first trial", local.words(starts.first)), Fact("last trial", local.words(starts.last)),
            Fact("stations", names { $0.station.isEmpty ? nil : $0.station }), Fact("files", filesSentence),
          ] + protocolFacts)
      ])
  }

  /// The number of bundles whose files match their manifests.
  private var filesSentence: StyledText {
    let files = ReportedTrial.briefFiles.map { StyledText($0, .code) }.joined(separator: " and ")
    let changed = parts.count { !$0.fileProblems.isEmpty }
    guard changed > 0 else {
      return files + StyledText(" of \(parts.count == 1 ? "the bundle" : "all \(parts.count) bundles") are what ")
        + StyledText("\(parts.count == 1 ? "its manifest lists" : "their manifests list"), by SHA-256")
    }
    return files
      + StyledText(" of \(parts.count - changed) of \(parts.count.counted("bundle")) are what the manifests list, ")
      + StyledText("by SHA-256; not those of \(changed): see “What to look at”")
  }

  /// The protocols with their digests; different digests are different protocols.
  private var protocolFacts: [Fact] {
    let counts = Dictionary(grouping: trials, by: \.usedProtocol).mapValues(\.count)
    let all = counts.sorted { $0.key.key.lexicographicallyPrecedes($1.key.key) }
    let shown = all.prefix(20).map { one, number in
      let title = one.title.map { ", “" + StyledText($0, .given) + "”" } ?? StyledText()
      return Fact(
        "protocol",
        one.name + title + StyledText(", \(number.counted("trial")), SHA-256 ") + .code(one.sha256))
    }
    return shown + (all.count > 20 ? [Fact("protocol", StyledText("and \(all.count - 20) more"))] : [])
  }

  var verificationSection: Section {
    let bundles = parts.map { Whereabouts(bundle: $0.path).word }
    // A command with hundreds of names would be unwieldy.
    let isNamed = !selection.isAll && bundles.count <= 10
    let sessions = records.count == 1 ? "sessions/\(records[0].session).json" : "."
    let replay: [Block] =
      records.isEmpty
      ? []
      : [
        .paragraph("The plan again from its seed, compared with the record and with what was done:"),
        .command("station show --replay \(sessions)"),
      ]
    return Section(
      "How to verify and repeat",
      [
        .paragraph(
          "The bundles are complete and their checksums match when this, in the results folder, says so of each:"),
        .command("station verify \(isNamed ? bundles.joined(separator: " ") : "bundles/*/")"),
      ] + replay + [.paragraph("The same numbers, in the results folder:")]
        + measures.commands(selection).map { .command($0) } + [
          .paragraph("More of one trial, with every measure and its definition:"),
          .command("station report \(trials.first.map { Whereabouts(bundle: $0.path).word } ?? "BUNDLE")"),
        ])
  }
}
