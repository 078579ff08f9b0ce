import Basics
import Bundles
import Quantities
import Study
import Synchronization

/// Runs the sessions of a simulated person: starts everything, stops nothing, and counts what came of it.
final class SimulatedOperator: SessionOperator {
  private let person: SimulatedPerson
  private let clock: any StationClock
  private let participant: String
  private let session: Int
  private let tally: Mutex<SimulationTally>
  private let waitsForRoom = Mutex(0)

  /// The time limit of a simulated trial, since rules may lead in circles.
  private static let maxTrial = Duration.seconds(24 * 3600)

  init(_ person: SimulatedPerson, participant: String, session: Int, clock: any StationClock) {
    (self.person, self.participant, self.session, self.clock) = (person, participant, session, clock)
    tally = Mutex(SimulationTally())
  }

  /// What came of the session.
  var counted: SimulationTally {
    var tally = tally.withLock { $0 }
    for (question, times) in person.asked { tally.take(question, asked: times) }
    for question in person.unanswerable { tally.add(problem(.unanswerable(question), inTrial: nil)) }
    return tally
  }

  var presenters: Presenters { Presenters(person) }

  var givesUp: Bool { interruptions > 0 }

  var interruptions: Int { waitsForRoom.withLock { $0 } }

  func awaitGivingUp() async { await Gate().pass() }

  func inform(_ event: SessionEvent) {
    switch event {
    case .awaitsRoom: waitsForRoom.withLock { $0 += 1 }
    case .sessionNotWritten(let reason): note(.other(reason), inTrial: nil)
    case .journal(let report): note(.other("\(report)"), inTrial: nil)
    case .recovered, .caveat, .outputs, .preparesSpeaker, .awaitsSpeaker, .repeats, .awaitsSamples, .begins,
      .trialOpens, .endedEarly, .discarded:
      break
    }
  }

  func attend<Value: Sendable>(_ session: @Sendable () async throws -> Value) async rethrows -> Value {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [person] in await person.act() }
      defer { group.cancelAll() }
      return try await session()
    }
  }

  func perform(
    _ trial: Trial, at place: SessionPlace,
    conclude: @Sendable (TrialEnd, Bool) async throws -> ConcludedTrial
  ) async throws -> ConcludedTrial {
    let end = await person.takePart(in: trial) { await run(trial, at: place) }
    let concluded = try await conclude(end, true)
    if let record = concluded.record {
      tally.withLock { $0.take(record) }
      if let reason = end.failure { note(.failed(reason), inTrial: place.trial) }
    }
    return concluded
  }

  private func run(_ trial: Trial, at place: SessionPlace) async -> TrialEnd {
    // What lies around the trials lasts as long as all of them.
    let limit = Self.maxTrial * (place.trial == nil ? place.trials + 1 : 1)
    return await withTaskGroup(of: Void.self) { group in
      group.addTask { [self] in
        do { try await clock.sleep(for: limit) } catch { return }
        note(.endless(limit), inTrial: place.trial)
        trial.send(.command(.end))
      }
      defer { group.cancelAll() }
      return await trial.run()
    }
  }

  private func note(_ reason: SimulationProblem.Reason, inTrial number: Int?) {
    tally.withLock { $0.add(problem(reason, inTrial: number)) }
  }

  private func problem(_ reason: SimulationProblem.Reason, inTrial number: Int?) -> SimulationProblem {
    SimulationProblem(participant: participant, session: session, trial: number, reason: reason)
  }
}

/// The random numbers of a simulated session, a stream for each purpose, independent of the draws of the study.
struct SimulatedRandomness: Sendable {
  private let study: UInt64
  /// Whose numbers they are, the same for all sessions of a participant.
  private let participant: String
  private let session: Int

  /// - Parameters:
  ///   - seed: the study's seed.
  ///   - participant: whose numbers they are.
  ///   - session: the number of the participant's session.
  init(_ seed: UInt64, _ participant: String, session: Int) {
    (study, self.participant, self.session) = (seed, participant, session)
  }

  func generator(for purpose: String) -> SplitMix64 { Self.generator(study, "\(participant)/\(session)/\(purpose)") }

  /// The seed of draws for a protocol that has no seed of its study.
  var seed: UInt64 {
    var random = generator(for: "seed")
    return random.next() & Draw.maxSeed
  }

  /// The participant's heart: its seed, another one in each session, and its rate at rest.
  var heart: (seed: UInt64, rate: Int) {
    var random = Self.generator(study, "\(participant)/heart")
    // Nunan, Sandercock and Brodie (2010): RR intervals of 926 ± 90 ms at rest.
    return ((random.next() >> 32) + UInt64(session - 1), Int(min(max(65 + 6 * random.normal(), 45), 100).rounded()))
  }

  private static func generator(_ seed: UInt64, _ purpose: String) -> SplitMix64 {
    SplitMix64(seed: seed ^ fnv1a64("simulation/\(purpose)"))
  }
}
