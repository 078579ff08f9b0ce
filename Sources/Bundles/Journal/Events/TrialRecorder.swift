public import Study

/// One recorder of a trial's protocol and the step that it belongs to.
public struct TrialRecorder: Hashable, Sendable {
  /// The step's identifier.
  public var step: String
  /// What is recorded.
  public var configuration: RecorderConfiguration

  /// A recorder.
  public init(step: String, configuration: RecorderConfiguration) {
    self.step = step
    self.configuration = configuration
  }
}
