public import Analysis
public import Charts
public import Recordings

/// The responses to the stimuli of several trials, gathered to be averaged and drawn.
public struct TrialResponses: Sendable {
  /// The trials put together; bad ones stay out.
  public private(set) var together: TrialsTogether

  /// The trials that have no response, or are bad, by their path, with the reason.
  public private(set) var leftOut: [(path: String, reason: String)] = []

  /// How many trials are averaged.
  public private(set) var count = 0

  private var durations: [Double] = []
  private var clips: Set<String> = []

  /// No responses yet.
  ///
  /// - Parameters:
  ///   - settings: how responses are read off heart rates.
  ///   - grouping: what the trials are grouped by; `nil` averages all of them.
  ///   - leavesOutBad: whether bad trials stay out, as they do unless a trial is shown by itself.
  public init(_ settings: ResponseSettings, by grouping: TrialGrouping? = nil, leavesOutBad: Bool = true) {
    self.settings = settings
    together = TrialsTogether(TrialAnalysis(response: settings), by: grouping, leavesOutBad: leavesOutBad)
  }

  /// How responses are read off heart rates.
  public let settings: ResponseSettings

  /// What the trials are grouped by; `nil` for one group of all.
  public var grouping: TrialGrouping? { together.grouping }

  /// Takes the response to a trial's first sound, of each of its sensors.
  public mutating func add(_ charts: RecordingCharts...) { add(charts) }

  /// Takes the response to a trial's first sound, of each of its sensors.
  public mutating func add(_ charts: [RecordingCharts]) {
    guard let first = charts.first?.recording else { return }
    let place = TrialPlace(path: first.path)
    var outcome = TrialOutcome(place: place, trial: first.trial)
    for one in charts {
      let response = one.recording.event.map { LockedResponse(in: one.track, onset: $0.onset, settings) }
      outcome.responses.append(TrialResponse(of: one.recording, at: place, response, one.correction))
    }
    together.take(outcome)
    if together.leavesOut(first.trial) { return leftOut.append((first.path, "its verdict is bad")) }
    let reasons = outcome.responses.compactMap(\.reason)
    guard reasons.count < outcome.responses.count else { return leftOut.append((first.path, reasons[0])) }
    count += 1
    if let stimulus = first.event?.window { durations.append(stimulus.upperBound - stimulus.lowerBound) }
    if let clip = first.trial?.clip { clips.insert(clip) }
  }

  /// The averages of all groups, with their confidence intervals, from before the onset to after it.
  public var chart: ResponseChart {
    let averages = together.averagedResponses
    let plots = averages.map { one in
      ResponseChart.Plot(
        name(of: one),
        one.average.bins.map { bin in
          ResponseChart.Bin(
            time: (bin.bounds.lowerBound + bin.bounds.upperBound) / 2, mean: bin.mean ?? .nan,
            band: bin.interval.map { ValueRange($0.lower, $0.upper) } ?? .unset)
        })
    }
    let hasBand = averages.contains { $0.average.bins.contains { $0.interval != nil } }
    let isNarrow = !together.intervalNotes([], averages).isEmpty
    let suspect = together.counts.suspect
    // Where it is not what lies before the onset in the chart.
    let window = settings.baselineWindow
    let baseline =
      settings.baseline == .none || settings.before > 0 && window == -settings.before...0
      ? [] : ["baseline from \(TimeBins.number(window.lowerBound)) to \(TimeBins.number(window.upperBound)) s"]
    let words =
      ["\(counted(count, "trial"))" + (suspect > 0 ? " (\(suspect) suspect)" : "")]
      + ["bins of \(TimeBins.text(settings.binWidth))"] + baseline
      + (hasBand
        ? [
          "band: 95 % confidence interval of the mean over \(together.over.rawValue) (bootstrap"
            + (isNarrow ? "; too narrow of fewer than ten)" : ")")
        ] : [])
    let shortest = durations.min()
    let isEqual = (durations.max() ?? 0) - (shortest ?? 0) < 0.5
    return ResponseChart(
      Heading(
        title: "Heart rate around the onset", subtitle: count == 0 ? "" : words.joined(separator: ", "),
        noDataText: "No trial has a response"),
      plots: plots, stimulusDuration: settings.after > 0 ? shortest : nil,
      stimulusLabel: clips.count == 1 ? clips.first ?? "stimulus" : isEqual ? "stimulus" : "shortest stimulus",
      horizontal: HorizontalAxis("Time from onset", scale: .elapsed, range: -settings.before...settings.after),
      vertical: Axis(settings.baseline.axisTitle),
      annotations: Annotations(
        references: settings.baseline == .none ? [] : [ReferenceLine(value: 0, label: "baseline")]))
  }

  /// What a line is called: its group, its sensor where there are several, and how much it is the mean of.
  private func name(of response: TrialsTogether.GroupResponse) -> String {
    let group = grouping == nil ? "all" : response.group ?? TrialGrouping.noKey
    let sensor = together.tellsSensorsApart ? ", \(response.sensor ?? "unnamed")" : ""
    let average = response.average
    let participants = average.over == .trials ? "" : ", \(counted(average.participants, "participant"))"
    return "\(group)\(sensor) (\(counted(average.trials, "trial"))\(participants))"
  }

  private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
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
