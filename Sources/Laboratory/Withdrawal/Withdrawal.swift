package import Basics
package import Bundles
import Quantities
package import SampleStore

/// Removes a participant from a results folder, its sample store and the participants' list.
///
/// What is to be removed is written down first, and that file is removed last: whatever stops the work, the next
/// withdrawal completes it. Bundles go before the store, which is filled from them, and the list's entry goes last, since
/// it gives the tombstone its name.
package struct Withdrawal: Sendable {
  /// The participant's code.
  let participant: String
  /// The study; `nil` for all.
  let study: String?
  private let results: ResultsFolder
  private let store: SampleStore?
  private let list: ParticipantList?
  private let now: @Sendable () -> WallTime

  /// Removes trials from the outbox, once their bundles are gone, so that no sender adds them again, and before the store is
  /// emptied of what was deleted.
  package var forgetSent: @Sendable (_ trials: Set<String>) async throws -> Void = { _ in }

  /// Called before each thing that is done; tests stop the work here, as a crash would.
  var willPerform: @Sendable (Action) throws -> Void = { _ in }

  /// What is done, in this order.
  enum Action: CaseIterable {
    case notePending, setAside, removeBundle, removeConsent, removeSession, removeIndex, deleteSamples, leaveList,
      keepTombstones,
      removePending
  }

  /// A withdrawal.
  ///
  /// - Parameters:
  ///   - participant: the participant's code.
  ///   - study: the protocol's identifier; `nil` for all studies.
  ///   - results: the results folder.
  ///   - store: its sample store; `nil` if there is none.
  ///   - list: the participants' list; `nil` if there is none.
  ///   - now: the wall clock.
  package init(
    of participant: String, from study: String? = nil, results: ResultsFolder, store: SampleStore?,
    list: ParticipantList?, now: @escaping @Sendable () -> WallTime = { .now }
  ) {
    (self.participant, self.study, self.results) = (participant, study, results)
    (self.store, self.list, self.now) = (store, list, now)
  }

  // MARK: Finding

  /// What there is of a participant.
  package struct Holdings: Sendable {
    /// In the results folder.
    package let files: PersonalFiles
    /// What cannot be read in the results folder, and may be the participant's.
    package let unreadable: [String]
    /// How many samples the store has.
    package let samples: Int
    /// The names that the list would have afterwards, for each study.
    package let names: [String: String]
    /// Whether an earlier withdrawal of the participant was not completed.
    let isPending: Bool
    /// Whether a process that was killed left a claim, which has the code.
    let isClaimed: Bool
    /// Whether the index has trials of the participant, also where their bundles are gone.
    let isIndexed: Bool

    /// Whether there is nothing.
    package var isEmpty: Bool {
      files.isEmpty && samples == 0 && names.isEmpty && !isPending && !isClaimed && !isIndexed
    }
  }

  /// Finds what there is of the participant; trials that a crash left open get their bundles first.
  ///
  /// - Throws: `WithdrawalError` while a trial of the participant is running, and what keeps folder, store or list from
  ///   being read.
  package func find() async throws -> Holdings {
    _ = try results.recover()
    let (files, unreadable) = try results.files(of: participant, in: study)
    let pending = try results.pendingWithdrawal().flatMap { $0.participant == participant ? $0 : nil }
    let trials = files.trials.union(pending?.files.trials ?? [])
    return Holdings(
      files: files, unreadable: unreadable,
      samples: try await store?.count(matching: predicates(participant, study, trials)) ?? 0,
      names: try await names(participant, study), isPending: pending != nil,
      isClaimed: try results.studiesClaimed(by: participant).contains { study ?? $0 == $0 },
      isIndexed: results.indexHasTrials(of: participant, in: study))
  }

  /// The names of withdrawn participants that the list would have.
  private func names(_ participant: String, _ study: String?) async throws -> [String: String] {
    var names: [String: String] = [:]
    for one in try await list?.studies() ?? [] where study ?? one.identifier == one.identifier {
      let entry = try await list?.participants(of: one.identifier).first { $0.code == participant }
      names[one.identifier] = entry?.withdrawnName
    }
    return names
  }

  /// The samples of a participant: all, or those of one study's trials.
  private func predicates(_ participant: String, _ study: String?, _ trials: Set<String>) -> [SamplePredicate] {
    let ofTrials = MetadataCondition.allowed(BundleSamples.Key.trial, Set(trials.map { .string($0) }))
    return (trials.isEmpty ? [] : [SamplePredicate(metadata: [ofTrials])])
      + (study == nil ? [SamplePredicate(metadata: MetadataCondition.participant(participant))] : [])
  }

  // MARK: Removing

  /// What was removed.
  package struct Outcome: Sendable {
    /// What remains of the participant, for each study.
    package internal(set) var tombstones: [WithdrawnParticipant] = []
    /// How many samples were removed from the store.
    package internal(set) var samples = 0
    /// The tombstones of an earlier withdrawal that was completed first.
    package internal(set) var completed: [WithdrawnParticipant] = []
  }

  /// Removes the participant; an earlier withdrawal that was not completed is completed first.
  ///
  /// - Returns: what was removed.
  /// - Throws: `WithdrawalError` while a trial of the participant is running, and what kept something from being removed;
  ///   calling it again completes the work.
  package func perform() async throws -> Outcome {
    try await results.lockedForWithdrawal { try await performLocked() }
  }

  private func performLocked() async throws -> Outcome {
    var outcome = Outcome()
    var pending = PendingWithdrawal(participant: participant, study: study, time: now())
    if let earlier = try results.pendingWithdrawal() {
      if (earlier.participant, earlier.study) == (participant, study) {
        pending = earlier
      } else {
        outcome.completed = try await complete(earlier).tombstones
      }
    }
    let done = try await complete(pending)
    (outcome.tombstones, outcome.samples) = (done.tombstones, done.samples)
    return outcome
  }

  private func complete(
    _ begun: PendingWithdrawal
  ) async throws -> (tombstones: [WithdrawnParticipant], samples: Int) {
    var pending = begun
    let names = try await names(pending.participant, pending.study)
    pending.names.merge(names) { _, new in new }
    let known = pending.files.studies.union(pending.names.keys)
    let claims = try claims(of: pending.participant, in: known, pending.study)
    defer { for claim in claims { claim.end() } }
    // A session that ended meanwhile is removed too.
    while true {
      _ = try results.recover()
      let files = try results.files(of: pending.participant, in: pending.study).files
      pending.files.formUnion(files)
      try willPerform(.notePending)
      try results.write(pending)
      try remove(pending.files)
      if files.isEmpty { break }
    }
    try willPerform(.removeIndex)
    try results.removeIndex()
    try await forgetSent(pending.files.trials)
    try willPerform(.deleteSamples)
    let samples = try await store?.withdraw(
      matching: predicates(pending.participant, pending.study, pending.files.trials),
      person: pending.study == nil ? pending.participant : nil,
      forgetting: Set(pending.files.trials.map(StoreIngest.receipt)))
    try willPerform(.leaveList)
    _ = try await list?.withdraw(pending.participant, from: pending.study)
    try willPerform(.keepTombstones)
    try results.keep(pending.tombstones)
    try willPerform(.removePending)
    try results.removePendingWithdrawal()
    return (pending.tombstones, samples ?? 0)
  }

  /// Keeps sessions of the participant from beginning meanwhile; refused while one runs.
  private func claims(of participant: String, in known: Set<String>, _ study: String?) throws -> [SessionClaim] {
    let found = try results.files(of: participant, in: study).files.studies
    let studies = try known.union(found).union(results.studiesClaimed(by: participant)).filter { study ?? $0 == $0 }
    var claims: [SessionClaim] = []
    do {
      for one in studies.sorted() {
        claims.append(try results.claim(.here(participant: participant, study: one, since: now())))
      }
    } catch {
      for claim in claims { claim.end() }
      throw error
    }
    return claims
  }

  private func remove(_ files: PersonalFiles) throws {
    for bundle in files.bundles {
      try willPerform(.setAside)
      try results.setAside(bundle)
      try willPerform(.removeBundle)
      try results.removeSetAside(bundle)
    }
    for consent in files.consents {
      try willPerform(.removeConsent)
      try results.removeConsent(consent)
    }
    for session in files.sessions {
      try willPerform(.removeSession)
      try results.removeSession(session)
    }
  }
}

