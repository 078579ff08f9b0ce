package import Sound
package import Study

/// Everything that a trial needs to have before its first step.
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

  /// A prepared trial.
  package init(
    steps: [Step], stimulus: Stimulus?, sensors: [String: String], isUnattended: Bool, phrases: Phrases = Phrases()
  ) {
    self.phrases = phrases
    self.steps = steps
    self.stimulus = stimulus
    self.sensors = sensors
    self.isUnattended = isUnattended
  }
}
