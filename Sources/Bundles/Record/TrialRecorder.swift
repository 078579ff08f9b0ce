import Basics
package import Quantities
package import Study

/// One recorder of a trial's protocol, the step that it belongs to, and the sensor behind it.
package struct TrialRecorder: Hashable, Sendable, FlatInJSON, CheckedInJSON {
  /// The step's identifier.
  package var step: String
  /// What is recorded.
  package var configuration: RecorderConfiguration
  /// What it is recorded from.
  package var sensor: SensorSource
  /// The nominal number of samples per second of its channel; `nil` if it has none.
  package var nominalRate: Double?

  /// What is wrong with numbers of the right type.
  package var jsonProblem: String? {
    guard let nominalRate else { return nil }
    if configuration.quantityType.isWaveform, !WaveformFormat.rates.contains(nominalRate) {
      return "“nominalRate_Hz” is \(nominalRate), which is not a rate of a waveform"
    }
    return nominalRate > 0 ? nil : "“nominalRate_Hz” is \(nominalRate), which is not above zero"
  }

  /// Its identifier.
  package var identifier: String { configuration.identifier }

  private enum CodingKeys: String, CodingKey {
    case step, configuration, sensor
    case nominalRate = "nominalRate_Hz"
  }

  /// A recorder.
  package init(step: String, configuration: RecorderConfiguration, sensor: SensorSource, nominalRate: Double? = nil) {
    self.nominalRate = nominalRate
    self.step = step
    self.configuration = configuration
    self.sensor = sensor
  }
}
