internal import Analysis
public import Bundles
public import Files
internal import HeartCharts
internal import Recordings

/// Which trials of a results folder a report is about.
public struct TrialSelection: Hashable, Sendable {
  /// The participant's code; `nil` for all.
  public var participant: String?
  /// The session's number or name; `nil` for all.
  public var session: String?

  /// A choice of trials.
  public init(participant: String? = nil, session: String? = nil) {
    (self.participant, self.session) = (participant, session)
  }

  /// Whether every trial belongs to it.
  public var isAll: Bool { participant == nil && session == nil }

  func holds(_ bundle: Bundle) -> Bool {
    (participant == nil || participant == bundle.participant) && (session == nil || session == bundle.session)
  }
}

/// The trials of a results folder, each in brief.
public struct Overview: Sendable {
  /// The folder's name.
  let name: String
  /// The folder as it was given.
  let path: String
  let selection: TrialSelection
  /// The chosen trials, oldest first.
  public let trials: [TrialBrief]
  /// What could not be read; sentences.
  public let problems: [String]
  /// The responses to the sound, as a change from before and as they are, by clip and by mood; bad trials stay out.
  let responses: [TrialResponses]
  /// The participants with their sessions, of all trials of the folder.
  let sessions: [String: Set<String>]

  /// Reads the trials of a results folder, one after the other; what cannot be read is among the problems.
  ///
  /// - Throws: `FileError` where the folder itself cannot be read.
  public static func read(
    _ folder: ResultsFolder, _ selection: TrialSelection = TrialSelection()
  ) throws(FileError) -> Overview {
    var trials: [TrialBrief] = []
    var problems: [String] = []
    var sessions: [String: Set<String>] = [:]
    var responses: [TrialResponses] = []
    for baseline in [ResponseSettings.Baseline.difference, ResponseSettings.Baseline.none] {
      for grouping in [TrialGrouping.clip, .mood] {
        responses.append(TrialResponses(ResponseSettings(baseline: baseline), by: grouping))
      }
    }
    for name in try folder.trials() {
      do throws(BundleError) {
        let bundle = try Bundle(folder.bundlePath(named: name))
        sessions[bundle.participant, default: []].insert(bundle.session)
        guard selection.holds(bundle) else { continue }
        let trial = ReportedTrial.read(bundle, isBrief: true)
        let analysed = trial.mainRecording.map { AnalysedRecording($0) }
        let charts = analysed.map { RecordingCharts($0) }
        trials.append(TrialBrief(trial, analysed, charts: selection.isAll ? nil : charts))
        if let charts, trial.facts.grade != .bad {
          for index in responses.indices { responses[index].add(charts) }
        }
        problems += trial.problems
      } catch {
        problems.append("\(error)")
      }
    }
    let name = Folder.name(of: folder.path)
    return Overview(
      name: name == "." ? "results" : name, path: folder.path, selection: selection, trials: trials,
      problems: problems, responses: responses, sessions: sessions)
  }

  /// Why no trial was chosen, and which there are.
  public func missing(in path: String) -> String {
    let who = selection.participant.map { "participant “\($0)”" } ?? "any participant"
    let which = selection.session.map { ", session “\($0)”" } ?? ""
    let known = sessions.keys.sorted().prefix(10).map { participant in
      "\(participant) (\((sessions[participant] ?? []).sorted().joined(separator: ", ")))"
    }
    return
      "“\(path)” has no trial of \(who)\(which); it has those of \(known.isEmpty ? "nobody" : known.joined(separator: "; "))"
  }
}

/// What an overview keeps of a trial.
public struct TrialBrief: Sendable {
  /// Where its bundle lies.
  let path: String
  let facts: TrialFacts
  let protocolTitle: String?
  /// The mean heart rate of each phase, weighted with time.
  let before: Double?
  let stimulus: Double?
  let after: Double?
  /// The root mean square of successive differences while the clip sounded; `nil` where it cannot be computed.
  let rmssd: Double?
  /// The recording, for the chart of a session; ten thousand of them would not fit.
  let charts: RecordingCharts?

  init(_ trial: ReportedTrial, _ analysed: AnalysedRecording?, charts: RecordingCharts?) {
    path = trial.bundle.path
    facts = trial.facts
    protocolTitle = trial.protocolTitle
    self.charts = charts
    func measured(_ window: AnalysisWindow) -> MeasuredWindow? {
      analysed?.measured(in: window, [.timeWeightedHeartRate, .rmssd])
    }
    func rate(_ window: MeasuredWindow?) -> Double? {
      window.flatMap { $0.isKnown ? $0.value(.timeWeightedHeartRate) : nil }
    }
    let sound = measured(.automatic)
    let isHeard = facts.stimulus != nil
    before = isHeard ? rate(measured(.preStimulus)) : nil
    stimulus = rate(sound)
    after = isHeard ? rate(measured(.postStimulus)) : nil
    rmssd = sound?.value(.rmssd)
  }

  /// The heart rate's change from before the sound to its time; `nil` where either is not known.
  var reactivity: Double? { stimulus.flatMap { high in before.map { high - $0 } } }
}
