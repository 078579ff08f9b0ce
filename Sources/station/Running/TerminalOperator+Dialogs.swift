import Basics
import Bundles
import Session
import Study

// What the operator is asked. Where the terminal is the participant's by then, it shows neutral words, and what they are
// about is printed when the screen is left; `station show --live` is there for the operator meanwhile.
extension TerminalOperator {
  /// Whether the terminal shows the participant's screen, or has shown it and will again.
  private var isParticipants: Bool { participant?.hasShown ?? false }

  /// Shows a status where the operator may see one.
  func show(status: String) {
    if !isParticipants { console.show(status: status) }
  }

  /// Says that the session waits for the speaker, and why; `nil` when the wait is over.
  func show(speakerLost reason: String?) {
    guard let reason else {
      console.show(prompt: "")
      if !givesUp { console.report("the speaker is ready again; the session goes on") }
      return
    }
    console.report("waiting for the speaker, trying again every second; Ctrl-C ends the session: \(reason)")
    guard let participant, isParticipants else { return console.leaveScreen() }
    participant.show(.wait)
    console.show(prompt: "operator: waiting for the speaker; Ctrl-C ends the session")
  }

  /// Asks at the terminal and at the consoles: the first answer counts.
  func answer(_ question: StationQuestion) async -> StationAnswer? {
    guard canAsk || desk.hasOperator || awaitsStart else { return await answerHere(question) }
    if case .start = question {
      let answer = await firstResult(of: { await desk.answer(question) }, unless: { _ = await back.wait() })
      return answer ?? .end
    }
    return await withTaskGroup { group in
      group.addTask {
        let answer = await firstResult(of: { await desk.answer(question) }, unless: awaitGivingUp)
        return answer ?? .end
      }
      if canAsk { group.addTask { await answerHere(question) } }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }

  private func answerHere(_ question: StationQuestion) async -> StationAnswer? {
    switch question {
    case .start: .goOn
    case .sensors(let shortfalls): await decide(about: shortfalls)
    case .badTrial(let place, let reasons): await decide(place, reasons)
    case .paused(let place): await pauseSession(after: place)
    }
  }

  private func decide(about shortfalls: [SensorCheck.Shortfall]) async -> StationAnswer? {
    guard canAsk else { return nil }
    for shortfall in shortfalls { console.report("no plausible sample: \(shortfall)") }
    while true {
      let line = await ask(
        "press Return to try again, type “go” to start without these samples, or “end” to end",
        "sensor: Return, go or end? ")
      switch line?.lowercased() {
      case ""?: return .again
      case "go"?: return .goOn
      case "end"?, nil: return .end
      default: continue
      }
    }
  }

  private func decide(_ place: SessionPlace, _ reasons: [Caveat]) async -> StationAnswer? {
    guard canAsk else { return nil }
    let reasons = reasons.map(\.description).joined(separator: "; ")
    console.report("trial \(place.trial ?? 0) of \(place.trials) is bad: \(reasons)")
    let line = await ask(
      "press Return to go on, or type “again” to perform it once more; the bad one is kept and superseded",
      "go on: Return or again? ")
    return line?.lowercased() == "again" ? .again : .goOn
  }

  private func pauseSession(after place: SessionPlace) async -> StationAnswer {
    console.line("the session is paused after trial \(place.trial ?? 0) of \(place.trials)")
    if let participant, isParticipants {
      participant.show(.paused)
      _ = await line("", after: (TrialControl.operatorKey, "operator: Ctrl-P and Return go on"))
    } else {
      console.leaveScreen()
      _ = await line("press Return to go on ", after: nil)
    }
    return givesUp ? .end : .goOn
  }

  /// Asks the operator for a line, on the participant's screen in neutral words after Ctrl-P; `nil` if the operator gives
  /// up, or the input has ended.
  private func ask(_ question: String, _ neutral: String) async -> String? {
    guard let participant, isParticipants else {
      console.leaveScreen()
      console.line(question)
      return await line("", after: nil)
    }
    participant.show(.wait)
    return await line("operator, \(neutral)", after: (TrialControl.operatorKey, "operator: Ctrl-P"))
  }

  private func line(_ prompt: String, after opening: (key: OperatorKey, shown: String)?) async -> String? {
    let line = await firstResult(
      of: { [keys, console] in await keys.line(asking: prompt, after: opening) { console.show(prompt: $0) } },
      unless: awaitGivingUp)
    return line ?? nil
  }
}
