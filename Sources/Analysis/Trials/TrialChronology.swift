import Basics
import Bundles
import Quantities
import Study

/// A trial's place among those of its participant.
package struct TrialPlace: Hashable, Sendable {
  /// Where it lies, as it was given.
  package let path: String
  /// The number of the trial among its participant's, from 1 in the order of time; `nil` where that is not known.
  package internal(set) var period: Int?
  /// The number of the trial in its session, from 1; `nil` where that is not known.
  package internal(set) var trialInSession: Int?
  /// The condition of the trial before it in its session; `nil` where there is none, or it is not known.
  package internal(set) var previousCondition: String?
  var previousClip: String?
  /// The bundles of the steps around the trials of its session: those that began before it, the last one first, and then
  /// those after it.
  package internal(set) var around: [String] = []
  /// Whether it is itself such a bundle.
  package internal(set) var isAround = false

  /// A place of which nothing else is known.
  package init(path: String) { self.path = path }
}

/// What is known of trials before they are measured: who took part when, and which came before which.
///
/// A trial that cannot be read may be anybody's. What comes after it has no period, and no trial before it where that one
/// would come between.
package struct TrialChronology: Sendable {
  /// A trial or file, as far as it is needed to put it in order.
  package struct Entry: Sendable {
    /// Where it lies, as it was given.
    let path: String
    /// Why it cannot be read; `nil` where it can.
    let problem: String?
    /// `nil` for a file from outside a trial, and for what cannot be read.
    let trial: TrialHeading?

    /// Reads what a bundle says of itself; any other file is taken as it is.
    package init(reading path: String) {
      self.init(reading: path) { path throws(BundleError) in try TrialHeading(ofBundle: path) }
    }

    /// Reads a path whose heading, if it is a bundle, is had in some way.
    fileprivate init(reading path: String, heading: (String) throws(BundleError) -> TrialHeading) {
      guard Folder.isFolder(path) else {
        self.init(path: path, trial: nil, problem: nil)
        return
      }
      do throws(BundleError) {
        self.init(path: path, try heading(path))
      } catch {
        self.init(path: path, problem: "\(error)")
      }
    }

    /// A trial whose heading is known.
    init(path: String, _ heading: TrialHeading) { self.init(path: path, trial: heading, problem: nil) }

    /// A trial that cannot be read, for a reason.
    init(path: String, problem: String) { self.init(path: path, trial: nil, problem: problem) }

    private init(path: String, trial: TrialHeading?, problem: String?) {
      (self.path, self.trial, self.problem) = (path, trial, problem)
    }

    fileprivate var identifier: String { trial?.trial ?? path }
    /// When what cannot be read began, by its folder's name.
    fileprivate var time: WallTime? { TrialIdentifier(Folder.name(of: path))?.time }
  }

  /// The trials and files that were asked for and chosen, in the order given, each once.
  package private(set) var places: [TrialPlace] = []

  /// Why some that were asked for cannot be read; sentences.
  package private(set) var problems: [String] = []

  /// What was given twice, or lies there twice, and counts once; sentences.
  package private(set) var repeated: [String] = []

  /// Of how many trials the period is not known, and why; a sentence.
  package private(set) var unknownPeriods: String?

  /// The factors and answers that the trials have, for columns of tables.
  package private(set) var studyColumns = StudyColumns()

  /// The participants with their sessions, of all trials that were asked for.
  package private(set) var sessions: [String: Set<String>] = [:]

  /// How many that were asked for are not among those chosen.
  package private(set) var notChosen = 0

  /// Whether any of the trials has a place in a design.
  package private(set) var hasDesign = false

  /// Whether any of the trials is of a participant with a group.
  package private(set) var hasGroups = false

  /// How many of those chosen are simulated.
  package private(set) var simulated = 0

  /// How many simulated ones would be chosen, and were left out.
  package private(set) var simulatedLeftOut = 0

  /// The sessions of those left out, by their identifiers.
  package private(set) var runsLeftOut: Set<String> = []

  /// That nothing of what was asked for is chosen, and whose trials those are; a sentence, `nil` where something is.
  package private(set) var noneChosen: String?

  /// The order of trials.
  ///
  /// - Parameters:
  ///   - asked: the trials and files, in the order given; of several with one identifier the first counts.
  ///   - neighbours: the trials that lie beside them, for the order alone.
  ///   - selection: which of those asked for are taken.
  package init(_ asked: [Entry], besides neighbours: [Entry] = [], selection: TrialSelection = TrialSelection()) {
    var first: [String: String] = [:]
    var entries: [Entry] = []
    for entry in asked {
      if let problem = entry.problem { problems.append(problem) }
      if let path = first[entry.identifier] {
        repeated.append(
          path == entry.path
            ? "“\(path.visible)” is given twice, and counts once"
            : "“\(entry.path.visible)” is the same trial as “\(path.visible)”, and counts once with it")
        continue
      }
      first[entry.identifier] = entry.path
      entries.append(entry)
    }
    let leavesOutSimulated = selection.leavesOutSimulated(of: entries.filter { $0.problem == nil }.map(\.trial))
    func isLeftOut(_ entry: Entry) -> Bool { leavesOutSimulated && entry.trial?.simulation.isSimulated ?? false }
    let leftOut = entries.filter { isLeftOut($0) && $0.trial.map(selection.takes) ?? false }
    // What lies around trials is no trial.
    simulatedLeftOut = leftOut.count { !($0.trial?.isAround ?? false) }
    runsLeftOut = Set(entries.filter(isLeftOut).compactMap { $0.trial?.run })
    entries = withoutSuperseded(entries.filter { !isLeftOut($0) })
    for trial in entries.compactMap(\.trial) {
      sessions[trial.participant, default: []].insert(trial.session)
      studyColumns.add(trial)
      if trial.design != nil { hasDesign = true }
      if trial.group != nil { hasGroups = true }
    }
    let own = entries.count
    entries += neighbours.filter { !isLeftOut($0) && first.updateValue($0.path, forKey: $0.identifier) == nil }
    var all = entries.map { TrialPlace(path: $0.path) }
    let unreadable = entries.filter { $0.problem != nil }
    let unknown = Self.order(entries, &all, unreadable.map(\.time))
    Self.placeAround(entries, &all)
    for (entry, place) in zip(entries, all).prefix(own) where entry.problem == nil {
      let isChosen = entry.trial.map(selection.takes)
      guard isChosen ?? selection.isAll else {
        notChosen += 1
        continue
      }
      places.append(place)
      if entry.trial?.simulation.isSimulated ?? false { simulated += 1 }
    }
    if places.isEmpty, notChosen > 0 { noneChosen = "there is \(selection.holdsNone(of: sessions))" }
    if places.isEmpty, !leftOut.isEmpty { noneChosen = Self.onlySimulated(max(1, simulatedLeftOut)) }
    if unknown > 0, let one = unreadable.first {
      unknownPeriods =
        "the period of \(unknown.counted("trial")) is not known: what cannot be read may come before, such "
        + "as “\(one.path)”"
    }
  }

  /// Leaves out the trials that were performed again in their session: the last one counts.
  private mutating func withoutSuperseded(_ entries: [Entry]) -> [Entry] {
    var last: [SessionTrial: String] = [:]
    for trial in entries.compactMap(\.trial) {
      guard let key = SessionTrial(trial) else { continue }
      last[key] = max(last[key] ?? "", trial.trial)
    }
    return entries.filter { entry in
      guard let trial = entry.trial, let key = SessionTrial(trial), last[key] != trial.trial else { return true }
      repeated.append(
        "“\(entry.path.visible)” is trial \(key.number) of a session in which it was performed again, and does not count"
      )
      return false
    }
  }

  /// Tells each trial where the steps around the trials of its session are.
  private static func placeAround(_ entries: [Entry], _ places: inout [TrialPlace]) {
    var parts: [String: [(start: WallTime, path: String)]] = [:]
    for entry in entries {
      guard let trial = entry.trial, trial.isAround, let run = trial.run else { continue }
      parts[run, default: []].append((trial.startDate, entry.path))
    }
    for (index, entry) in entries.enumerated() {
      places[index].isAround = entry.trial?.isAround ?? false
      guard let trial = entry.trial, !trial.isAround, let own = trial.run.flatMap({ parts[$0] }) else { continue }
      let ordered = own.sorted { ($0.start, $0.path) < ($1.start, $1.path) }
      let later = ordered.drop { $0.start <= trial.startDate }
      places[index].around = ordered.prefix(ordered.count - later.count).reversed().map(\.path) + later.map(\.path)
    }
  }

  /// A trial of a session's plan.
  private struct SessionTrial: Hashable {
    let run: String
    let number: Int

    /// `nil` for a trial outside of a session, and for what lies around trials.
    init?(_ trial: TrialHeading) {
      guard let run = trial.run, let number = trial.number else { return nil }
      (self.run, self.number) = (run, number)
    }
  }

  /// Numbers the trials of each participant; gives of how many that is not possible for what cannot be read.
  private static func order(_ entries: [Entry], _ places: inout [TrialPlace], _ unreadable: [WallTime?]) -> Int {
    var unknown = 0
    var byParticipant: [String: [(index: Int, trial: TrialHeading)]] = [:]
    for (index, entry) in entries.enumerated() {
      // What lies around trials is no trial.
      if let trial = entry.trial, !trial.isAround {
        byParticipant[trial.participant, default: []].append((index, trial))
      }
    }
    func mayLie(from: WallTime?, before to: WallTime) -> Bool {
      unreadable.contains { time in
        guard let time else { return true }
        return time < to && from.map { $0 <= time } ?? true
      }
    }
    for trials in byParticipant.values {
      let ordered = trials.sorted { ($0.trial.startDate, $0.trial.trial) < ($1.trial.startDate, $1.trial.trial) }
      var sessions: [String: (trial: TrialHeading, start: WallTime)] = [:]
      var inSession: [String: Int] = [:]
      var number = 0
      for (index, trial) in ordered {
        let start = trial.startDate
        let before = sessions[trial.session]
        sessions[trial.session] = (trial, start)
        if let before, !mayLie(from: before.start, before: start) {
          places[index].previousCondition = before.trial.condition
          places[index].previousClip = before.trial.clipName
        }
        // Practice comes before others, and is not one of them.
        guard !(trial.design?.isPractice ?? false) else { continue }
        number += 1
        inSession[trial.session, default: 0] += 1
        if mayLie(from: nil, before: start) {
          unknown += 1
        } else {
          places[index].period = number
          places[index].trialInSession = inSession[trial.session]
        }
      }
    }
    return unknown
  }
}

