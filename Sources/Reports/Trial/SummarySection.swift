import Analysis
import Basics
import Bundles
import Quantities
import Recordings
import Study

extension ReportedTrial {
  private var record: TrialRecord { bundle.record }

  /// The verdict, the participant, and the facts of the trial.
  func summarySection(_ local: TimeZone) -> Section {
    Section("Summary", [.verdict(notice), .facts(identityFacts(local))])
  }

  /// The verdict with its reasons as text.
  var notice: VerdictNotice {
    let summary: StyledText =
      switch facts.verdict {
      case .good? where !problems.isEmpty:
        "The bundle says that this trial is good, but the bundle cannot be relied on:"
      case .good?: "No problem was found in this trial."
      case .suspect?: "Some of this trial is in doubt; review it before using it."
      case .bad?: "This trial lacks usable data; leave it out."
      case nil: "This station does not know the verdict in the bundle."
      }
    let outcome = outcomeSentence.map { " " + $0 } ?? StyledText()
    return VerdictNotice(
      verdict: facts.verdict, summary: summary + outcome, problems: problems.map { .given($0.sentence) },
      reasons: record.reasons.map { .given($0.description.sentence) },
      warnings: (record.informativeCaveats.map(\.description) + [bundle.skippedNote].compactMap(\.self)).map {
        .given($0.sentence)
      })
  }

  private var outcomeSentence: StyledText? {
    let reason = record.closing.reason.map { ": " + StyledText($0, .given) } ?? StyledText()
    switch facts.outcome {
    case .completed?: return nil
    case .declined?: return "The participant did not consent, and nothing else was recorded."
    case .stopped?, .skipped?, .repeated?: return "It was stopped before its end" + reason + "."
    case .failed?: return "It failed" + reason + "."
    case .recovered?: return "The station was interrupted, and the trial was recovered from its journal."
    case nil: return nil
    }
  }

  private func identityFacts(_ local: TimeZone) -> [Fact] {
    let who = [
      Fact(
        "protocol",
        .given(protocolTitle ?? record.studyProtocol.identifier) + ", " + .code(record.studyProtocol.identifier)
          + " version " + .given(record.studyProtocol.version)),
      Fact("participant", .given(facts.participant)), Fact("session", .given(facts.session) + placeInSession),
    ]
    let course = [
      Fact("began", local.words(facts.start)),
      Fact("lasted", lasted),
      Fact("station", .given(record.station.identifier)),
      Fact("seed", .code("\(record.seed)")),
      Fact("attended", record.isUnattended ? "no: the trial ran unattended" : "yes"),
      Fact("steps", stepList),
    ]
    let answers = record.answers.map { answer in
      let question = answer.question == answer.step ? StyledText("") : StyledText(", ") + .given(answer.question)
      let times = " shown \(seconds(answer.shown.seconds)), answered \(seconds(answer.answered.seconds))"
      return Fact("answer", .given(answer.step) + question + ": " + answer.value.styled + StyledText(times, .faint))
    }
    return who + designFacts + course + answers
  }

