import Quantities

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
