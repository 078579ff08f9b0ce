package import Basics

/// A trial that has no bundle yet, as others than its own process see it; looking at it changes nothing.
package struct TrialUnderWay: Hashable, Sendable {
  /// The trial's identifier.
  package let identifier: TrialIdentifier

  /// Its folder under `open/`.
  let folder: String

  /// Where its bundle will stand.
  package let bundlePath: String

  /// The path of its journal.
  package var journalFile: String { "\(folder)/\(TrialFile.journal)" }

  /// The path of its protocol, byte for byte as it is used.
  package var protocolFile: String { "\(folder)/\(TrialFile.protocolFile)" }

  /// Whether a process records it; one that was left open by a crash waits for `recover`.
  ///
  /// What runs on another computer, in a shared results folder, is not known here.
  package var isRecorded: Bool { File.isLocked(journalFile) ?? true }

  /// Whether its journal is still there.
  package var isOpen: Bool { Folder.exists(journalFile) }

  /// Whether its bundle is there.
  package var isFinished: Bool { Folder.isFolder(bundlePath) }

  /// The same trial as its bundle tells it, to be followed from its beginning to its end.
  package var inBundle: TrialUnderWay {
    TrialUnderWay(identifier: identifier, folder: "\(bundlePath)/\(BundleFile.data)", bundlePath: bundlePath)
  }
}

extension ResultsFolder {
  /// The trials that are open, oldest first.
  ///
  /// - Throws: `FileError` when the folder cannot be read.
  package func trialsUnderWay() throws(FileError) -> [TrialUnderWay] {
    guard Folder.isFolder(openFolder) else { return [] }
    return try Folder.names(in: openFolder).compactMap { TrialIdentifier($0) }.map(trialUnderWay).filter(\.isOpen)
  }

  /// The trial of an identifier, whether it is open or not.
  package func trialUnderWay(_ identifier: TrialIdentifier) -> TrialUnderWay {
    TrialUnderWay(
      identifier: identifier, folder: openPath(of: identifier), bundlePath: bundlePath(of: identifier))
  }
}

/// What `station show --live` follows.
package enum FollowedWork: Hashable, Sendable {
  /// One trial, and nothing after it.
  case trial(TrialUnderWay)
  /// The session of that identifier, with its trials from one to the next.
  case session(String)

  package var isSession: Bool { if case .session = self { true } else { false } }
}

/// A session, or a trial that belongs to none, that a process records at the moment.
package struct RunningSession: Hashable, Sendable {
  /// The session's identifier; that of the trial where it belongs to no session.
  let identifier: String
  /// The participant's code.
  let participant: String
  /// The session's number or name.
  let session: String
  /// The protocol's identifier.
  let studyProtocol: String
  /// Its trials that are open, and its steps around them, oldest first.
  var trials: [TrialUnderWay]

  package var work: FollowedWork {
    trials.count == 1 && trials[0].identifier.description == identifier ? .trial(trials[0]) : .session(identifier)
  }
}

extension ResultsFolder {
  /// The sessions that are running, oldest first, and how many trials were left open by a crash.
  ///
  /// - Parameter left: trials that are known to be left open, which a process records only to recover them.
  /// - Returns: the sessions, and how many trials were left open.
  /// - Throws: `FileError` when the folder cannot be read.
  package func runningSessions(without left: Set<String> = []) throws -> (sessions: [RunningSession], crashed: Int) {
    let open = try trialsUnderWay()
    var sessions: [RunningSession] = []
    var crashed = 0
    for trial in open {
      guard trial.isRecorded, !left.contains(trial.identifier.description) else {
        crashed += 1
        continue
      }
      // Its first line may not be written yet, or its bundle just made.
      guard let opening = trial.opening else { continue }
      let identifier = opening.place?.run ?? trial.identifier.description
      if let index = sessions.firstIndex(where: { $0.identifier == identifier }) {
        sessions[index].trials.append(trial)
      } else {
        sessions.append(
          RunningSession(
            identifier: identifier, participant: opening.participant, session: opening.session,
            studyProtocol: opening.studyProtocol.identifier, trials: [trial]))
      }
    }
    return (sessions, crashed)
  }

