package import Sound
package import Study

/// Everything that a trial needs to have before its first step, or what a session does around its trials.
package struct PreparedTrial: Sendable {
  /// The steps.
  package var steps: [Step]
  /// What is played, decoded and shaped; `nil` for a trial without music.
  package var stimulus: Stimulus?
  /// The name of the sensor's source behind each recorder, by the recorder's identifier.
  package var sensors: [String: String]
  /// Whether the trial runs unattended, with no one to press Return.
  package var isUnattended: Bool
  /// What the station itself says to the participant.
  package var phrases: Phrases
  /// Performs the trials of a session's `trials` step, and says how the last of them ended; `nil` for a trial itself.
  package var performTrials: (@Sendable ([Int]) async -> TrialEnd)?

  /// A prepared trial.
  package init(
    steps: [Step], stimulus: Stimulus?, sensors: [String: String], isUnattended: Bool, phrases: Phrases = Phrases(),
    performTrials: (@Sendable ([Int]) async -> TrialEnd)? = nil
  ) {
    self.performTrials = performTrials
    self.phrases = phrases
    self.steps = steps
    self.stimulus = stimulus
    self.sensors = sensors
    self.isUnattended = isUnattended
  }
}
