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
package struct SerialSensor: Sensor {
  /// The source that its samples are attributed to.
  package let source: SensorSource

  /// The channels of its kind of device.
  package var channels: [Channel] { settings.kind.channels(settings) }

  /// The number of samples received over all streams.
  package var readingsTaken: Int? { tally.count }

  /// How far the reading is behind.
  package var backlog: ReadingBacklog? { tally.backlog }

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
  package init(
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
  package func events(on clock: any StationClock) -> AsyncStream<SensorEvent> {
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
