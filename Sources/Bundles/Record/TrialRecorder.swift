import Basics
package import Quantities
package import Study

/// One recorder of a trial's protocol, the step that it belongs to, and the sensor behind it.
package struct TrialRecorder: Hashable, Sendable, FlatInJSON {
  /// The step's identifier.
  package var step: String
  /// What is recorded.
  package var configuration: RecorderConfiguration
  /// What it is recorded from.
  package var sensor: SensorSource

  /// Its identifier.
  package var identifier: String { configuration.identifier }

  /// A recorder.
  package init(step: String, configuration: RecorderConfiguration, sensor: SensorSource) {
    self.step = step
    self.configuration = configuration
    self.sensor = sensor
  }
}
