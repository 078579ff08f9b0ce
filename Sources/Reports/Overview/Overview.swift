internal import Analysis
public import Bundles
public import Files
internal import HeartCharts
public import Recordings

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
  /// What lies in the folder twice, and counts once; sentences.
  let repeated: [String]
  /// The trials put together.
  let means: [GroupMeans]
  /// The responses to the sound, as a change from before and as they are, by clip and by mood; bad trials stay out.
  let responses: [TrialResponses]
  /// The participants with their sessions, of all trials of the folder.
  let sessions: [String: Set<String>]

  /// Whether some trial has several sensors.
  var hasSeveralSensors: Bool { trials.contains { $0.hearts.count > 1 } }

  /// Reads the trials of a results folder, one after the other; what cannot be read is among the problems.
  ///
  /// - Throws: `FileError` where the folder itself cannot be read.
  public static func read(
    _ folder: ResultsFolder, _ selection: TrialSelection = TrialSelection()
  ) throws(FileError) -> Overview {
    var trials: [TrialBrief] = []
    var means = [TrialGrouping.clip, .mood, .condition].map { GroupMeans(by: $0) }
    var responses: [TrialResponses] = []
    for baseline in [ResponseSettings.Baseline.difference, ResponseSettings.Baseline.none] {
      for grouping in [TrialGrouping.clip, .mood] {
        responses.append(TrialResponses(ResponseSettings(baseline: baseline), by: grouping))
      }
    }
    let entries = try folder.trials().map { TrialOrder.Entry(reading: folder.bundlePath(named: $0)) }
    let order = TrialOrder(entries, selection: selection)
    var problems = order.problems
    for place in order.places {
      do throws(BundleError) {
        let trial = ReportedTrial.read(try Bundle(place.path), isBrief: true)
        let analysed = trial.recordings.map { AnalysedRecording($0) }
        let charts = analysed.map { RecordingCharts($0) }
        let brief = TrialBrief(trial, analysed, charts: selection.isOfSomebody ? charts : [])
        trials.append(brief)
        for index in means.indices { means[index].take(brief, analysed, at: place) }
        for index in responses.indices { responses[index].add(charts) }
        problems += trial.problems
      } catch {
        problems.append("\(error)")
      }
    }
    trials.sort { one, other in
      guard let left = one.facts.start, let right = other.facts.start, left != right else {
        // Those whose start is not known come last.
        let (left, right) = (one.facts.start == nil ? 1 : 0, other.facts.start == nil ? 1 : 0)
        return (left, one.facts.trial) < (right, other.facts.trial)
      }
      return left < right
    }
    let name = Folder.name(of: folder.path)
    return Overview(
      name: name == "." ? "results" : name, path: folder.path, selection: selection, trials: trials,
      problems: problems, repeated: order.repeated, means: means, responses: responses, sessions: order.sessions)
  }

  /// Why no trial was chosen, and which there are.
  public func missing(in path: String) -> String {
    "“\(path)” has \(selection.holdsNone(of: sessions))"
  }
}

/// What an overview keeps of a trial.
public struct TrialBrief: Sendable {
  /// Where its bundle lies.
  let path: String
  let facts: TrialFacts
  let protocolTitle: String?
  /// What each sensor recorded; one without numbers where nothing was recorded.
  let hearts: [HeartBrief]
  /// The recordings, for the charts of a session; ten thousand of them would not fit.
  let charts: [RecordingCharts]

  init(_ trial: ReportedTrial, _ analysed: [AnalysedRecording], charts: [RecordingCharts]) {
    path = trial.bundle.path
    facts = trial.facts
    protocolTitle = trial.protocolTitle
    hearts = analysed.isEmpty ? [HeartBrief()] : analysed.map { HeartBrief($0) }
    self.charts = charts
  }
}

/// What an overview keeps of what one sensor recorded in a trial.
struct HeartBrief: Sendable {
  /// The sensor's name.
  var sensor: String?
  /// The mean heart rate of each phase, weighted with time; `nil` where the phase is not known.
  var before: Double?
  var stimulus: Double?
  var after: Double?
  /// The heart rate while the sound was heard less that before it.
  var change: Double?
  /// The root mean square of successive differences while the sound was heard.
  var rmssd: Double?

  /// Nothing was recorded.
  init() {}

  init(_ analysed: AnalysedRecording) {
    sensor = analysed.recording.sensor
    let place = TrialPlace(path: analysed.recording.path)
    for row in GroupMeans.changes.rows(of: analysed, at: place) where row.measurement.measure == .timeWeightedHeartRate
    {
      (before, stimulus, change) = (row.baseline?.measurement.value, row.measurement.value, row.change)
    }
    rmssd = analysed.measured(in: .stimulus, [.rmssd]).value(.rmssd)
    after = analysed.measured(in: .postStimulus, [.timeWeightedHeartRate]).value(.timeWeightedHeartRate)
  }
}