  /// The running session; `nil` for none.
  ///
  /// - Parameters:
  ///   - name: a participant's code or a session's identifier; `nil` for the only session.
  ///   - left: trials that are known to be left open by a crash.
  /// - Returns: the session, and how many trials were left open by a crash.
  /// - Throws: ``TrialUnderWayError`` if several are running, and `FileError`.
  package func runningSession(
    of name: String? = nil, without left: Set<String> = []
  ) throws -> (session: RunningSession?, crashed: Int) {
    let (all, crashed) = try runningSessions(without: left)
    let sessions = all.filter { name == nil || $0.participant == name || $0.identifier == name }
    guard sessions.count < 2 else { throw TrialUnderWayError.several(sessions, results: path) }
    return (sessions.first, crashed)
  }

  /// The trial of that identifier, or of the folder at that path; `nil` if the name is not that of a trial.
  package func trialUnderWay(named name: String) throws(TrialUnderWayError) -> TrialUnderWay? {
    guard let identifier = TrialIdentifier(Folder.name(of: name)) else { return nil }
    let folder = name.contains("/") ? Folder.parent(of: Folder.parent(of: name)) : path
    let trial = ResultsFolder(folder).trialUnderWay(identifier)
    guard trial.isOpen || trial.isFinished else { throw .unknown(identifier, results: folder) }
    return trial
  }
}

extension TrialUnderWay {
  /// The first record of its journal, wherever that lies by now; `nil` before it was written.
  package var opening: TrialOpening? { firstRecord ?? (isFinished ? inBundle.firstRecord : nil) }

  private var firstRecord: TrialOpening? {
    guard var journal = try? JournalReader(journalFile), case .success(let record)? = try? journal.next()?.record,
      case .trialOpened(let opening) = record.event
    else { return nil }
    return opening
  }
}

/// The error for a trial that cannot be followed.
package enum TrialUnderWayError: Error, Hashable, CustomStringConvertible {
  case several([RunningSession], results: String)
  /// No trial is running; some were left open by a crash.
  case none(results: String, crashed: Int)
  /// Nothing of that participant or session is running.
  case notRunning(String, results: String, running: [RunningSession])
  /// There is no such trial.
  case unknown(TrialIdentifier, results: String)
  /// The program that recorded the trial crashed.
  case crashed(TrialIdentifier)

  /// The reason, and what to do.
  package var description: String {
    switch self {
    case .several(let sessions, let results):
      return
        "\(sessions.count) sessions are running in “\(results.visible)”; name a participant, or the session, after "
        + "“station show --live”:\n" + Self.list(sessions)
    case .none(let results, let crashed):
      let left = crashed == 1 ? "one trial was" : "\(crashed) trials were"
      return "no trial is running in “\(results.visible)”; --wait waits for one, and --results names another folder"
        + (crashed == 0 ? "" : "; \(left) left open by a crash; run “station recover” to finish")
    case .notRunning(let name, let results, let running):
      return "“\(name.visible)” is not the participant, session or trial of anything that is running in "
        + "“\(results.visible)”"
        + (running.isEmpty ? "; --wait waits for it" : "; name one of these:\n" + Self.list(running))
    case .unknown(let trial, let results):
      return "there is no trial “\(trial)” in “\(results.visible)”; name its results folder with --results"
    case .crashed(let trial):
      return "the program that recorded trial \(trial) crashed before the end of the trial; "
        + "run “station recover” to make its bundle"
    }
  }

  private static func list(_ sessions: [RunningSession]) -> String {
    sessions.map {
      "  \($0.identifier)  \($0.studyProtocol.visible), participant \($0.participant.visible), session \($0.session.visible)"
    }.joined(separator: "\n")
  }
}
