import Analysis
import Basics
import Bundles
import Charts
import Recordings

/// The trials of a results folder, in brief.
struct Overview: Sendable {
  /// The folder's name.
  let name: String
  /// The folder's path as given.
  let path: String
  let selection: TrialSelection
  let measures: OverviewMeasures
  /// The selected trials, oldest first.
  let trials: [TrialBrief]
  /// What lies around the trials of selected sessions, oldest first.
  let around: [TrialBrief]
  /// The records of the selected sessions, oldest first.
  let records: [SessionRecord]
  /// Unreadable or mismatched bundles, as sentences that name the bundle.
  let problems: [String]
  /// Duplicates in the folder, which are counted once, as sentences.
  let repeated: [String]
  /// How many simulated trials were left out.
  let simulatedLeftOut: Int
  /// That no trial was chosen, and why; a sentence.
  let noneChosen: String?
  /// The trials grouped by each key, the one that was asked for first.
  let means: [GroupMeans]
  /// The stimulus responses, baseline-corrected and absolute, by the same keys; bad and stopped trials are omitted.
  let responses: [TrialResponses]
  /// The participants with their sessions, over all trials of the folder.
  let sessions: [String: Set<String>]

  /// The maximum number of trials of a session that are drawn, oldest first; a page of hundreds would load too slowly.
  static let maxDrawn = 20

  /// Everything that has a bundle, oldest first.
  var parts: [TrialBrief] { (trials + around).sorted(by: TrialBrief.isEarlier) }

  /// Whether any trial has a place in a design.
  var hasDesign: Bool { trials.contains { $0.facts.design != nil } }

  /// Whether any trial has several sensors.
  var hasSeveralSensors: Bool { trials.contains { $0.hearts.count > 1 } }

  /// Reads the trials of a results folder one by one; unreadable data are reported as problems.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - selection: the trials to report.
  ///   - settings: how their numbers are computed.
  ///   - options: how samples are grouped into recordings, and which corrections of beats are used.
  ///   - choose: selects the recordings to report among those of a bundle, given its path.
  /// - Returns: the overview.
  /// - Throws: `FileError` if the folder itself cannot be read.
  static func read(
    _ folder: ResultsFolder, _ selection: TrialSelection = TrialSelection(), _ settings: ReportSettings = .init(),
    reading options: ReadingOptions = ReadingOptions(),
    choosing choose: ([Recording], String) throws -> [Recording] = { recordings, _ in recordings }
  ) throws(FileError) -> Overview {
    let entries = try folder.trials().map { TrialChronology.Entry(reading: folder.bundlePath(named: $0)) }
    let order = TrialChronology(entries, selection: selection)
    let measures = OverviewMeasures(
      settings, hasDesign: order.hasDesign, hasGroups: order.hasGroups, reading: options)
    var gathered = Gathered(measures, drawing: selection.isPersonal ? maxDrawn : 0, leavingOut: selection.omissions)
    var problems = order.problems
    for place in order.places {
      let trial: ReportedTrial
      do throws(BundleError) {
        trial = ReportedTrial.read(try Bundle(place.path), options, isBrief: true)
      } catch {
        problems.append("\(error)")
        continue
      }
      problems += trial.problems.map { "“\(place.path)”: \($0)" }
      var recordings: [Recording] = []
      do {
        recordings = try choose(trial.recordings, place.path)
      } catch is NoSuchRecording where place.isAround {
        // Other recorders than those of the trials may record around them.
      } catch {
        problems.append("\(error)")
      }
      gathered.take(trial, recordings, at: place)
    }
    var records: [SessionRecord] = []
    for session in try folder.sessionNames() {
      do throws(BundleError) {
        let record = try folder.session(session)
        if selection.holds(record), !order.runsLeftOut.contains(record.session) { records.append(record) }
      } catch {
        problems.append("\(error)")
      }
    }
    let name = Folder.name(of: folder.path)
    let parts = gathered.trials.sorted(by: TrialBrief.isEarlier)
    return Overview(
      name: name == "." ? "results" : name, path: folder.path, selection: selection, measures: measures,
      trials: parts.filter { !$0.facts.isAround }, around: parts.filter(\.facts.isAround), records: records,
      problems: problems, repeated: order.repeated, simulatedLeftOut: order.simulatedLeftOut,
      noneChosen: order.noneChosen,
      means: gathered.means, responses: gathered.responses, sessions: order.sessions)
  }

  /// The reason why no trial was selected, with the available ones.
  func missing(in path: String) -> String {
    if simulatedLeftOut > 0, let noneChosen { return "“\(path.visible)”: \(noneChosen)" }
    return "“\(path)” has \(selection.holdsNone(of: sessions))"
  }
}

extension TrialSelection {
  /// Whether a session belongs to it.
  fileprivate func holds(_ record: SessionRecord) -> Bool {
    (participant == nil || participant == record.participant) && (run == nil || run == record.session)
      && (session == nil || run != nil || session == "\(record.number)")
  }
}

/// The data kept while reading trials one by one.
private struct Gathered {
  let measures: OverviewMeasures
  /// The maximum number of drawn trials.
  let maxDrawn: Int
  var trials: [TrialBrief] = []
  var means: [GroupMeans]
  var responses: [TrialResponses]
  /// The indices of the drawn trials.
  private var drawn: [Int] = []

  init(_ measures: OverviewMeasures, drawing maxDrawn: Int, leavingOut omissions: Set<TrialOmission>) {
    self.measures = measures
    self.maxDrawn = maxDrawn
    means = measures.groupings.map { GroupMeans(measures, by: $0, leavingOut: omissions) }
    let response = measures.settings.response
    let all = response.baseline == .none ? [response] : [response, response.withoutBaseline]
    responses = all.flatMap { settings in
      measures.groupings.map { TrialResponses(settings, by: $0, leavingOut: omissions) }
    }
  }

  /// Analyses a trial, once for all sections.
  mutating func take(_ trial: ReportedTrial, _ recordings: [Recording], at place: TrialPlace) {
    let analysed = recordings.map { AnalysedRecording($0, measures.settings.analysis) }
    let hearts = analysed.map { measures.measured($0, at: place) }
    trials.append(TrialBrief(trial, recordings, hearts))
    for index in means.indices { means[index].take(trial.facts, hearts, at: place) }
    let compared = analysed.map { $0.response(measures.settings.response) }
    let plain = compared.map { $0?.withoutBaseline }
    if let first = recordings.first {
      for index in responses.indices {
        let made = responses[index].settings.baseline == .none ? plain : compared
        responses[index].add(
          zip(recordings, made).map { TrialResponse(of: $0, at: place, $1, measures.settings.analysis.correction) },
          of: first)
      }
    }
    if !trial.facts.isAround { draw(analysed) }
  }

  /// Keeps the charts of the oldest trials only, to limit memory.
  private mutating func draw(_ analysed: [AnalysedRecording]) {
    guard maxDrawn > 0, !analysed.isEmpty else { return }
    trials[trials.count - 1].charts = analysed.map { RecordingCharts($0) }
    drawn.append(trials.count - 1)
    guard drawn.count > maxDrawn else { return }
    let latest = drawn.indices.max { TrialBrief.isEarlier(trials[drawn[$0]], trials[drawn[$1]]) }
    if let latest { trials[drawn.remove(at: latest)].charts = [] }
  }
}
