package import Basics
package import Bundles
import Laboratory
import Quantities
import Sensors
import Sound
import Study
import Synchronization

/// A whole study with simulated people, sensors and time: every session of every participant, by the engine that performs
/// real ones.
///
/// The same seed gives the same simulation, to the byte, however many sessions are performed at once.
package struct Simulation: Sendable {
  /// The protocol and its clips.
  var study: LoadedStudy
  /// How many participants there are.
  var participants: Int
  /// The seed of the study and of everything that is simulated.
  var seed: UInt64
  /// The results folder; `nil` keeps nothing.
  var results: String?
  /// When the first participant's first session begins; each participant comes a day after the one before, and to each
  /// further session a week later.
  var start: WallTime
  /// How many participants take part at once.
  var jobs: Int
  var station: StationFacts

  /// 9:00 on the first day of 2026, UTC.
  static let usualStart = WallTime(milliseconds: 1_767_258_000_000)

  package init(
    of study: LoadedStudy, participants: Int, seed: UInt64, results: String?, station: StationFacts,
    start: WallTime = Simulation.usualStart, jobs: Int = 1
  ) {
    (self.study, self.participants, self.seed, self.results) = (study, participants, seed, results)
    (self.station, self.start, self.jobs) = (station, start, jobs)
  }

  /// Simulates the study.
  ///
  /// - Parameter progress: told how many participants are done.
  /// - Returns: what came of it; a session that could not be performed is a problem among others.
  /// - Throws: `SimulationRefusal` for a folder that holds other things, or what keeps it from being used.
  package func run(progress: (_ done: Int) -> Void = { _ in }) async throws -> SimulationTally {
    if let results { try await SimulationRefusal.check(ResultsFolder(results), for: study.studyProtocol.identifier) }
    let persons = study.lacksParticipant ? study.persons.prefix(participants) : []
    guard !study.lacksParticipant || !persons.isEmpty else {
      throw StudyRefusal(
        "no participant has clips yet, and simulated ones play those of participants; make a folder of them")
    }
    let studies = try persons.map { (person: $0, study: try study.of(person: $0)) }
    /// The study of a participant, with the clips of one of those who have some.
    func ownStudy(of index: Int) -> LoadedStudy {
      guard !studies.isEmpty else { return study }
      let (person, own) = studies[(index - 1) % studies.count]
      return own.simulated(as: code(of: index), with: person)
    }
    let list = try await openList()
    let archive = SimulatedArchive(results.map { ResultsFolder($0) })
    var tallies = [SimulationTally](repeating: SimulationTally(), count: participants)
    let enrolled = try await enrol(in: list, &tallies)
    try await withThrowingTaskGroup(of: (Int, SimulationTally).self) { group in
      var waiting = enrolled[...]
      func begin() {
        guard let enrolled = waiting.popFirst() else { return }
        let own = ownStudy(of: enrolled.index)
        group.addTask { (enrolled.index, try await perform(enrolled, of: own, archive, list)) }
      }
      for _ in 0..<jobs { begin() }
      var done = 0
      while let (index, tally) = try await group.next() {
        tallies[index - 1].add(tally)
        done += 1
        progress(done)
        begin()
      }
    }
    await list?.close()
    return tallies.reduce(into: SimulationTally()) { $0.add($1) }
  }

  /// The code of a participant: `sim07`.
  func code(of index: Int) -> String {
    let (digits, width) = ("\(index)", "\(participants)".count)
    return "sim" + String(repeating: "0", count: width - digits.count) + digits
  }

  // MARK: Enrolment

  /// A participant who takes part.
  private struct Enrolled {
    let index: Int
    let group: String?
  }

  /// The participants' list of a study that needs one.
  private func openList() async throws -> ParticipantList? {
    guard study.studyProtocol.enrolsParticipants else { return nil }
    guard let results else { return try await ParticipantList.inMemory() }
    try ResultsFolder(results).makeReady()
    return try await ParticipantList.open(Folder.path("participants.sqlite", from: results))
  }

  /// Enrols everyone in turn, as on the days on which they come.
  ///
  /// - Returns: those who take part.
  private func enrol(in list: ParticipantList?, _ tallies: inout [SimulationTally]) async throws -> [Enrolled] {
    guard let list else { return (1...participants).map { Enrolled(index: $0, group: nil) } }
    try await list.setSeed(of: study.studyProtocol.identifier, to: seed)
    var enrolled: [Enrolled] = []
    for index in 1...participants {
      do {
        let listed = try await EnrolledSession.enrol(
          code(of: index), in: study.studyProtocol, list, seed: seed, at: wall(index, session: 1))
        enrolled.append(Enrolled(index: index, group: listed.group))
      } catch let error as GroupsFull {
        tallies[index - 1].add(
          SimulationProblem(participant: code(of: index), session: 1, trial: nil, reason: .other("\(error)")))
      }
    }
    return enrolled
  }

  private func wall(_ index: Int, session: Int) -> WallTime {
    start.advanced(by: .seconds(86_400) * (index - 1 + 7 * (session - 1)))
  }

  // MARK: Sessions

  /// Performs the sessions of a participant.
  private func perform(
    _ enrolled: Enrolled, of study: LoadedStudy, _ archive: SimulatedArchive, _ list: ParticipantList?
  ) async throws -> SimulationTally {
    var tally = SimulationTally()
    for session in 1...study.studyProtocol.sessions {
      try Task.checkCancellation()
      tally.add(try await perform(enrolled, of: study, session, archive, list))
    }
    return tally
  }

  private func perform(
    _ enrolled: Enrolled, of study: LoadedStudy, _ session: Int, _ archive: SimulatedArchive, _ list: ParticipantList?
  ) async throws -> SimulationTally {
    let index = enrolled.index
    let participant = code(of: index)
    let random = SimulatedRandomness(seed, "\(study.studyProtocol.identifier)/\(index)", session: session)
    let time = SimulatedTime(wall: wall(index, session: session))
    let sessionOperator = SimulatedOperator(
      SimulatedPerson(
        SimulatedBehaviour(random.generator(for: "person")), steps: study.studyProtocol.allSteps.map(\.step),
        clock: time),
      participant: participant, session: session, clock: time)
    let environment = SessionEnvironment.simulated(time, archive, list, study.library, random)
    var setup = SessionSetup(
      study: study, recorders: try recorders(random), participant: participant,
      seed: list == nil ? random.seed : seed, speaker: .silent, results: results ?? "", station: station)
    setup.session = "\(session)"
    let start = time.now
    var problem: SimulationProblem.Reason?
    do {
      let outcome = try await time.run { [setup] in
        try await Session.run(setup, operator: sessionOperator, environment: environment)
      }
      if outcome.trials < outcome.planned { problem = .incomplete(trials: outcome.trials, of: outcome.planned) }
    } catch let error where !(error is CancellationError) {
      problem = .other("\(error)")
    }
    var tally = sessionOperator.counted
    if let consent = study.studyProtocol.allSteps.first(where: { $0.step.consent != nil })?.step {
      tally.sign(consent.identifier, times: archive.takeSignatures(of: participant))
    }
    if let problem {
      tally.add(SimulationProblem(participant: participant, session: session, trial: nil, reason: problem))
    }
    tally.endSession(of: participant, group: enrolled.group, after: start.duration(to: time.now))
    return tally
  }

  /// A simulated sensor behind every recorder, all of one heart.
  private func recorders(_ random: SimulatedRandomness) throws -> AssignedSensors {
    let sensor = try SensorAddress("simulated:seed=\(random.heart.seed),rate=\(random.heart.rate)")
    let ofSteps = study.studyProtocol.allSteps.flatMap { $0.step.active?.recorderConfigurations ?? [] }
    let names = (study.studyProtocol.recorderConfigurations + ofSteps)
      .filter { $0.quantityType != .continuousRating }.map(\.identifier)
    return try AssignedSensors(
      names.map { SensorAssignment(name: $0, address: sensor) }, for: study.studyProtocol, isUnattended: true)
  }
}

