package import Basics
package import Bundles
import Quantities
import Study

/// A session while it runs: what the journals of its parts and its bundles have come to so far.
///
/// `station show --live` draws it for the operator. A single trial is a session with one part.
package struct LiveSession: Sendable {
  /// A part of the session that runs: a trial, or what lies around the trials.
  package struct Part: Sendable {
    let identifier: TrialIdentifier
    /// What its journal says.
    var trial: LiveTrial
  }

  /// A trial that is over.
  package struct Done: Sendable {
    /// What its journal says.
    package let trial: LiveTrial
    /// Its verdict; `nil` for a trial that was discarded, or whose bundle cannot be read.
    let verdict: Verdict?
    /// Why it is not good, in words; `nil` for a good one.
    package let complaint: String?
  }

  /// The parts that run, what lies around the trials first.
  package private(set) var parts: [Part] = []

  /// The trials that are over, in the order in which they ended.
  package private(set) var done: [Done] = []

  /// The verdicts of trials that were over before this began, by their number.
  private var earlier: [Int: Verdict] = [:]
  private var isAroundOver = false

  package init() {}

  /// A trial of the session was over before.
  package mutating func add(_ verdict: Verdict, ofTrial number: Int) { earlier[number] = verdict }

  /// What lies around the trials; `nil` where nothing does, or before it begins.
  package var around: LiveTrial? { parts.lazy.map(\.trial).first(where: \.isAround) }

  /// The trial that runs; `nil` between two trials.
  package var trial: LiveTrial? { parts.lazy.map(\.trial).last { !$0.isAround } }

  /// How many trials have each verdict so far, the best first; a trial that was performed again counts once.
  package var verdicts: [(verdict: Verdict, count: Int)] {
    var latest = earlier
    for trial in done {
      if let number = trial.trial.progress.opening?.place?.trial, let verdict = trial.verdict {
        latest[number] = verdict
      }
    }
    return Verdict.allCases.sorted().compactMap { verdict in
      let count = latest.values.count { $0 == verdict }
      return count > 0 ? (verdict, count) : nil
    }
  }

  /// Whether another trial is planned after the last one that ended.
  package var leadsOn: Bool {
    guard let last = done.last?.trial.progress, let place = last.opening?.place, let number = place.trial,
      let closing = last.closing
    else { return false }
    if closing.outcome == .repeated { return true }
    return !isAroundOver && number < place.trials && [.completed, .skipped].contains(closing.outcome)
  }

  /// A part begins.
  package mutating func open(_ identifier: TrialIdentifier, _ trial: LiveTrial) {
    parts.append(Part(identifier: identifier, trial: trial))
  }

  /// The journal of a part has another line.
  ///
  /// - Throws: `BundleError.headless` where the first line opens no trial.
  package mutating func take(_ line: JournalReader.Line, of identifier: TrialIdentifier) throws {
    guard let index = parts.firstIndex(where: { $0.identifier == identifier }) else { return }
    try parts[index].trial.take(line)
  }

  /// The journal of a part has another record, which was just written.
  package mutating func take(_ record: JournalRecord, of identifier: TrialIdentifier) {
    guard let index = parts.firstIndex(where: { $0.identifier == identifier }) else { return }
    parts[index].trial.take(record)
  }

  /// What is known of a part that runs; `nil` for a part that does not.
  package subscript(identifier: TrialIdentifier) -> LiveTrial? {
    get { parts.first { $0.identifier == identifier }?.trial }
    set {
      guard let index = parts.firstIndex(where: { $0.identifier == identifier }), let newValue else { return }
      parts[index].trial = newValue
    }
  }

  /// A part is over.
  ///
  /// - Parameters:
  ///   - identifier: the part.
  ///   - record: its record; `nil` for a part without a bundle.
  ///   - complaint: why it is not good; `nil` for a good one.
  package mutating func end(_ identifier: TrialIdentifier, _ record: TrialRecord?, complaint: String?) {
    guard let index = parts.firstIndex(where: { $0.identifier == identifier }) else { return }
    let trial = parts.remove(at: index).trial
    if trial.isAround { isAroundOver = true }
    if !trial.isAround || parts.isEmpty {
      done.append(Done(trial: trial, verdict: record?.verdict, complaint: complaint))
    }
  }
}

extension LiveTrial {
  /// The time since the trial's zero at a time of the calendar, but never before the latest record.
  package func time(at wall: WallTime) -> Duration {
    guard let zero = progress.opening?.zero else { return latest }
    return max(latest, zero.time + .microseconds(wall.microseconds - zero.wall.microseconds))
  }
}
