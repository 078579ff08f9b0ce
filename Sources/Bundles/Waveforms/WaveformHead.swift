import Basics
import Quantities

/// What a trial's journal says of a waveform before its first block.
package struct WaveformHead: Hashable, Sendable, Codable, CheckedInJSON {
  /// The name of its file, without folder and extension: `electrocardiogram`.
  package var file: String
  /// The sensor's name.
  package var sensor: String
  /// The identifier of the quantity type.
  package var quantityType: String
  /// The unit of the values.
  package var unit: String
  /// The nominal number of frames per second, in Hz.
  package var rate: Double
  /// The names of the channels, in the order of a frame's values.
  package var channels: [String]

  private enum CodingKeys: String, CodingKey {
    case file, sensor, quantityType, unit, channels
    case rate = "rate_Hz"
  }

  /// What is wrong with values of the right type.
  package var jsonProblem: String? {
    if !Self.isPlain(file) { return "“file” is not the plain name of a file" }
    if !(1...WaveformBlock.maxChannels).contains(channels.count) { return "“channels” has \(channels.count) names" }
    guard WaveformFormat.rates.contains(rate) else { return "“rate_Hz” is not a rate" }
    return nil
  }

  /// Whether a name may be that of a waveform's file: ASCII letters, digits, `-`, `_` and `.` inside.
  static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 100 && !name.hasPrefix(".")
      && name.utf8.allSatisfy { byte in
        let character = Character(Unicode.Scalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber) || "-_.".contains(character)
      }
  }

  /// Creates a head.
  package init(file: String, sensor: String, quantityType: String, unit: String, rate: Double, channels: [String]) {
    self.file = file
    self.sensor = sensor
    self.quantityType = quantityType
    self.unit = unit
    self.rate = rate
    self.channels = channels
  }
}
