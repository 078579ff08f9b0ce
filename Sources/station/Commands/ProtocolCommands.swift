import Basics
import Bundles
import Laboratory
import Session
import Sound
import Study

extension Command {
  /// Every problem of protocols, with its place.
  static let validate = Command(
    "validate", operands: "PROTOCOL…",
    "checks protocols and prints every problem with its place; - reads standard input",
    options: [
      .clips, .init("participant", value: "ID", "check the clips of this participant too"), .json("one JSON array"),
    ]
  ) { arguments in
    let language = try AppliedSettings(results: "results").language?.value ?? .english
    let (clips, participant) = (arguments["clips"], try arguments.code("participant"))
    let console = Console.standard
    // A program may be speaking.
    Interrupts.endTidily()
    var status = ExitStatus.done
    var documents: [JSONValue] = []
    for path in arguments.operands {
      // Standard input, whose folder of clips is relative to the current folder.
      let name = path == "-" ? "<stdin>" : path
      do throws(StudyRefusal) {
        let study =
          path == "-"
          ? try LoadedStudy("/dev/stdin", clipsFolder: clips, participant: participant, called: name, clipsFrom: ".")
          : try LoadedStudy(path, clipsFolder: clips, participant: participant)
        for tag in study.studyProtocol.languages.isEmpty ? [nil] : study.studyProtocol.languages.map(Optional.some) {
          let shown = try tag.map { tag throws(StudyRefusal) in try study.shown(in: tag) } ?? study
          _ = try await shown.speech(in: language, by: SessionEnvironment.here.speak)
        }
        let loudness = try study.loudnessNotes(LoudnessCache(environmentVariable)) { clip, count in
          console.show(status: "measuring the loudness of clip \(clip) of \(count)")
        }
        console.show(status: "")
        let caveats = PlanCaveat.ofGroups(study.studyProtocol) + study.clipCaveats
        let notes =
          study.participantNotes(participant) + caveats.map(\.description) + loudness
          + study.studyProtocol.languageNotes(language)
        if arguments.isJSON {
          documents.append(study.json(path, notes))
        } else {
          console.line("\(name.visible): valid\(study.summary)")
          let unused = (study.library?.problems ?? []).map { "not used: \($0)" }
          for line in StudyRefusal.first(of: unused) { console.report(line) }
          console.lines(notes.map { "\(name.visible): note: \($0)" })
        }
      } catch {
        if arguments.isJSON { documents.append(error.json(path)) } else { console.report("\(error)") }
        status = .invalidProtocol
      }
    }
    if arguments.isJSON { console.write(.array(documents)) }
    return status
  }

  /// A whole study with simulated people, sensors and time.
  static let simulate = Command(
    "simulate", operands: "PROTOCOL", "performs a whole study with simulated people, sensors and time",
    options: [
      .init("participants", value: "N", "the number of participants (default: 40)"),
      .init("seed", value: "N", "the study's seed, also of people and sensors (default: 0)"),
      .init("results", value: "FOLDER|none", "a new folder for bundles, or “none” to keep nothing (default: none)"),
      .init("jobs", value: "N", "the number of participants at a time (default: 1)"), .clips, .json(),
    ]
  ) { arguments in
    let participants = try arguments.wholeNumber("participants", 1...10_000) ?? 40
    let seed = try arguments.wholeNumber("seed", 0...Draw.maxSeed) ?? 0
    let results = arguments["results"].flatMap { $0 == "none" ? nil : $0 }
    let jobs = try arguments.wholeNumber("jobs", 1...64) ?? 1
    let study = try LoadedStudy(arguments.operands[0], clipsFolder: arguments["clips"])
    let simulation = Simulation(
      of: study, participants: participants, seed: seed, results: results,
      station: .here(version: Version.current), jobs: jobs)
    let console = Console.standard
    let tally = try await simulation.run { done in console.show(status: "participant \(done) of \(participants)") }
    console.show(status: "")
    let groups = study.studyProtocol.groups?.groups.map(\.name) ?? []
    if arguments.isJSON {
      let head: [String: JSONValue] = [
        "protocol": .string(study.studyProtocol.identifier), "seed": .integer(seed),
        "participants": .integer(participants), "results": .text(results),
      ]
      console.write(.object(head.merging(tally.json(groups: groups)) { head, _ in head }))
    } else {
      console.line("\(study.studyProtocol.identifier.visible): \(participants.counted("participant")), seed \(seed)")
      if study.lacksParticipant {
        console.line("clips: those of \(Spelling.list(Array(study.persons.prefix(participants)))) in turn")
      }
      console.lines(tally.lines(groups: groups))
      if let forecast = study.studyProtocol.longestSession {
        console.line()
        console.line("a session with people: \(forecast)")
      }
    }
    for problem in tally.problems { console.report("\(problem)") }
    return tally.problems.isEmpty ? .done : .failed
  }

  static let clips = Command(
    "clips", operands: "[FOLDER|FILE…]",
    "shows the duration, rate, channels, loudness, true peak, hash and problems of clips",
    options: [.json("one JSON array")]
  ) { arguments in
    var examinations: [ClipExamination] = []
    var skipped: [SkippedFile] = []
    var problems: [ClipError] = []
    for path in arguments.operands.isEmpty ? ["Clips"] : arguments.operands {
      guard Folder.isFolder(path) else {
        examinations.append(ClipExamination(path: path))
        continue
      }
      let library: ClipLibrary
      do { library = try ClipLibrary(path) } catch { throw Failure("\(error)") }
      examinations += library.examinations()
      skipped += library.skipped
      problems += library.listProblems
    }
    Console.standard.answer(
      arguments, .array(examinations.map(\.json) + skipped.map(\.json) + problems.map(\.json)),
      ClipExamination.table(examinations).lines + skipped.map { "\($0)" })
    for problem in problems { Console.standard.report("\(problem)") }
    return examinations.contains { $0.problem != nil } || !problems.isEmpty ? .failed : .done
  }
}

extension Option {
  /// Takes the clips from another folder.
  static let clips = Option("clips", value: "FOLDER", "take the clips from this folder instead of the protocol's")
}