  /// The condition of a designed trial, with its factors, and its place in the design.
  private var designFacts: [Fact] {
    guard let design = facts.design else {
      return facts.isAround ? [Fact("condition", "none: the steps around the session's trials")] : []
    }
    let factors = (design.factors ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let more = (design.isPractice ? ["practice"] : []) + factors
    let details = more.isEmpty ? StyledText() : StyledText.faint(" (\(more.joined(separator: ", ")))")
    return [
      Fact("condition", .given(design.condition) + details),
      Fact("block", StyledText("\(design.block)")), Fact("position", StyledText("\(design.position)")),
    ]
  }

  /// `, trial 2 of 8`, in a session of several trials.
  private var placeInSession: StyledText {
    guard let place = record.place, place.trials > 1 else { return StyledText("") }
    guard let trial = place.trial else { return StyledText(", the steps around its trials") }
    return StyledText(", trial \(trial) of \(place.trials)")
  }

  private var lasted: StyledText {
    guard let end = facts.steps.last?.left else { return .none }
    return StyledText("\(end.decimals(1)) s, from the first step's beginning to the last one's end")
  }

  private var stepList: StyledText {
    facts.steps.map { step in
      StyledText(step.identifier, .given)
        + StyledText(
          " \(seconds(step.shown)) – \(step.left.map { seconds($0) } ?? "not ended")\(activePart(of: step))", .faint)
    }.joined(separator: ", ")
  }

  // Given if the step waited for a person before or after its active part.
  private func activePart(of step: TrialFacts.Step) -> String {
    guard let begun = step.begun else { return "" }
    let waits = begun - step.shown > 0.1 || (step.finished.map { (step.left ?? $0) - $0 > 0.1 } ?? true)
    return waits ? " (active \(seconds(begun)) – \(step.finished.map { seconds($0) } ?? "not finished"))" : ""
  }

  /// The clip and its origin; `nil` for a trial without one.
  var clipSection: Section? {
    guard let chosen = record.clip else { return nil }
    let (clip, annotation) = (chosen.clip, chosen.clip.annotation)
    var facts = [
      Fact("name", .given(clip.name)), Fact("title", .given(annotation.title)), Fact("mood", .given(annotation.mood)),
    ]
    if let tempo = annotation.tempo { facts.append(Fact("tempo", StyledText("\(tempo.decimals(0)) beats a minute"))) }
    facts.append(Fact("licence", .given(annotation.licence)))
    let format = [
      seconds(clip.duration.seconds, 3), "\(clip.sampleRate) Hz", clip.channels.counted("channel"),
      clip.bytes.counted("byte"),
    ]
    facts.append(Fact("file", .code(clip.file) + StyledText(" \(format.joined(separator: ", "))")))
    facts.append(Fact("SHA-256", .code(clip.sha256)))
    facts.append(Fact("loudness", Self.words(chosen)))
    facts.append(Fact("chosen", Self.words(chosen.draw)))
    return Section("Clip", [.facts(facts)])
  }

  private static func words(_ chosen: ChosenClip) -> StyledText {
    var parts: [String] = []
    if let measured = chosen.loudness { parts.append("measured \(measured.decimals(1)) LUFS") }
    if let peak = chosen.truePeak { parts.append("true peak \(peak.decimals(1)) dBTP") }
    parts.append("played with a gain of \(chosen.gain.change(1)) dB")
    if let target = chosen.target {
      parts.append("to reach \(target.integrated.decimals(1)) LUFS")
      if let reached = chosen.reachedLoudness { parts.append("reached \(reached.decimals(1)) LUFS") }
    }
    return StyledText(parts.joined(separator: ", "))
  }

  private static func words(_ draw: Draw?) -> StyledText {
    guard let draw else { return "named by the protocol" }
    return StyledText("drawn, number \(draw.index + 1) of \(draw.candidates.count.counted("candidate")) (")
      + draw.candidates.map { .given($0) }.joined(separator: ", ") + "), by " + .code(draw.generator)
      + " from seed " + .code("\(draw.seed)") + " for the purpose “" + .given(draw.purpose) + "”"
  }
}

extension Report {
  /// Creates the report of one trial.
  ///
  /// - Parameters:
  ///   - trial: the trial's data.
  ///   - settings: how its numbers are computed.
  ///   - local: the time zone of displayed times.
  ///   - station: the version of the station that creates the report.
  init(
    _ trial: ReportedTrial, _ settings: ReportSettings = ReportSettings(), local: TimeZone, station: String
  ) {
    let facts = trial.facts
    let hearts = trial.recordings.map { ReportedHeart($0, settings) }
    var sections = [trial.summarySection(local)]
    if let problem = trial.heartProblem {
      let words = "The heart data could not be read, so that there is nothing to draw or measure: "
      sections.append(Section("Heart", [.paragraph(StyledText(words) + .given(problem) + ".")]))
    } else if hearts.isEmpty, trial.channels.isEmpty, trial.waveforms.isEmpty {
      sections.append(
        Section("Heart", [.paragraph("No samples were recorded, so that there is nothing to draw or measure.")]))
    } else {
      sections += hearts.map { $0.section(isOnlyOne: hearts.count == 1) }
    }
    sections += trial.channels.map(\.section) + trial.waveforms.map(\.section)
    let others = [trial.clipSection, trial.soundSection, trial.picturesSection, trial.recordersSection]
    sections += others.compactMap(\.self)
    sections += [trial.provenanceSection(local), trial.verificationSection(settings)]
    let clip = facts.clip.map { ", the clip “" + StyledText($0, .given) + "”" } ?? ", without a clip"
    self.init(
      kind: "Trial report", heading: .given(trial.protocolTitle ?? trial.bundle.record.studyProtocol.identifier),
      lead: "Participant " + .given(facts.participant) + ", session " + .given(facts.session) + clip
        + (facts.start.map { StyledText(", \(local.plainText($0))") } ?? StyledText()) + ".",
      sections: sections, footer: Self.footer(station, about: "trial " + .code(facts.trial)),
      mark: facts.simulation.sentence)
  }

  static func footer(_ station: String, about subject: StyledText) -> StyledText {
    StyledText("Made by station \(station) from ") + subject + "."
  }
}