/// What a withdrawal does not reach and a person has to remove.
package enum WithdrawalRemainder: Hashable, Sendable {
  /// Trials or records that cannot be read, and may be the participant's.
  case unreadable([String])
  /// Stores that a rebuild kept, which still have the samples.
  case oldStores([String])
  /// The participant is still in other studies.
  case otherStudies([String])
  /// Bundles were sent to these destinations.
  case sent([String])
  /// The store or the list is on a server, whose files, logs, replicas and backups are its administrator's.
  case server
  /// Copies: exports, reports, charts, other results folders, other stations, backups and the trash.
  case copies
  /// What was removed may remain readable on the disk until its blocks are used again.
  case disk

  /// The case's name for programs.
  package var code: String {
    switch self {
    case .unreadable: "unreadable"
    case .oldStores: "oldStores"
    case .otherStudies: "otherStudies"
    case .sent: "sent"
    case .server: "server"
    case .copies: "copies"
    case .disk: "disk"
    }
  }

  /// What it names: paths or studies.
  package var names: [String] {
    switch self {
    case .unreadable(let names), .oldStores(let names), .otherStudies(let names), .sent(let names): names
    case .server, .copies, .disk: []
    }
  }

  /// What there is, and what to do.
  package var description: String {
    let list = names.map { "“\($0)”" }.joined(separator: ", ")
    return switch self {
    case .unreadable: "cannot be read, and may be of this participant: \(list); look at them by hand"
    case .oldStores: "old stores that a rebuild kept still have the samples: \(list); remove them"
    case .otherStudies: "the participant remains in other studies: \(list); leave --study out to remove all"
    case .sent: "bundles of the participant were sent, or may have been, to: \(list); have them removed there"
    case .server:
      "on the server the rows are deleted; its logs, replicas and backups belong to its administrator"
    case .copies:
      "exports, reports, charts, copies of bundles, backups, the trash, other results folders, and stores and lists of other "
        + "stations are not touched"
    case .disk:
      "until their blocks are used again, deleted files may be recovered from the disk; an encrypted disk prevents that"
    }
  }
}
