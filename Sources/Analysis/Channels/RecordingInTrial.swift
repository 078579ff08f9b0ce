/// What a recorder of another quantity than the heart's recorded, with the windows and events of its trial.
package protocol RecordingInTrial: Sendable {
  /// A recording of a heart in the same trial: its windows and events are this one's too.
  var frame: Recording { get set }
}

extension RecordingInTrial {
  /// The trial that it belongs to; `nil` for one outside a trial.
  package var trial: TrialFacts? { frame.trial }

  /// What windows and responses are locked to: the first of these that it has.
  package var events: [EventSource] {
    get { frame.events }
    set { frame.events = newValue }
  }

  /// The event that it has; `nil` without one.
  package var event: TrialEvent? { frame.event }

  /// Why there is no onset.
  package var onsetIsMissing: MissingNumber { frame.onsetIsMissing }

  /// From the first moment of which something is known to the last; `nil` where nothing was recorded.
  package var extent: ClosedRange<Double>? { frame.channelExtent }

  /// Where a window lies in this recording.
  package func place(_ window: AnalysisWindow) -> PlacedWindow { frame.place(window) }
}
