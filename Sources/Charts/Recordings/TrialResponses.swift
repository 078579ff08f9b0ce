package import Analysis
import Basics
import Recordings

/// The responses to the stimuli of several trials, collected for averaging and drawing.
package struct TrialResponses: Sendable {
  /// The collected trials, without bad and stopped ones.
  private(set) var together: TrialsTogether

  /// The omitted trials, by path, with the reason: no response, bad, or stopped.
  package private(set) var leftOut: [(path: String, reason: String)] = []

  /// The number of averaged trials.
  package var count: Int { together.counts.used }

  /// The number of averaged trials in which people's corrections of beats are used.
  private var corrected = 0

  /// The sounds in the averaged trials.
  private(set) var sounded = Sounded()

  /// Creates a collection without trials.
  ///
  /// - Parameters:
  ///   - settings: how responses are computed from heart rates.
  ///   - grouping: the criterion that groups the trials; `nil` averages all of them.
  ///   - omissions: the trials to omit; none if a single trial is shown.
  package init(
    _ settings: ResponseSettings, by grouping: TrialGrouping? = nil,
    leavingOut omissions: Set<TrialOmission> = TrialOmission.usual
  ) {
    self.settings = settings
    together = TrialsTogether(TrialAnalysis(response: settings), by: grouping, leavingOut: omissions)
  }

  /// How responses are computed from heart rates.
  package let settings: ResponseSettings

  /// The duration of the longest sound in the averaged trials, in seconds; 0 if no offset was measured.
  package var longestSound: Double { sounded.longest }

  /// The criterion that groups the trials; `nil` for one group.
  package var grouping: TrialGrouping? { together.grouping }

  /// Computes and adds the response to a trial's event, for each of its sensors.
  package mutating func add(_ analysed: AnalysedRecording...) {
    guard let first = analysed.first?.recording else { return }
    let place = TrialPlace(path: first.path)
    let responses = analysed.map { one in
      TrialResponse(of: one.recording, at: place, one.response(settings), one.settings.correction)
    }
    add(responses, of: first)
  }

  /// Computes and adds the responses of a trial's other quantities than the heart's.
  package mutating func add(_ channels: [ChannelRecording]) {
    guard let first = channels.first else { return }
    let place = TrialPlace(path: first.series.path)
    add(channels.map { TrialResponse(of: $0, at: place, settings) }, of: first.frame)
  }

  /// Adds a trial's responses, which have already been computed.
  ///
  /// - Parameters:
  ///   - responses: the response of each of its sensors, with the collection's settings.
  ///   - recording: one of its recordings, for the times of its sounds.
  package mutating func add(_ responses: [TrialResponse], of recording: Recording) {
    var outcome = TrialOutcome(place: TrialPlace(path: recording.path), trial: recording.trial)
    outcome.isSimulated = recording.isSimulated
    outcome.responses = responses
    let before = count
    together.take(outcome)
    if let omission = together.omission(of: recording.trial) {
      return leftOut.append((recording.path, omission.reason))
    }
    guard count > before else {
      let reason = responses.lazy.compactMap(\.reason).first ?? .nothingRecorded
      return leftOut.append((recording.path, "\(reason)"))
    }
    sounded.take(recording)
    if responses.contains(where: { $0.head.corrections != nil }) { corrected += 1 }
  }
}

/// The sounds of several trials, in seconds from each trial's onset.
struct Sounded: Sendable {
  /// The sounding parts of the shortest one, separated by pauses.
  private(set) var shortest: [ClosedRange<Double>] = []
  /// Whether all started and ended at the same times, to within half a second.
  private(set) var areAlike = true
  /// The number of trials in which the sound was paused.
  private(set) var paused = 0
  private var labels: Set<String> = []

  /// The duration of the longest one, in seconds; 0 if no offset was measured.
  private(set) var longest = 0.0

