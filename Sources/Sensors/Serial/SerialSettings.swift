package import Quantities

/// A device at a serial port, and how it is read.
package struct SerialSettings: Hashable, Sendable {
  /// What a device sends.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The lines of an Arduino with a PulseSensor: `72,830,512`, or `S512`, `B72` and `Q830`.
    case pulseSensor = "pulsesensor"
    /// The five-byte packets of a Nonin oximeter, 75 a second.
    case nonin
    /// The frames of a BITalino.
    case bitalino
    /// Lines of JSON or CSV, as `lines:` reads them.
    case lines

    /// The usual speed, in bits per second.
    package var baud: Int { self == .nonin ? 9600 : 115_200 }

    /// What it is called in messages.
    package var title: String {
      switch self {
      case .pulseSensor: "lines of a PulseSensor"
      case .nonin: "packets of a Nonin oximeter"
      case .bitalino: "frames of a BITalino"
      case .lines: "lines"
      }
    }
  }

  /// What is measured at an analogue input of a BITalino.
  package struct Input: Hashable, Sendable {
    /// Its number, from 1 to 6.
    package let number: Int
    /// The quantity.
    package let type: QuantityType
  }

  /// The path of the port.
  package let path: String
  /// What the device sends.
  package let kind: Kind
  /// The speed, in bits per second.
  package var baud: Int
  /// The number of frames per second, in Hz.
  package var rate: Double
  /// The inputs of a BITalino that are recorded, by number.
  package var inputs: [Input] = []

  /// Settings with every option at its default.
  package init(path: String, kind: Kind) {
    (self.path, self.kind, baud) = (path, kind, kind.baud)
    switch kind {
    case .pulseSensor, .lines: rate = 50
    case .nonin: rate = NoninDecoder.rate
    case .bitalino: rate = 1000
    }
  }

  /// The channels that the device delivers, as far as they are known.
  var channels: [Channel] {
    switch kind {
    case .pulseSensor: Channel.ofHeartbeats + [Channel(.photoplethysmogram, rate: rate)]
    case .nonin:
      [Channel(.heartRate), Channel(.oxygenSaturation, rate: 3), Channel(.photoplethysmogram, rate: rate)]
    case .bitalino:
      inputs.map { Channel($0.type, rate: $0.type.isWaveform ? rate : BitalinoDecoder.slowRate) }
    case .lines: []
    }
  }

  /// What reads the bytes of the device.
  ///
  /// - Parameters:
  ///   - latency: the delay from an event to the arrival of its bytes.
  ///   - lines: the number of lines over earlier connections.
  /// - Returns: a decoder at the beginning of a connection.
  func decoder(latency: Duration, after lines: Int = 0) -> any DeviceDecoder {
    switch kind {
    case .pulseSensor: PulseSensorDecoder(rate: rate, latency: latency, after: lines)
    case .nonin: NoninDecoder(latency: latency, after: lines)
    case .bitalino: BitalinoDecoder(inputs, rate: rate, latency: latency, after: lines)
    case .lines: LineDecoder(latency: latency, after: lines)
    }
  }

  /// The kind of device that sends such bytes; `nil` for bytes of none, as at a wrong speed.
  static func kind(sending bytes: [UInt8]) -> Kind? {
    for kind in [Kind.nonin, .pulseSensor] {
      var decoder = SerialSettings(path: "", kind: kind).decoder(latency: .zero)
      _ = decoder.take(bytes.span, arrived: Moment(nanoseconds: 0))
      // By chance few bytes fit.
      if decoder.unitCount >= 4, decoder.unitCount * 3 > bytes.count / (kind == .nonin ? 5 : 20) { return kind }
    }
    for count in 1...6 where BitalinoFrame.count(in: bytes, inputs: count) * BitalinoFrame.size(count) > bytes.count / 2
    {
      return .bitalino
    }
    let text = bytes.count { 0x20..<0x7F ~= $0 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    return !bytes.isEmpty && text > bytes.count * 9 / 10 && bytes.contains(0x0A) ? .lines : nil
  }
}

/// What reads the bytes of a device: a state machine without input or output.
protocol DeviceDecoder: Sendable {
  /// The number of whole lines, packets or frames so far.
  var unitCount: Int { get }

  /// Decodes what the next bytes complete.
  mutating func take(_ bytes: Span<UInt8>, arrived: Moment) -> LineDecoder.Yield
}

extension LineDecoder: DeviceDecoder {
  var unitCount: Int { lineCount }
}
