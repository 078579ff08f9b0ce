package import Basics
import Bundles
import Quantities
package import Sound
package import Study

extension LoadedStudy {
  /// Notes on clips that depend on the participant.
  ///
  /// - Parameter participant: the participant whose clips were checked; `nil` for none.
  /// - Returns: one note, or none.
  package func participantNotes(_ participant: String?) -> [String] {
    if lacksParticipant {
      return ["the clips of each participant were not checked; add --participant for those of one"]
    }
    guard let participant, !isPersonal else { return [] }
    return ["the clips are the same for every participant; --participant \(participant) has no effect"]
  }

  /// What is wrong with the files of clips that may be played.
  package var clipCaveats: [PlanCaveat] {
    let playable = Set(studyProtocol.music(among: clips).flatMap(\.clips).map(\.name))
    return playable.sorted { $0.precedes($1) }.flatMap { name in
      (library?.warnings[name] ?? []).map { .clipFaulty(clip: name, fault: $0) }
    }
  }

  /// Notes on the clips that cannot reach the loudness target of a step that may play them.
  ///
  /// - Parameters:
  ///   - cache: the loudness that was measured before.
  ///   - progress: told which clip is going to be measured, of how many.
  /// - Returns: the notes.
  /// - Throws: ``StudyRefusal`` for a clip that cannot be read.
  package func loudnessNotes(
    _ cache: LoudnessCache, progress: (_ clip: Int, _ count: Int) -> Void = { _, _ in }
  ) throws(StudyRefusal) -> [String] {
    var notes: [String] = []
    let measured = studyProtocol.music(among: clips).filter { $0.music.loudness != nil }
    let count = measured.map(\.clips.count).reduce(0, +)
    var number = 0
    for (music, playable) in measured {
      for clip in playable {
        number += 1
        progress(number, count)
        do {
          let reached = try StimulusLoader().reachedLoudness(of: clip, for: music, cache: cache)
          if let caveat = Caveat.loudness(of: clip.name, reached: reached, target: music.loudness) {
            notes.append("\(caveat)")
          }
        } catch {
          throw StudyRefusal("\(error)")
        }
      }
    }
    return notes
  }

  /// The steps, their time and the clips in a few words, in parentheses.
  package var summary: String {
    let forecast = studyProtocol.longestSession
    let active = forecast?.active ?? .zero
    let length = active == .zero ? "" : ", \(Self.words(active)) of active steps"
    let whole = forecast.map { ", about \(Self.words(.seconds($0.total.seconds.rounded()))) in all" } ?? ""
    let clips = library.map { ", \($0.clips.count.counted("clip"))" } ?? ""
    return " (\(studyProtocol.allSteps.count.counted("step"))\(length)\(whole)\(clips))"
  }

  /// A duration to the tenth of a second: `20.5 s`, `2 min`, `1 min 5 s`.
  private static func words(_ length: Duration) -> String {
    let tenths = Int((length.seconds * 10).rounded())
    let (minutes, rest) = tenths.quotientAndRemainder(dividingBy: 600)
    let seconds = rest % 10 == 0 ? "\(rest / 10) s" : "\(rest / 10).\(rest % 10) s"
    return minutes == 0 ? seconds : rest == 0 ? "\(minutes) min" : "\(minutes) min \(seconds)"
  }

  /// The study of a file and notes on it, as JSON.
  package func json(_ path: String, _ notes: [String]) -> JSONValue {
    [
      "file": .string(path), "isValid": true, "problems": [], "omittedProblems": 0,
      "identifier": .string(studyProtocol.identifier), "version": .string(studyProtocol.version),
      "title": .text(studyProtocol.title), "languages": .array(studyProtocol.languages.map { .string($0) }),
      "groups": .array((studyProtocol.groups?.groups ?? []).map { .string($0.name) }),
      "sessions": .integer(studyProtocol.sessions), "enrolsParticipants": .bool(studyProtocol.enrolsParticipants),
      "recorders": .array(
        studyProtocol.recorders.map { ["name": .string($0.name), "quantity": .string($0.quantity)] }),
      "steps": .integer(studyProtocol.allSteps.count),
      "activeSteps_s": .number(studyProtocol.longestSession?.active.seconds ?? 0),
      "forecast": studyProtocol.longestSession?.json ?? .null,
      "clips": library.map { .integer($0.clips.count) } ?? nil,
      "unusedClips": .array(
        (library?.problems ?? []).map { ["path": .string($0.path), "reason": .string("\($0.reason)")] }),
      "notes": .array(notes.map { .string($0) }),
    ]
  }
}

extension StudyProtocol {
  /// The recorders with the quantities that they record, each once.
  fileprivate var recorders: [(name: String, quantity: String)] {
    var known: Set<String> = []
    return (recorderConfigurations + allSteps.flatMap { $0.step.active?.recorderConfigurations ?? [] })
      .filter { known.insert($0.identifier).inserted }.map { ($0.identifier, $0.quantityType.channelName) }
  }
}

extension StudyRefusal {
  /// The problems of a file, as JSON.
  package func json(_ path: String) -> JSONValue {
    [
      "file": .string(path), "isValid": false, "problems": .array(json), "omittedProblems": .integer(omitted),
    ]
  }
}
