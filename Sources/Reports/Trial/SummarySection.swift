internal import Bundles
internal import JSON
internal import Recordings
import Times

extension ReportedTrial {
  private var result: JSONValue { bundle.result }

  /// How far the trial can be trusted, and who, what and when.
  func summarySection(_ local: TimeZone) -> Section {
    Section("Summary", [.verdict(notice), .facts(identityFacts(local))])
  }

  /// The verdict in words.
  var notice: VerdictNotice {
    let summary: Words =
      switch facts.grade {
      case .good? where !problems.isEmpty:
        "The bundle says that nothing speaks against this trial, and cannot be relied on:"
      case .good?: "Nothing speaks against this trial."
      case .suspect?: "This trial holds what was recorded, but somebody should look at it before it is used."
      case .bad?: "This trial did not give what it was made for."
      case nil: "The bundle says no verdict that this station knows."
      }
    let outcome = outcomeSentence.map { " " + $0 } ?? Words()
    return VerdictNotice(
      grade: facts.grade, summary: summary + outcome, problems: problems.map { .given($0.sentence) },
      reasons: facts.reasons.map { .given($0.sentence) }, warnings: bundle.warnings.map { .given($0.sentence) })
  }

  private var outcomeSentence: Words? {
    let reason = result["reason"]?.string.map { ": " + Words($0, .given) } ?? Words()
    switch facts.outcome {
    case .completed?: return nil
    case .stopped?: return "It was stopped before its end" + reason + "."
    case .failed?: return "It failed" + reason + "."
    case .recovered?: return "The program died meanwhile, and the trial was made of its journal."
    case nil: return nil
    }
  }

  private func identityFacts(_ local: TimeZone) -> [Fact] {
    let task = result["task"]
    return [
      Fact(
        "protocol",
        .given(protocolTitle ?? facts.condition) + ", " + .code(facts.condition) + " version "
          + .given(task?["version"]?.string)),
      Fact("participant", .given(facts.participant)), Fact("session", .given(facts.session)),
      Fact("began", local.words(facts.start)),
      Fact("lasted", lasted),
      Fact("station", .given(result["station"]?["identifier"]?.string)),
      Fact("seed", .code(Self.seed(result["seed"]))),
      Fact("attended", result["unattended"]?.bool.map { $0 ? "no: nobody pressed a key" : "yes" } ?? .none),
      Fact("steps", stepList),
    ]
  }

  /// A seed, which is a text where it has more digits than every reader of JSON keeps.
  private static func seed(_ value: JSONValue?) -> String? { value?.string ?? value?.integer.map { "\($0)" } }

  private var lasted: Words {
    guard let end = facts.steps.last?.end else { return .none }
    return Words("\(end.decimals(1)) s, from the first step's beginning to the last one's end")
  }

  private var stepList: Words {
    facts.steps.map { step in
      Words(step.identifier, .given)
        + Words(" \(seconds(step.start)) – \(step.end.map { seconds($0) } ?? "not ended")", .faint)
    }.joined(separator: ", ")
  }

  /// The clip and where it comes from; `nil` for a trial without one.
  var clipSection: Section? {
    guard let clip = result["clip"], clip != .null else { return nil }
    func number(_ key: String, _ digits: Int, _ unit: String) -> Words? {
      clip[key]?.number.map { Words("\($0.decimals(digits)) \(unit)") }
    }
    var facts = [
      Fact("name", .given(clip["name"]?.string)), Fact("title", .given(clip["title"]?.string)),
      Fact("mood", .given(clip["mood"]?.string)),
    ]
    if let tempo = number("tempo_bpm", 0, "beats a minute") { facts.append(Fact("tempo", tempo)) }
    facts.append(Fact("licence", .given(clip["licence"]?.string)))
    let format = [
      number("duration_s", 3, "s"), clip["sampleRate"]?.integer.map { Words("\($0) Hz") },
      clip["channels"]?.integer.map { Words(count($0, "channel")) },
      clip["bytes"]?.integer.map { Words(count($0, "byte")) },
    ].compactMap(\.self)
    facts.append(Fact("file", .code(clip["file"]?.string) + " " + format.joined(separator: ", ")))
    facts.append(Fact("SHA-256", .code(clip["sha256"]?.string)))
    facts.append(Fact("loudness", loudness(clip)))
    facts.append(Fact("chosen", selection(clip["selection"])))
    return Section("Clip", [.facts(facts)])
  }

  private func loudness(_ clip: JSONValue) -> Words {
    var parts: [String] = []
    if let measured = clip["loudness_LUFS"]?.number { parts.append("measured \(measured.decimals(1)) LUFS") }
    if let peak = clip["truePeak_dBTP"]?.number { parts.append("true peak \(peak.decimals(1)) dBTP") }
    if let gain = clip["gain_dB"]?.number { parts.append("played with a gain of \(gain.change(1)) dB") }
    if let target = clip["target_LUFS"]?.number {
      parts.append("to reach \(target.decimals(1)) LUFS")
      if let reached = clip["reached_LUFS"]?.number { parts.append("reached \(reached.decimals(1)) LUFS") }
    }
    return parts.isEmpty ? .none : Words(parts.joined(separator: ", "))
  }

  private func selection(_ selection: JSONValue?) -> Words {
    guard selection?["method"]?.string == "random", let selection else { return "named by the protocol" }
    let candidates = (selection["candidates"]?.array ?? []).compactMap(\.string)
    let index = selection["index"]?.integer.map { "number \($0 + 1) of " } ?? ""
    return Words("drawn, \(index)\(count(candidates.count, "candidate")) (")
      + candidates.map { .given($0) }.joined(separator: ", ") + "), by " + .code(selection["generator"]?.string)
      + " from seed " + .code(Self.seed(selection["seed"]))
      + " for the purpose “" + .given(selection["purpose"]?.string) + "”"
  }
}
