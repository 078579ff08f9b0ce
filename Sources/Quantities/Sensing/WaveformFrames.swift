import Basics

/// The form of a waveform: what is measured, how often, and by how many channels.
package struct WaveformFormat: Hashable, Sendable {
  package let type: QuantityType
  /// The unit of the values.
  package let unit: Unit
  /// The nominal number of frames per second, in Hz.
  package let rate: Double
  /// The names of the channels, in the order of a frame's values; never empty.
  package let channels: [String]

  /// The nominal rates, in Hz.
  package static let rates = 0.1...100_000
  /// The largest number of channels.
  package static let maxChannels = 1024

  /// Creates a format, by default in the quantity's unit for display.
  ///
  /// - Precondition: the rate and the number of channels are within ``rates`` and ``maxChannels``.
  package init(_ type: QuantityType, unit: Unit? = nil, rate: Double, channels: [String]) {
    precondition(Self.rates.contains(rate) && (1...Self.maxChannels).contains(channels.count))
    (self.type, self.unit, self.rate, self.channels) = (type, unit ?? type.defaultUnit, rate, channels)
  }

  /// The nominal time from a frame to another one.
  package func time(of frames: Int) -> Duration { Duration(nearestNanoseconds: Double(frames) / rate * 1e9) }
}

/// Consecutive frames of a waveform, which a sensor delivers at once.
package struct WaveformFrames: Hashable, Sendable {
  package let format: WaveformFormat
  /// The time of the first frame.
  package let happened: Moment
  /// The time of arrival in this program.
  package let arrived: Moment
  /// The values, frame by frame: as many for each frame as there are channels.
  package let values: [Float]

  /// The number of frames.
  package var count: Int { values.count / format.channels.count }

  /// The time of the last frame.
  package var end: Moment { happened.advanced(by: format.time(of: max(0, count - 1))) }

  /// The largest number of values.
  static let maxValues = 1 << 20

  /// Creates frames.
  ///
  /// - Precondition: the values fill whole frames, and are at most `maxValues`.
  package init(_ format: WaveformFormat, happened: Moment, arrived: Moment, values: [Float]) {
    precondition(values.count.isMultiple(of: format.channels.count) && values.count <= Self.maxValues)
    (self.format, self.happened, self.arrived, self.values) = (format, happened, arrived, values)
  }
}
