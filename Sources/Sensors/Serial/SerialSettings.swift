package import Quantities

/// A device at a serial port, and how it is read.
package struct SerialSettings: Hashable, Sendable {
  /// What is measured at an analogue input.
  package struct Input: Hashable, Sendable {
    /// Its number, from 1 to 6.
    package let number: Int
    /// The quantity.
    package let type: QuantityType
  }

  /// The path of the port.
  package let path: String
  /// What the device sends.
  package let kind: SerialKind
  /// The speed, in bits per second.
  package var baud: Int
  /// The number of frames per second, in Hz.
  package var rate: Double
  /// The inputs that are recorded, by number.
  package var inputs: [Input] = []

  /// Settings with every option at its default.
  package init(path: String, kind: SerialKind) {
    (self.path, self.kind, baud, rate) = (path, kind, kind.baud, kind.rate)
  }

  /// What reads the bytes of the device, at the beginning of a connection.
  ///
  /// - Parameters:
  ///   - latency: the delay from an event to the arrival of its bytes.
  ///   - lines: the number of lines over earlier connections.
  /// - Returns: the decoder.
  func decoder(latency: Duration, after lines: Int = 0) -> any DeviceDecoder { kind.decoder(self, latency, lines) }
}
