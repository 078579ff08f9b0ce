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
  var candidates: [BluezObjects.Peripheral] {
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

extension BluetoothMachine {
  mutating func follow(_ change: BluezObjects.Change, at now: Moment) {
    switch change.interface {
    case BluezObjects.Interface.adapter:
      if usableAdapter == nil {
        isDiscovering = false
        phase = .withoutAdapter
        lose(objects.adapters.isEmpty ? .noAdapter : .isOff)
      } else if phase == .withoutAdapter {
        start(at: now)
      }
    case BluezObjects.Interface.device where change.path == device?.path: followDevice(change, at: now)
    case BluezObjects.Interface.device: look(at: now)
    case BluezObjects.Interface.battery where change.path == device?.path:
      if let percent = change.properties["Percentage"]?.number { note(battery: percent) }
    case BluezObjects.Interface.characteristic:
      guard let value = change.properties["Value"]?.octets else { return }
      take(value, of: change.path, at: now)
    default: break
    }
  }

  private mutating func followDevice(_ change: BluezObjects.Change, at now: Moment) {
    if case .searching = phase { return look(at: now) }
    guard let adapter = usableAdapter else { return }
    if !objects.has(BluezObjects.Interface.device, at: change.path) {
      lose(.forgotten(name: name))
      search(adapter, at: now)
    } else if change.properties["Connected"] == .bool(false), phase.isLinked {
      phase = .pausing(until: now.advanced(by: Self.pause))
      lose(.dropped(name: name))
    } else if isResolved {
      switch phase {
      case .connecting, .resolving, .pausing: describe(at: now)
      default: break
      }
    }
  }

  private mutating func take(_ value: [UInt8], of path: String, at now: Moment) {
    if path == characteristic(BluetoothIdentifier.heartRateMeasurement) {
      switch phase {
      case .receiving: break
      // Another program subscribed before us, or the answer is on its way.
      case .subscribing: say()
      default: return
      }
      phase = .receiving(last: now)
      actions.append(.measured(value))
    } else if path == characteristic(BluetoothIdentifier.battery) {
      if let percent = value.first { note(battery: Int(percent)) }
    } else {
      takeWaveforms(value, of: path, at: now)
    }
  }

  /// Notes a battery that has become low while it is used.
  private mutating func note(battery percent: Int) {
    let wasLow = facts.isLow
    facts.battery = percent
    if facts.isLow, !wasLow, isConnected, let note = facts.batteryNote { actions.append(.noted(note)) }
  }
}
