public import Analysis
public import Charts
public import Recordings

/// The responses to the stimuli of several trials, gathered to be averaged and drawn.
public struct TrialResponses: Sendable {
  /// How responses are read off heart rates.
  public let settings: ResponseSettings

  /// What the trials are grouped by; `nil` averages all of them.
  public let grouping: TrialGrouping?

  /// The responses, with the group and the participant of each.
  public private(set) var responses: [(key: String, participant: String, response: LockedResponse)] = []

  /// The trials that have no response, by their path, with the reason.
  public private(set) var leftOut: [(path: String, reason: String)] = []

  private var durations: [Double] = []
  private var clips: Set<String> = []

  /// No responses yet.
  public init(_ settings: ResponseSettings, by grouping: TrialGrouping? = nil) {
    self.settings = settings
    self.grouping = grouping
  }

  /// Takes the response to a trial's first sound.
  public mutating func add(_ charts: RecordingCharts) {
    let path = charts.recording.path
    guard let trial = charts.recording.trial, let event = charts.recording.event else {
      return leftOut.append((path, "no onset of a sound was measured in it"))
    }
    let response = LockedResponse(in: charts.track, onset: event.onset, settings)
    if let reason = response.reason { return leftOut.append((path, reason)) }
    // Within a participant trials are the cases.
    let participant = grouping == .participant ? path : trial.participant
    responses.append((grouping?.key(of: trial) ?? "", participant, response))
    if let stimulus = event.window { durations.append(stimulus.upperBound - stimulus.lowerBound) }
    if let clip = trial.clip { clips.insert(clip) }
  }

  /// The averages of all groups, with their confidence intervals, from before the onset to after it.
  public var chart: ResponseChart {
    let averages = AveragedResponse.averages(of: responses)
    let plots = averages.map { key, average in
      ResponseChart.Plot(
        "\(key.isEmpty ? "all" : key) (\(average.trials))",
        average.bins.map { bin in
          ResponseChart.Bin(
            time: (bin.bounds.lowerBound + bin.bounds.upperBound) / 2, mean: bin.mean ?? .nan,
            band: bin.interval.map { ValueRange($0.lower, $0.upper) } ?? .unset)
        })
    }
    let hasBand = averages.contains { $0.average.trials > 1 }
    let isOverTrials = grouping == .participant || averages.allSatisfy { $0.average.over == .trials }
    let cases = isOverTrials ? "trials" : "participants"
    // Where it is not what lies before the onset in the chart.
    let window = settings.baselineWindow
    let baseline =
      settings.baseline == .none || settings.before > 0 && window == -settings.before...0
      ? [] : ["baseline from \(TimeBins.number(window.lowerBound)) to \(TimeBins.number(window.upperBound)) s"]
    let words =
      ["\(responses.count) trial\(responses.count == 1 ? "" : "s")", "bins of \(TimeBins.text(settings.binWidth))"]
      + baseline
      + (hasBand ? ["band: 95 % confidence interval of the mean over \(cases) (bootstrap)"] : [])
    let shortest = durations.min()
    let isEqual = (durations.max() ?? 0) - (shortest ?? 0) < 0.5
    return ResponseChart(
      Heading(
        title: "Heart rate around the onset", subtitle: responses.isEmpty ? "" : words.joined(separator: ", "),
        noDataText: "No trial has a response"),
      plots: plots, stimulusDuration: settings.after > 0 ? shortest : nil,
      stimulusLabel: clips.count == 1 ? clips.first ?? "stimulus" : isEqual ? "stimulus" : "shortest stimulus",
      references: settings.baseline == .none ? [] : [ReferenceLine(value: 0, label: "baseline")],
      horizontal: Axis("Time from onset", scale: .elapsed, range: -settings.before...settings.after),
      vertical: Axis(settings.baseline.axisTitle))
  }
}

extension ResponseSettings.Baseline {
  /// What the numbers are that come of it.
  var axisTitle: String {
    switch self {
    case .none: "Heart rate (count/min)"
    case .difference: "Change of heart rate (count/min)"
    case .percent: "Change of heart rate (%)"
    }
  }
}