  /// Adds the sounds of a trial, or the event chosen instead.
  mutating func take(_ recording: Recording) {
    guard let event = recording.event else { return }
    switch event.source {
    case .stimulus: labels.insert(recording.trial?.clip ?? "stimulus")
    case .step(let name): labels.insert(name)
    case .seconds: labels.insert("event")
    }
    guard let window = event.window else { return }
    longest = max(longest, window.upperBound - window.lowerBound)
    var stretches = [0...(window.upperBound - window.lowerBound)]
    if event.source == .stimulus, let sounds = recording.trial?.sounds, sounds.count > 1 {
      paused += 1
      stretches = sounds.compactMap { sound in
        sound.offset.flatMap { $0 >= sound.onset ? sound.onset - event.onset...$0 - event.onset : nil }
      }
    }
    guard let end = stretches.last?.upperBound else { return }
    guard let least = shortest.last?.upperBound else {
      shortest = stretches
      return
    }
    let ends = zip(shortest, stretches).flatMap { [$0.lowerBound - $1.lowerBound, $0.upperBound - $1.upperBound] }
    if shortest.count != stretches.count || ends.contains(where: { $0.magnitude >= 0.5 }) { areAlike = false }
    if end < least { shortest = stretches }
  }

  /// The stimulus marks of the chart.
  ///
  /// These are the sounding parts if they are alike in all trials, otherwise the time from the onset to the end of the
  /// shortest; only the onset if no offset was measured.
  var marks: [StimulusMark] {
    let name = labels.count == 1 ? labels.first ?? "stimulus" : "stimulus"
    guard let end = shortest.last?.upperBound else { return [StimulusMark(onset: 0, offset: nil, label: name)] }
    guard areAlike else {
      return [StimulusMark(onset: 0, offset: end, label: labels.count == 1 ? name : "shortest stimulus")]
    }
    return shortest.map { StimulusMark(onset: $0.lowerBound, offset: $0.upperBound, label: name) }
  }

  /// That some pauses are not marked; `nil` if all are.
  var unmarkedPauses: String? { areAlike || paused == 0 ? nil : "the sound was paused in \(paused)" }
}

extension TrialResponses {
  /// The average response of each group, with its confidence interval, from before the onset to after it.
  ///
  /// The number of trials per bin is in the name of each line, or in the subtitle if there is one line; the description
  /// lists it over time.
  package var chart: ResponseChart { chart(of: together.averagedResponses) }

  /// The average responses of a limited number of groups, those with the most trials.
  ///
  /// - Returns: the chart, and the total number of groups.
  package func chart(most: Int) -> (chart: ResponseChart, groups: Int) {
    let (averages, groups) = together.averagedResponses(most: most)
    return (chart(of: averages), groups)
  }

  private func chart(of averages: [TrialsTogether.GroupResponse]) -> ResponseChart {
    let plots = averages.map { one in
      ResponseChart.Plot(
        name(of: one),
        one.average.bins.map { bin in
          ResponseChart.Bin(
            time: (bin.bounds.lowerBound + bin.bounds.upperBound) / 2, mean: bin.mean ?? .nan,
            band: bin.interval.map { ValueRange($0.lower, $0.upper) } ?? .unset)
        })
    }
    // Of several trials the quantity is the same.
    let settings = averages.first?.average.settings ?? settings
    var chart = ResponseChart(
      Heading(
        title: "\(settings.quantity.title) around the onset",
        subtitle: count == 0 ? "" : subtitle(averages).joined(separator: ", "),
        noDataText: "No trial has a response", isSimulated: together.counts.simulated > 0),
      plots: plots,
      horizontal: HorizontalAxis("Time from onset", scale: .elapsed, range: -settings.before...settings.after),
      vertical: Axis(settings.axisTitle, digits: settings.quantity == .heartRate ? 1 : 3),
      annotations: Annotations(
        stimuli: settings.after > 0 && count > 0 ? sounded.marks : [],
        references: settings.baseline == .none ? [] : [ReferenceLine(value: 0, label: "baseline")]))
    chart.heading.notes = averages.compactMap { one in
      one.average.countsByTime.map { averages.count > 1 ? "\(group(of: one)): \($0)" : $0.capitalized }
    }
    return chart
  }

