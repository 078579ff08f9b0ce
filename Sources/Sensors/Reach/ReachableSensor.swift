package import Basics
package import Quantities
import Sound

/// A sensor that can be used now, and what to type for it.
package struct ReachableSensor: Hashable, Sendable {
  /// How it is connected.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case bluetooth, camera, serial, microphone, lsl, keys, simulated
  }

  /// How it is connected.
  let kind: Kind
  /// Its name for people.
  package let name: String
  /// Its address, as `--sensor NAME=…` takes it.
  package let address: String
  /// The quantity that it is usually recorded for.
  package var quantity: QuantityType {
    switch kind {
    case .microphone: .roomSound
    case .keys: .continuousRating
    default: .heartRate
    }
  }
  /// The strength of its signal, in dBm; `nil` where it has none or that is not known.
  package var strength: Int?
  /// The charge of its battery in percent; known only of a Bluetooth sensor that is connected.
  package var battery: Int?

  init(_ kind: Kind, _ name: String, _ address: String, strength: Int? = nil, battery: Int? = nil) {
    (self.kind, self.name, self.address, self.strength, self.battery) = (kind, name, address, strength, battery)
  }

  /// The sensor for programs.
  package var json: JSONValue {
    [
      "kind": .string(kind.rawValue), "name": .string(name), "address": .string(address),
      "signal_dBm": strength.map { .integer($0) } ?? .null, "battery_percent": battery.map { .integer($0) } ?? .null,
    ]
  }
}

/// What was found in a search.
package struct SensorsInReach: Hashable, Sendable {
  /// The sensors, by kind.
  package private(set) var sensors: [ReachableSensor] = []
  /// What could not be searched for, and why, by kind.
  package private(set) var faults: [ReachableSensor.Kind: String] = [:]

  /// Searches.
  ///
  /// - Parameter duration: how long to listen for Bluetooth sensors.
  /// - Returns: what was found.
  package static func search(for duration: Duration) async -> SensorsInReach {
    var found = SensorsInReach()
    do throws(BluetoothSearchFault) {
      found.sensors = try await BluetoothSearch.run(for: duration)
    } catch {
      found.faults[.bluetooth] = error.reason
    }
    found.sensors += cameras() + serialPorts()
    do {
      found.sensors += try await microphones()
    } catch {
      found.faults[.microphone] = "\(error)"
    }
    do throws(LinkFault) {
      found.sensors += try await LSLSearch.run()
    } catch {
      found.faults[.lsl] = error.reason
    }
    found.sensors.append(ReachableSensor(.keys, "the station's own keys, for ratings", "keys"))
    found.sensors.append(ReachableSensor(.simulated, "a simulated strap", "simulated"))
    return found
  }

  /// The cameras that take pictures.
  private static func cameras() -> [ReachableSensor] {
    devices(in: "/dev", named: ["video"]).compactMap { path in
      let number = path.dropFirst("/dev/".count)
      let folder = "/sys/class/video4linux/\(number)"
      // Most cameras have a second device, with the same name, that takes no pictures: its index is not 0.
      guard firstLine(of: "\(folder)/index") ?? "0" == "0" else { return nil }
      return ReachableSensor(.camera, firstLine(of: "\(folder)/name") ?? "a camera", "camera:\(path)")
    }
  }

  /// The serial ports, whose devices do not say what they are, by names that stay the same when a device is plugged in elsewhere, where there are such.
  private static func serialPorts() -> [ReachableSensor] {
    let lasting = devices(in: "/dev/serial/by-id", named: [""])
    let paths = lasting.isEmpty ? devices(in: "/dev", named: ["ttyACM", "ttyUSB"]) : lasting
    return paths.map { path in
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return ReachableSensor(.serial, name.visible, "serial:\(path)?kind=KIND")
    }
  }

  /// The sources of the sound server that runs.
  private static func microphones() async throws -> [ReachableSensor] {
    try await Microphone.sources().map { source in
      ReachableSensor(.microphone, source.title.visible, "microphone:\(source.name)")
    }
  }

  private static func devices(in folder: String, named prefixes: [String]) -> [String] {
    let names = (try? Folder.names(in: folder)) ?? []
    return names.filter { name in prefixes.contains { name.hasPrefix($0) } }.sorted().map { "\(folder)/\($0)" }
  }

  private static func firstLine(of path: String) -> String? {
    guard let bytes = try? File.contents(of: path, limit: 256) else { return nil }
    let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self).visible
    return text.isEmpty ? nil : text
  }
}

extension LSLSearch {
  /// Searches.
  ///
  /// - Returns: the streams, by name.
  /// - Throws: ``LinkFault`` where the library is not installed.
  static func run() async throws(LinkFault) -> [ReachableSensor] {
    let found: Result<[LSLStream], LinkFault> = await WaitingThread.run {
      Result { () throws(LinkFault) in
        try LSLLibrary.open()
        return LSLLibrary.streams(matching: nil, seconds: patience).map(\.stream)
      }
    }
    let streams = distinct(try found.get())
    return zip(streams, addresses(of: streams)).map { stream, address in
      ReachableSensor(.lsl, "\(stream.name.visible) (\(stream.type.visible), \(stream.host.visible))", address)
    }
  }
}
