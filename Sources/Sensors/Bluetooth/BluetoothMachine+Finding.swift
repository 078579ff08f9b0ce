import Quantities

extension BluetoothMachine {
  /// Goes on from the objects that are there.
  mutating func start(at now: Moment) {
    guard let adapter = usableAdapter else {
      phase = .withoutAdapter
      lose(objects.adapters.isEmpty ? .noAdapter : .isOff)
      return
    }
    if let device, objects.has(BluezObjects.Interface.device, at: device.path) {
      connect(at: now)
      return
    }
    search(adapter, at: now)
  }

  var usableAdapter: String? {
    objects.adapters.first { objects.property("Powered", BluezObjects.Interface.adapter, of: $0) != .bool(false) }
  }

  mutating func search(_ adapter: String, at now: Moment) {
    phase = .searching(since: now)
    foundAt = nil
    if !isDiscovering {
      isDiscovering = true
      let filter: [String: BusValue] = [
        "UUIDs": .variant("as", .list([.string(BluetoothIdentifier.heartRateService)])),
        "Transport": .variant("s", .string("le")),
      ]
      call(
        .filter, adapter, BluezObjects.Interface.adapter, "SetDiscoveryFilter",
        [BusArgument("a{sv}", .dictionary(filter))])
      call(.discover, adapter, BluezObjects.Interface.adapter, "StartDiscovery")
    }
    look(at: now)
  }

  /// The devices that are meant.
  var candidates: [BluezObjects.Device] {
    objects.devices.filter { device in
      // After a loss only the same device will do, so that no other person's heart is recorded.
      if let used = self.device { return device.address == used.address }
      switch settings.choice {
      case .any: return device.services.contains(BluetoothIdentifier.heartRateService)
      case .address(let address): return device.address.uppercased() == address.uppercased()
      case .name(let name): return device.name.lowercased().contains(name.lowercased())
      }
    }
  }

  /// Looks whether what is searched for is there.
  mutating func look(at now: Moment) {
    guard case .searching = phase, candidates.contains(where: \.isPresent) else { return }
    if foundAt == nil { foundAt = now }
    var isUnmistakable = device != nil
    if case .address = settings.choice { isUnmistakable = true }
    if isUnmistakable { choose(at: now) }
  }

  /// Chooses from what was found; goes on searching where that is nothing, or too much.
  mutating func choose(at now: Moment) {
    let candidates = candidates
    var present = candidates.filter(\.isPresent)
    // A device that BlueZ knows, and that does not advertise: it may be found by connecting.
    if present.isEmpty, foundAt == nil { present = candidates }
    let exact = present.filter { settings.choice == .name($0.name) }
    if exact.count == 1 { present = exact }
    guard present.count == 1, let chosen = present.first else {
      phase = .searching(since: now)
      foundAt = nil
      let absence =
        searchRefusal.map { BluetoothFault.refused(name: "Bluetooth adapter", what: "the search", reason: $0) }
        ?? .notFound(target: settings.target)
      lose(
        present.isEmpty
          ? absence
          : .ambiguous(present.map { .init(name: $0.name, address: $0.address) }.sorted { $0.address < $1.address }))
      if !isDiscovering, let adapter = usableAdapter { search(adapter, at: now) }
      return
    }
    device = (chosen.path, chosen.address, chosen.name)
    connect(at: now)
  }
}
