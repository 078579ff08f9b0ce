import Quantities

@testable import Sensors
@testable import pretend

/// A machine that finds straps, and BlueZ with pretended straps, without a bus between them.
struct Air {
  var machine: BluetoothMachine
  var bluez: PretendedBluez
  var now = Moment(nanoseconds: 0)
  /// What the machine delivered.
  var delivered: [BluetoothMachine.Action] = []
  /// The names of the calls that it made.
  var calls: [String] = []

  private var purposes: [BluetoothMachine.Purpose] = []

  init(_ settings: BluetoothSettings, _ straps: [PretendedBluez.Strap] = [PretendedBluez.Strap()]) {
    machine = BluetoothMachine(settings)
    bluez = PretendedBluez(straps)
    isOnBus = true
  }

  /// Whether the service is there.
  var isOnBus: Bool

  mutating func begin() { perform(machine.begin(at: now)) }

  /// Lets time pass, with what is due meanwhile.
  mutating func wait(_ duration: Duration) {
    let end = now.advanced(by: duration)
    while let deadline = machine.deadline, deadline <= end {
      now = max(now, deadline)
      perform(machine.tick(at: now))
    }
    now = end
  }

  /// Has BlueZ do something.
  mutating func change(_ change: (inout PretendedBluez) -> [PretendedBluez.Action]) { perform(change(&bluez)) }

  mutating func send(_ value: [UInt8], from strap: Int = 0) {
    change { $0.send(value, as: BluetoothIdentifier.heartRateMeasurement, from: strap) }
  }

  /// The service gets the name on the bus, or loses it.
  mutating func turn(service isThere: Bool) {
    isOnBus = isThere
    let owners = isThere ? ["", ":1.7"] : [":1.7", ""]
    let body = [BluezObjects.service] + owners
    let signal = BusMessage(
      kind: .signal, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
      body: body.map { .string($0) })
    perform(machine.take(signal, at: now))
  }

  mutating func take() -> [BluetoothMachine.Action] {
    defer { delivered = [] }
    return delivered
  }

  /// Carries out actions, and what follows from them, in the order in which messages would pass over a bus.
  private mutating func perform(_ actions: [BluetoothMachine.Action]) {
    note(actions)
    deliver()
  }

  private mutating func perform(_ actions: [PretendedBluez.Action]) {
    waiting += actions.map { .toMachine($0) }
    deliver()
  }

  private enum Message {
    case toService(BluetoothMachine.Call)
    case toMachine(PretendedBluez.Action)
  }

  private var waiting: [Message] = []

  private mutating func note(_ actions: [BluetoothMachine.Action]) {
    for action in actions {
      if case .call(let call) = action { waiting.append(.toService(call)) } else { delivered.append(action) }
    }
  }

  private mutating func deliver() {
    while !waiting.isEmpty {
      switch waiting.removeFirst() {
      case .toService(let call):
        calls.append(call.member)
        purposes.append(call.purpose)
        let message = BusMessage(
          kind: .call(purposes.count - 1), path: call.path, interface: call.interface, member: call.member,
          body: call.arguments.map(\.value.received))
        let absent = PretendedBluez.Action.refuse(
          purposes.count - 1, name: "org.freedesktop.DBus.Error.ServiceUnknown", text: "not there")
        waiting += (isOnBus ? bluez.take(message) : [absent]).map { .toMachine($0) }
      case .toMachine(.answer(let number, let arguments)):
        note(machine.take(answer: arguments.map(\.value.received), to: purposes[number], at: now))
      case .toMachine(.refuse(let number, let name, let text)):
        note(machine.take(refusal: name, text, of: purposes[number], at: now))
      case .toMachine(.signal(let path, let interface, let member, let arguments)):
        let signal = BusMessage(
          kind: .signal, path: path, interface: interface, member: member, body: arguments.map(\.value.received))
        note(machine.take(signal, at: now))
      }
    }
  }
}

extension BusValue {
  /// The value as it is received: without its types.
  fileprivate var received: BusValue {
    switch self {
    case .variant(_, let value): value.received
    case .list(let values): .list(values.map(\.received))
    case .dictionary(let members): .dictionary(members.mapValues(\.received))
    default: self
    }
  }
}
