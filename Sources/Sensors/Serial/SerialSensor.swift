import Basics
import CSystem
import Glibc
package import Quantities

/// A device at a serial port: an Arduino with a PulseSensor, a Nonin oximeter, a BITalino, or one that sends lines.
///
/// Pulse waves and electrocardiograms are delivered as waveforms. The devices send no times: frames are placed by their
/// count, and the count by the arrivals that came fastest. Packets that are lost, by the device's own numbers or because a
/// checksum does not match, leave a gap. A device that is unplugged is tried again with pauses of 0.5, 1, 2, 4 and then
/// 8 s; a path in `/dev/serial/by-id` finds it at any port.
struct SerialSensor: Sensor {
  /// The source that its samples are attributed to.
  let source: SensorSource

  /// The channels of its kind of device.
  var channels: [Channel] { settings.kind.channels(settings) }

  /// The number of samples received over all streams.
  var readingsTaken: Int? { tally.count }

  /// How far the reading is behind.
  var backlog: ReadingBacklog? { tally.backlog }

  private let settings: SerialSettings
  private let tally = SampleTally()

  /// Creates a sensor, after the checks that need no waiting.
  ///
  /// - Parameters:
  ///   - settings: the port and the device.
  ///   - latency: the delay from an event to the arrival of its bytes.
  ///   - name: the sensor as the operator named it.
  ///   - location: its place on the body.
  /// - Throws: ``SensorError`` where there is no such port.
  init(
    _ settings: SerialSettings, latency: Duration, name: String, location: Metadata.SensorLocation?
  ) throws(SensorError) {
    let path = settings.path
    let advice = "ls /dev/serial/by-id /dev/ttyACM* /dev/ttyUSB* lists serial ports"
    switch PathKind(path) {
    case .stream: break
    case nil:
      throw SensorError(
        "use the sensor", name, "there is no “\(path.visible)”", advice: "plug the device in; \(advice)")
    case .folder, .file:
      throw SensorError("use the sensor", name, "“\(path.visible)” is not a serial port", advice: advice)
    }
    self.settings = settings
    source = SensorSource(name: name, latency: latency, device: Self.device(at: path), location: location)
  }

  /// Connects, and delivers what arrives.
  func events(on clock: any StationClock) -> AsyncStream<SensorEvent> {
    ConnectionFeed.events(
      of: .init(
        name: "“\(settings.path.visible)”", settings: .init(clock: clock, tally: tally),
        opening: .onThread { [settings, source] thread, units throws(LinkFault) in
          try SerialConnection(settings, latency: source.latency, device: source.device, on: thread).read(&units)
          return .stopped
        }))
  }

  /// What the kernel knows of the USB device behind a port.
  static func device(at path: String) -> Device {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let isResolved = unsafe realpath(path, &buffer) != nil
    let end = buffer.firstIndex(of: 0) ?? 0
    let target = isResolved ? String(decoding: buffer[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self) : path
    let folder = "/sys/class/tty/\(target.split(separator: "/").last ?? "")/device"
    // A port of the CDC class is an interface of the device; one of an adapter lies a level deeper.
    func text(_ name: String) -> String? {
      for place in ["..", "../.."] {
        guard let bytes = try? File.contents(of: "\(folder)/\(place)/\(name)", limit: 256) else { continue }
        let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self).visible
        if !text.isEmpty { return text }
      }
      return nil
    }
    return Device(name: text("product"), manufacturer: text("manufacturer"), localIdentifier: path)
  }
}

/// A device at a serial port, and how it is read.
package struct SerialSettings: Hashable, Sendable {
  /// What is measured at an analogue input.
  package struct Input: Hashable, Sendable {
    /// Its number, from 1 to 6.
    let number: Int
    package let type: QuantityType
  }

  /// The path of the port.
  let path: String
  /// What the device sends.
  package let kind: SerialKind
  /// The speed, in bits per second.
  var baud: Int
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

extension SensorTransport {
  /// A device at a serial port, such as `/dev/ttyACM0`.
  ///
  /// `baud` is the speed in bits per second; each ``SerialKind`` has options of its own besides.
  static let serial = SensorTransport(
    scheme: "serial",
    rest: .required(reason: "the port is missing", advice: "say serial:/dev/ttyACM0?kind=pulsesensor"),
    forms: [
      .init(
        text: "serial:PORT?kind=KIND[&…]", meaning: "a device at a serial port: pulsesensor, nonin, bitalino or lines")
    ],
    nicknames: SerialKind.all.map { .init(address: "serial:PORT?kind=\($0.name)", words: $0.words) }
      + [.init(address: "serial:PORT?kind=KIND", words: ["usb", "tty", "com", "port", "rs232"], isVague: true)]
  ) { reader, rest throws(SensorError) in try reader.serial(rest ?? "") }
}

extension SerialSettings: SensorKind {
  /// Creates the sensor, after the check that there is such a port.
  package func sensor(
    named name: String, latency: Duration, location: Metadata.SensorLocation?
  ) throws(SensorError) -> any Sensor {
    try SerialSensor(self, latency: latency, name: name, location: location)
  }

  package var sendsLines: Bool { kind == .lines }
}

extension AddressReader {
  fileprivate func serial(_ rest: String) throws(SensorError) -> SensorTransport.Reading {
    var special: [String] = []
    for option in SerialKind.all.flatMap(\.options) where !special.contains(option) { special.append(option) }
    let (path, options) = try split(rest, known: Self.commonOptions + ["kind", "baud"] + special)
    guard !path.isEmpty, !path.contains("\0") else {
      throw error("the port is missing", "say serial:/dev/ttyACM0?kind=pulsesensor")
    }
    let kinds = SerialKind.all.map(\.name)
    guard let name = options["kind"] else {
      throw error("what the device sends is missing", "add ?kind= and one of \(kinds.joined(separator: ", "))")
    }
    guard let kind = SerialKind(named: name) else {
      throw error("there is no kind of device “\(name)”", Spelling.advice(for: name, among: kinds))
    }
    var settings = SerialSettings(path: path, kind: kind)
    if let text = options["baud"] { settings.baud = try baud(text) }
    if let other = special.first(where: { options[$0] != nil && !kind.options.contains($0) }) {
      let owners = SerialKind.all.filter { $0.options.contains(other) }
      throw error(
        "\(other) is not an option of kind=\(name)", owners.count == 1 ? "it is one of kind=\(owners[0].name)" : nil)
    }
    try kind.read(self, options, &settings)
    return (settings, try latency(options), try location(options["location"]))
  }
}