  private func subtitle(_ averages: [TrialsTogether.GroupResponse]) -> [String] {
    let hasBand = averages.contains { $0.average.bins.contains { $0.interval != nil } }
    let isNarrow = together.intervalCaveat([], averages) != nil
    let suspect = together.counts.suspect
    // Only if it differs from the time before the onset that the chart shows.
    let window = settings.baselineWindow
    let baseline =
      settings.baseline == .none || settings.before > 0 && window == -settings.before...0
      ? [] : ["baseline from \(TimeBins.number(window.lowerBound)) to \(TimeBins.number(window.upperBound)) s"]
    let counts = averages.count == 1 ? averages[0].average.countsOfBins.map { ["\($0) in a bin"] } ?? [] : []
    return ["\(count.counted("trial"))" + (suspect > 0 ? " (\(suspect) suspect)" : "")] + counts
      + (corrected > 0 ? ["beats corrected by people in \(corrected)"] : [])
      + ["bins of \(TimeBins.text(settings.binWidth))"] + baseline + (sounded.unmarkedPauses.map { [$0] } ?? [])
      + (hasBand
        ? [
          "band: 95 % confidence interval of the mean over \(together.over.rawValue) (bootstrap"
            + (isNarrow ? "; too narrow of fewer than ten)" : ")")
        ] : [])
  }

  /// The name of a line: its group, its sensor if there are several, and the number of trials.
  private func name(of response: TrialsTogether.GroupResponse) -> String {
    let average = response.average
    let bins = average.countsOfBins.map { ", \($0) in a bin" } ?? ""
    let participants = average.over == .trials ? "" : ", \(average.participants.counted("participant"))"
    return "\(group(of: response)) (\(average.trials.counted("trial"))\(bins)\(participants))"
  }

  private func group(of response: TrialsTogether.GroupResponse) -> String {
    let group = grouping == nil ? "all" : response.group ?? TrialGrouping.noKey
    return group + (together.tellsSensorsApart ? ", \(response.sensor ?? "unnamed")" : "")
  }
}

extension AveragedResponse {
  /// The range of the number of trials per bin: `2 to 3`.
  ///
  /// `nil` if all bins have all trials, or if there is one trial only, whose line has gaps instead.
  fileprivate var countsOfBins: String? {
    guard trials > 1, let least = bins.map(\.count).min(), let most = bins.map(\.count).max(), least < trials else {
      return nil
    }
    return least == most ? "\(most)" : "\(least) to \(most)"
  }

  /// The number of trials over time: `3 trials from −10 s to 12 s, 2 to 20 s.`; `nil` if it is constant.
  fileprivate var countsByTime: String? {
    guard countsOfBins != nil, let first = bins.first else { return nil }
    var parts: [(count: Int, end: Double)] = []
    for bin in bins {
      if parts.last?.count == bin.count {
        parts[parts.count - 1].end = bin.bounds.upperBound
      } else {
        parts.append((bin.count, bin.bounds.upperBound))
      }
    }
    guard parts.count <= 12 else { return "\(countsOfBins ?? "") trials are known of a bin." }
    let start = "\(parts[0].count.counted("trial")) from \(TimeBins.number(first.bounds.lowerBound)) s"
    return "\(start) to \(TimeBins.number(parts[0].end)) s"
      + parts.dropFirst().map { ", \($0.count) to \(TimeBins.number($0.end)) s" }.joined() + "."
  }
}

extension String {
  /// The text with its first letter capitalised.
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}

extension ResponseSettings {
  /// The axis title for responses after the baseline correction.
  var axisTitle: String {
    switch baseline {
    case .none: "\(quantity.title) (\(quantity.shownUnit))"
    case .difference: "Change of \(quantity.name) (\(quantity.shownUnit))"
    case .percent: "Change of \(quantity.name) (%)"
    }
  }
}
