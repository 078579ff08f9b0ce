import Basics
package import Sound
package import Study

/// Speaks a text in a language.
package typealias SpeechRenderer = @Sendable (_ text: String, _ language: String) async throws(SpeechError) -> Speech

extension LoadedStudy {
  /// Speaks everything that the steps say, and checks that it fits into them.
  ///
  /// The remaining time of a step whose duration is drawn is not known yet, and is left out.
  ///
  /// - Parameters:
  ///   - language: the station's language, for a protocol that names none.
  ///   - speak: speaks a text.
  /// - Returns: what is said, by its text.
  /// - Throws: ``StudyRefusal`` with the places of what cannot be spoken; a program or a voice that is missing is reported
  ///   at the first of them.
  package func speech(in language: Language, by speak: SpeechRenderer) async throws(StudyRefusal) -> [String: Speech] {
    let phrases = studyProtocol.phrases.completed(in: language)
    var spoken: [String: Speech] = [:]
    var problems: [ProtocolProblem] = []
    for (step, path) in studyProtocol.allSteps {
      guard let active = step.active else { continue }
      for (utterance, text) in active.speech(phrases) where utterance != .remaining || active.jitter == nil {
        let place = path.appending(utterance.key)
        do throws(SpeechError) {
          let speech: Speech
          if let known = spoken[text] {
            speech = known
          } else {
            speech = try await speak(text, phrases.tag)
          }
          spoken[text] = speech
          if let reason = active.problem(with: utterance, speech) { problems.append(read.problem(at: place, reason)) }
        } catch {
          problems.append(read.problem(at: place, "\(error)"))
          if error.concernsEveryText { throw StudyRefusal(problems: problems) }
        }
      }
    }
    guard problems.isEmpty else { throw StudyRefusal(problems: Array(problems.prefix(ProtocolProblems.maxCount))) }
    return spoken
  }
}

extension SpeechError {
  /// Whether no text can be spoken.
  fileprivate var concernsEveryText: Bool {
    switch self {
    case .programMissing, .noVoice: true
    default: false
    }
  }
}

extension Utterance {
  /// The key of a step that asks for it.
  fileprivate var key: String {
    switch self {
    case .instruction: "spokenInstruction"
    case .finished: "finishedSpokenInstruction"
    case .remaining: "shouldSpeakRemainingTimeAtHalfway"
    case .three, .two, .one: "shouldSpeakCountDown"
    }
  }
}

extension ActiveStep {
  /// Why an instruction does not fit into the step; `nil` for one that does, and for one that no program has spoken.
  fileprivate func problem(with utterance: Utterance, _ speech: Speech) -> String? {
    let shortest = jitter?.minimum ?? stepDuration
    guard utterance == .instruction, shortest > .zero, speech.program != nil else { return nil }
    let room = shouldSpeakCountDown ? shortest - .seconds(3) : shortest
    guard speech.duration > room else { return nil }
    let count = shouldSpeakCountDown ? ", the last three of which are counted down" : ""
    return
      "it takes \(Self.words(speech.duration)) to speak, and the step lasts \(Self.words(shortest))\(count); shorten "
      + "the text or lengthen the step"
  }

  private static func words(_ duration: Duration) -> String { "\(duration.seconds.fixed(1)) s" }
}
