import Basics
import Quantities

@testable import Sensors

/// A device at a pseudo-terminal that behaves like one at a serial port, so that a laboratory can rehearse without it.
struct SerialPretender: Sendable {
  /// What the device is.
  let kind: SerialKind

  /// The pause between two deliveries.
  private static let pace = Duration.milliseconds(10)

  /// Creates a device of a kind.
  init(_ kind: SerialKind) { self.kind = kind }

  /// Opens the terminal and runs the device until the task is cancelled.
  ///
  /// - Parameters:
  ///   - clock: the clock of the device.
  ///   - report: is given the sensor's address when the device is ready.
  /// - Throws: ``SensorError`` where no terminal can be opened.
  func run(on clock: any StationClock, report: (String) -> Void) async throws {
    let cable: PseudoTerminal
    do throws(LinkFault) {
      cable = try PseudoTerminal()
    } catch {
      throw SensorError("pretend to be", "serial", error.reason)
    }
    var settings = SerialSettings(path: cable.path, kind: kind)
    var address = "serial:\(cable.path)?kind=\(kind.name)"
    if kind == .bitalino, let type = QuantityType(channel: "electrocardiogram") {
      settings.inputs = [.init(number: 2, type: type)]
      address += "&a2=electrocardiogram"
    }
    var device = PretendedDevice(settings)
    let start = clock.now
    report(address)
    while !Task.isCancelled {
      for command in cable.received() { device.take(command) }
      cable.send(device.bytes(until: start.duration(to: clock.now).seconds))
      do { try await clock.sleep(for: Self.pace) } catch { return }
    }
  }
}