/// What went wrong in a simulation, and where.
package struct SimulationProblem: Hashable, Sendable, CustomStringConvertible {
  /// The participant's code.
  let participant: String
  /// The number of the participant's session.
  let session: Int
  /// The number of the trial in the session; `nil` for what does not concern a single trial.
  let trial: Int?
  /// What went wrong.
  let reason: Reason

  /// What can go wrong.
  package enum Reason: Hashable, Sendable {
    /// The trial failed, for a reason.
    case failed(String)
    /// No answer to a question was found that its format accepts.
    case unanswerable(AskedQuestion)
    /// The trial did not end within this time.
    case endless(Duration)
    /// Fewer trials were performed than planned, although no rule ended the session.
    case incomplete(trials: Int, of: Int)
    /// The session could not be performed, or something else happened to it.
    case other(String)
  }

  /// Where and what: `sim07, session 1, trial 3: …`.
  package var description: String {
    let place = "\(participant), session \(session)" + (trial.map { ", trial \($0)" } ?? "")
    return "\(place): \(reason)"
  }
}

extension SimulationProblem.Reason: CustomStringConvertible {
  /// What went wrong, why, and what to do.
  package var description: String {
    switch self {
    case .failed(let reason): "the trial failed: \(reason)"
    case .unanswerable(let asked):
      "no answer to the question “\(asked.question.identifier)” of the step “\(asked.step)” is accepted; what it asks "
        + "for is: \(asked.question.format.expectation); widen its limits"
    case .endless(let limit):
      "the trial did not end within \(Int(limit.seconds) / 3600) h of simulated time; see that the rules of its steps "
        + "do not lead in circles"
    case .incomplete(let done, let planned): "\(done) of \(planned.counted("planned trial")) performed"
    case .other(let reason): reason
    }
  }
}

extension SessionEnvironment {
  /// An environment in which time jumps, nothing sounds, and nothing is decoded.
  ///
  /// - Parameters:
  ///   - time: the clock.
  ///   - archive: where trials are kept.
  ///   - list: the participants' list, for a study that needs one.
  ///   - library: the clips.
  ///   - random: where identifiers come from.
  /// - Returns: the environment.
  static func simulated(
    _ time: SimulatedTime, _ archive: any SessionArchive, _ list: ParticipantList?, _ library: ClipLibrary?,
    _ random: SimulatedRandomness
  ) -> SessionEnvironment {
    let identities = Identities(random.generator(for: "identifiers"))
    return SessionEnvironment(
      clock: time, archive: { _ in archive },
      openList: { location in
        if let list { list } else { try await ParticipantList.open(location) }
      },
      openSpeaker: { _, _ in SilentSpeaker(clock: time) },
      load: { stimulus, _ in
        let warnings = library?.warnings[stimulus.clip.name] ?? []
        return try StimulusLoader().silent(stimulus.clip, for: stimulus.music, warnings: warnings)
      },
      speak: { text, language in Speech(silent: text, language: language) }, identify: { identities.next(at: $0) },
      boot: nil, isSimulated: true)
  }

  /// Identifiers that are the same each time.
  private final class Identities: Sendable {
    private let random: Mutex<SplitMix64>

    init(_ random: SplitMix64) { self.random = Mutex(random) }

    func next(at time: WallTime) -> TrialIdentifier {
      random.withLock { TrialIdentifier(time: time, using: &$0) }
    }
  }
}
