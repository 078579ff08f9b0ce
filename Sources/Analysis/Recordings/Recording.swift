import Bundles
package import Recordings

/// What one recorder or file holds of a heart, with the trial that it belongs to.
@dynamicMemberLookup
package struct Recording: Sendable {
  /// What was recorded.
  package var heart: HeartRecording

  /// The trial that it belongs to; `nil` for a file from outside a trial.
  package var trial: TrialFacts?

  /// The extent of a channel's samples, for the frame of a recording that holds nothing of a heart.
  var channelExtent: ClosedRange<Double>?

  /// What its windows, phases and responses are locked to: the first of these that it has.
  package var events: [EventSource] = [.stimulus]

  /// A recording of a trial, or of none.
  package init(_ heart: HeartRecording, trial: TrialFacts? = nil) {
    self.heart = heart
    self.trial = trial
  }

  /// A recording of these beats and rates.
  package init(
    path: String, recorder: String? = nil, sensor: String? = nil, beats: IntervalSeries? = nil,
    rates: HeartRates = HeartRates(), trial: TrialFacts? = nil, caveats: [RecordingCaveat] = []
  ) {
    self.init(
      HeartRecording(
        path: path, recorder: recorder, sensor: sensor, beats: beats, rates: rates, caveats: caveats), trial: trial)
  }

  /// A member of what was recorded.
  package subscript<Member>(dynamicMember member: WritableKeyPath<HeartRecording, Member>) -> Member {
    get { heart[keyPath: member] }
    set { heart[keyPath: member] = newValue }
  }

  /// Whether its trial, or the file itself, says that the data are simulated.
  package var isSimulated: Bool { trial?.simulation.isSimulated ?? false || heart.isSimulated }

  /// The mark of simulated data and its reason; `nil` for others.
  package var simulationSentence: String? {
    trial?.simulation.sentence
      ?? (heart.isSimulated ? "\(TrialSimulation.mark): the file says that a simulated sensor sent them" : nil)
  }

  /// Whether there is nothing in it to measure.
  package var isEmpty: Bool { heart.isEmpty }

  /// The sensor's own heart rates over time.
  package var ratesTrack: HeartRateTrack { HeartRateTrack(rates: heart.rates.values, times: heart.rates.times) }
}
