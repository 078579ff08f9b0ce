package import Study

/// One recorder of a trial's protocol and the step that it belongs to.
package struct TrialRecorder: Hashable, Sendable, Codable {
  /// The step's identifier.
  package var step: String
  /// What is recorded.
  package var configuration: RecorderConfiguration

  /// A recorder.
  package init(step: String, configuration: RecorderConfiguration) {
    self.step = step
    self.configuration = configuration
  }
}
