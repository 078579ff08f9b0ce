public import Sound
public import Study

/// Everything that a trial needs to have before its first step.
public struct PreparedTrial: Sendable {
  /// The steps.
  public var steps: [Step]
  /// What is played, decoded and shaped; `nil` for a trial without music.
  public var stimulus: Stimulus?
  /// The name of the sensor's source behind each recorder, by the recorder's identifier.
  public var sensors: [String: String]
  /// Whether nobody is there to press Return.
  public var isUnattended: Bool
  /// What the station itself says to the participant.
  public var phrases: Phrases

  /// A prepared trial.
  public init(
    steps: [Step], stimulus: Stimulus?, sensors: [String: String], isUnattended: Bool, phrases: Phrases = Phrases()
  ) {
    self.phrases = phrases
    self.steps = steps
    self.stimulus = stimulus
    self.sensors = sensors
    self.isUnattended = isUnattended
  }
}
