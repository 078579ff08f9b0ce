import Bundles
import Quantities
import Sensors
import Study

/// What happens in a session, as far as the consoles of its operators show it.
enum DeskFact: Sendable {
  /// The session is planned.
  case planned(SessionHead)
  /// A part of it begins, with the steps that may come in it.
  case opened(TrialIdentifier, [[Step]])
  /// The journal of a part has another record.
  case recorded(JournalRecord, of: TrialIdentifier)
  /// A part is over; without a bundle it was discarded.
  case concluded(TrialIdentifier, TrialRecord?, complaint: String?)
  /// A sensor said something, also where nothing is recorded.
  case heard(String, SensorEvent)
  /// The participant sees another screen.
  case showed(Screen)
  /// How long the active steps last from now to the end of the session.
  case remains(Duration, at: Moment)
  /// What can be asked for in the trial that runs, by the names of commands.
  case offers([String])
  /// The station asks something, under a number.
  case asked(Int, StationQuestion)
  /// A question has an answer, or needs none any more.
  case settled(Int)
  /// What the operator at the terminal reads as well.
  case said(String, isProblem: Bool, at: Moment)
  /// The participant calls the operator.
  case called(ParticipantCall, at: Moment)
  /// What the session waits for; `nil` for nothing.
  case waits(String?)
  /// What is ready for the session's start; nothing once it has started.
  case checked([StartCheck])
  /// The session is over.
  case over
}

/// What is known of a session before it begins.
package struct SessionHead: Sendable {
  let session: String
  let studyProtocol: ProtocolReference
  let participant: String
  /// Its number or name.
  let number: String
  let language: String
  let isUnattended: Bool
  let plan: Plan
  /// The recorders, by their identifiers, with the names of their sensors.
  let sensors: [String: String]
}

/// Sees what a session does while it does it; no call waits for anything.
package protocol SessionWatcher: Sendable {
  func see(_ fact: SessionFact)

  /// The session begins; consoles find it at the path of this socket, if there can be one.
  func begin(at socket: String?)

  /// It is over.
  func end()
}

/// What a watcher sees; its content is the session's own.
package struct SessionFact: Sendable {
  let fact: DeskFact

  init(_ fact: DeskFact) { self.fact = fact }
}

extension SessionWatcher {
  func see(_ fact: DeskFact) { see(SessionFact(fact)) }
}

extension JournalEvent {
  fileprivate var isOfSensor: Bool {
    switch self {
    case .reading, .sample, .beatTriggered: true
    default: false
    }
  }
}

extension SensorEvent {
  /// The newest of very many readings, which are as many as a console can show.
  var shown: SensorEvent {
    guard case .readings(let batch) = self, batch.count > Self.maxShown else { return self }
    return .readings(Array(batch.suffix(Self.maxShown)))
  }

  private static var maxShown: Int { 32 }
}

/// A journal whose records a watcher sees as they are taken, but for what sensors say.
struct WatchedJournal: TrialJournal {
  let journal: any TrialJournal
  let watcher: any SessionWatcher
  let part: TrialIdentifier

  @discardableResult
  func append(time: Duration, event: JournalEvent) -> Int? {
    let number = journal.append(time: time, event: event)
    // What sensors say is heard from them, recorded or not.
    if let number, !event.isOfSensor {
      watcher.see(.recorded(JournalRecord(sequence: number, time: time, event: event), of: part))
    }
    return number
  }
}