extension TrialChronology {
  /// The order of the trials and files at these paths; bundles of which no index has a row are read on all cores.
  package static func read(_ paths: [String], _ selection: TrialSelection) async -> TrialChronology {
    let neighbours = TrialPaths.neighbours(of: paths)
    let headings = await IndexedHeadings(of: paths + neighbours)
    func entries(_ paths: [String]) async -> [Entry] {
      var entries: [Entry] = []
      await Parallel.ordered(paths) {
        Entry(reading: $0, heading: headings.heading)
      } take: {
        entries.append($0)
      }
      return entries
    }
    return TrialChronology(
      await entries(paths), besides: await entries(neighbours), selection: selection)
  }
}

extension TrialChronology {
  /// What people are told about trials that count once or not at all; sentences.
  package var notes: [String] {
    repeated + (places.isEmpty ? [] : [Self.leftOut(simulatedLeftOut)].compactMap(\.self))
  }

  /// That simulated trials were left out; `nil` for none.
  package static func leftOut(_ simulated: Int) -> String? {
    simulated == 0
      ? nil
      : "left out \(simulated.counted("simulated trial")); --include simulated takes \(simulated == 1 ? "it" : "them") in"
  }

  /// That there are simulated trials only, which are left out.
  package static func onlySimulated(_ count: Int) -> String {
    (count == 1 ? "the only trial is simulated" : "all \(count) trials are simulated")
      + ", and left out; --include simulated takes \(count == 1 ? "it" : "them") in"
  }

  /// Throws ``NoTrialChosen`` if nothing of what was asked for is chosen.
  package func requireChosen() throws(NoTrialChosen) {
    if let noneChosen { throw NoTrialChosen(description: noneChosen) }
  }
}

/// The error for a selection without a trial.
package struct NoTrialChosen: Error, Hashable, CustomStringConvertible {
  /// What was selected, and what there is.
  package let description: String
}
