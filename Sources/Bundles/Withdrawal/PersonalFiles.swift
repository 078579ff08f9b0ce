import Basics
import Quantities
import Study

/// What a results folder holds of a participant.
package struct PersonalFiles: Hashable, Sendable, Codable {
  /// The finished trials, and what lies around trials.
  package private(set) var bundles: [Part] = []
  /// The records of sessions.
  package private(set) var sessions: [Part] = []
  /// The signed consents, by their sessions.
  package private(set) var consents: [Part] = []

  /// A bundle, a session's record or a consent.
  package struct Part: Hashable, Sendable, Codable {
    /// The name of its folder or file.
    let name: String
    /// The identifier of the trial or the session.
    let identifier: String
    /// The study: the protocol's identifier.
    let study: String
  }

  init() {}

  /// Whether there is nothing.
  package var isEmpty: Bool { bundles.isEmpty && sessions.isEmpty && consents.isEmpty }

  /// The studies that parts belong to.
  package var studies: Set<String> { Set((bundles + sessions + consents).map(\.study)) }

  package var trials: Set<String> { Set(bundles.map(\.identifier)) }

  /// Adds the parts of another list, each once.
  package mutating func formUnion(_ other: PersonalFiles) {
    bundles += other.bundles.filter { !bundles.contains($0) }
    sessions += other.sessions.filter { !sessions.contains($0) }
    consents += other.consents.filter { !consents.contains($0) }
  }
}

extension ResultsFolder {
  /// Finds what belongs to a participant.
  ///
  /// - Parameters:
  ///   - participant: the participant's code.
  ///   - study: the study; `nil` for all.
  /// - Returns: what belongs to the participant, and the paths of what cannot be read, so that it may do so as well.
  /// - Throws: `WithdrawalError` while a trial of the participant is running, and `FileError` when the folder cannot be
  ///   read.
  package func files(
    of participant: String, in study: String?
  ) throws -> (files: PersonalFiles, unreadable: [String]) {
    var files = PersonalFiles()
    var unreadable: [String] = []
    for trial in try trialsUnderWay() {
      let opening = opening(of: trial)
      if trial.isRecorded, opening?.participant ?? participant == participant {
        throw WithdrawalError.underWay(participant: participant, trial: trial.identifier.description)
      }
      if !trial.isRecorded, opening?.participant ?? participant == participant { unreadable.append(trial.folder) }
    }
    for name in try trials() {
      guard let heading = try? TrialHeading(ofBundle: bundlePath(named: name)) else {
        unreadable.append(bundlePath(named: name))
        continue
      }
      guard heading.participant == participant, study ?? heading.study == heading.study else { continue }
      files.add(bundle: .init(name: name, identifier: heading.trial, study: heading.study))
    }
    for name in try sessionNames() {
      guard let record = try? session(name) else {
        unreadable.append(path(ofSession: name))
        continue
      }
      let own = record.studyProtocol.identifier
      guard record.participant == participant, study ?? own == own else { continue }
      files.add(session: .init(name: name, identifier: record.session, study: own))
    }
    for name in Folder.isFolder(consentsFolder) ? try Folder.names(in: consentsFolder) : [] where !name.hasPrefix(".") {
      let path = "\(consentsFolder)/\(name)"
      // A copy goes with its record.
      if name.hasSuffix(".html"), Folder.exists("\(path.dropLast(5)).json") { continue }
      guard let record = try? JSONReader.read(File.contents(of: path)).value.decoded(as: ConsentRecord.self) else {
        unreadable.append(path)
        continue
      }
      let own = record.studyProtocol.identifier
      guard record.participant == participant, study ?? own == own else { continue }
      files.add(consent: .init(name: name, identifier: record.session, study: own))
    }
    return (files, unreadable)
  }

  /// The head of a trial that has no bundle; `nil` where it cannot be read.
  func opening(of trial: TrialUnderWay) -> TrialOpening? {
    guard var reader = try? JournalReader(trial.journalFile), let line = try? reader.next(),
      case .success(let record) = line.record, case .trialOpened(let opening) = record.event
    else { return nil }
    return opening
  }
}

extension PersonalFiles {
  fileprivate mutating func add(bundle: Part) { bundles.append(bundle) }
  fileprivate mutating func add(session: Part) { sessions.append(session) }
  fileprivate mutating func add(consent: Part) { consents.append(consent) }
}

/// Why a participant cannot be withdrawn.
enum WithdrawalError: Error, Hashable, CustomStringConvertible {
  /// A trial of the participant is running, or one of which that is not known yet.
  case underWay(participant: String, trial: String)

  /// What failed, why, and what to do.
  var description: String {
    switch self {
    case .underWay(let participant, let trial):
      "cannot withdraw “\(participant.visible)”: trial \(trial) is running; end the session and try again"
    }
  }
}
