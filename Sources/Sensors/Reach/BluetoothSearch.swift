import Basics
import CSystem
import Glibc
import Quantities

/// Why Bluetooth sensors cannot be searched for.
struct BluetoothSearchFault: Error, Hashable, Sendable {
  let reason: String
}

/// A search for heart-rate sensors over Bluetooth.
enum BluetoothSearch {
  /// Listens to what advertises the Heart Rate Service, and adds what is connected already.
  ///
  /// - Parameters:
  ///   - duration: how long to listen.
  ///   - bus: the address of the message bus; `nil` for the system's.
  /// - Returns: the sensors in reach, the strongest signal first.
  /// - Throws: ``BluetoothSearchFault`` with what to do.
  static func run(for duration: Duration, bus: String? = nil) async throws(BluetoothSearchFault) -> [ReachableSensor] {
    let result: Result<[ReachableSensor], BluetoothSearchFault> = await withCheckedContinuation { continuation in
      let started = WaitingThread.start {
        continuation.resume(returning: Result { () throws(BluetoothSearchFault) in try search(duration, bus) })
      }
      if !started {
        continuation.resume(returning: .failure(BluetoothSearchFault(reason: "no more threads to be had")))
      }
    }
    return try result.get()
  }

  private static func search(_ duration: Duration, _ address: String?) throws(BluetoothSearchFault)
    -> [ReachableSensor]
  {
    do throws(LinkFault) {
      return try listen(duration, address)
    } catch {
      throw BluetoothSearchFault(reason: error.reason)
    }
  }

  private static func listen(_ duration: Duration, _ address: String?) throws(LinkFault) -> [ReachableSensor] {
    typealias Interface = BluezObjects.Interface
    var bus = try BusConnection(address)
    var objects = BluezObjects()
    for interface in [Interface.manager, Interface.properties] {
      _ = try bus.call(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch",
        [BusArgument("s", .string("type='signal',sender='org.bluez',interface='\(interface)'"))])
    }
    let asked = try bus.call(BluezObjects.service, "/", Interface.manager, "GetManagedObjects")
    var discovery: UInt64?
    let end = csystem_monotonic_nanoseconds() + duration.nanoseconds
    while case let left = end - csystem_monotonic_nanoseconds(), left > 0 {
      while let message = try bus.next() {
        switch message.kind {
        case .signal: _ = objects.take(message)
        case .answer(to: asked):
          objects.take(all: message.body)
          guard let adapter = objects.adapters.first else { throw LinkFault(BluetoothFault.noAdapter.words) }
          let filter = BusValue.dictionary([
            "UUIDs": .variant("as", .list([.string(BluetoothIdentifier.heartRateService)])),
            "Transport": .variant("s", .string("le")),
          ])
          _ = try bus.call(
            BluezObjects.service, adapter, Interface.adapter, "SetDiscoveryFilter", [BusArgument("a{sv}", filter)])
          discovery = try bus.call(BluezObjects.service, adapter, Interface.adapter, "StartDiscovery")
        case .refusal(of: asked, let name, _):
          throw LinkFault((name.hasSuffix(".AccessDenied") ? BluetoothFault.notAllowed : .noService).words)
        case .refusal(let number, let name, let text) where number == discovery && !name.hasSuffix(".InProgress"):
          throw LinkFault(name.hasSuffix(".NotReady") ? BluetoothFault.isOff.words : text)
        case .answer, .refusal, .call: break
        }
      }
      let wait = Int32(min(100, left / 1_000_000 + 1))
      var polled = [pollfd(fd: bus.descriptor, events: Int16(bus.events), revents: 0)]
      _ = unsafe poll(&polled, 1, wait)
    }
    // BlueZ ends the search with the connection.
    return objects.devices.filter { $0.isPresent && $0.services.contains(BluetoothIdentifier.heartRateService) }.map {
      ReachableSensor(
        .bluetooth, $0.name.visible, "bluetooth:\($0.address)", strength: $0.strength,
        battery: objects.property("Percentage", Interface.battery, of: $0.path)?.number)
    }
  }
}
