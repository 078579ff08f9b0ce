import Quantities

/// Finds a Bluetooth sensor, connects to it, subscribes to its measurements and, after a loss, does so again: decisions
/// only, without a bus.
///
/// BlueZ keeps the objects of a device whose link is lost, removes its characteristics, or forgets it altogether; each leads
/// back to where it can go on. A link that is connected but silent is taken down after ``BluetoothSettings/silence``.
struct BluetoothMachine: Sendable {
  /// A call to make.
  struct Call: Hashable, Sendable {
    let purpose: Purpose
    let path: String
    let interface: String
    let member: String
    var arguments: [BusArgument] = []
  }

  /// What a call is for.
  enum Purpose: Hashable, Sendable {
    case objects, filter, discover, stopDiscovery, connect, disconnect
    /// Reads a fact about the device.
    case read(identifier: String)
    /// Subscribes to the heart rate.
    case subscribe
    /// Subscribes to the answers of Polar's control point, and to its data.
    case openWaveforms(identifier: String)
    /// Writes to Polar's control point.
    case command
  }

  /// What is to be done.
  enum Action: Hashable, Sendable {
    case call(Call)
    /// The sensor is connected; values may follow.
    case connected(DeviceFacts)
    /// Values of a characteristic, as they came.
    case measured([UInt8])
    case waveform([UInt8])
    /// A waveform is started, at this rate.
    case measures(PolarMeasurement.Kind, rate: Int)
    case noted(String)
    case lost(BluetoothFault)
  }

  enum Phase: Hashable, Sendable {
    /// The objects have been asked for.
    case starting
    /// The service is not on the bus, or not to be talked to.
    case absent
    /// No adapter that can be used.
    case withoutAdapter
    case searching(since: Moment)
    /// The next attempt to connect follows at that moment.
    case pausing(until: Moment)
    case connecting(since: Moment)
    /// Connected; the device is being asked for its services.
    case resolving(since: Moment)
    /// Connected; facts about the device are being read.
    case describing(since: Moment)
    case subscribing(since: Moment)
    case receiving(last: Moment)
  }

  /// How long to look on for other sensors after the first was found, where it is not named by its address.
  static let settling = Duration.seconds(2)
  /// After so long a search, that nothing was found is told, and a device that BlueZ knows is tried.
  static let patience = Duration.seconds(6)
  /// How long a connection may take; BlueZ gives up after 40 s itself.
  static let connecting = Duration.seconds(45)
  /// How long finding the services, reading facts and subscribing may take, each.
  static let answering = Duration.seconds(10)
  /// The pause before the next attempt to connect.
  static let pause = Duration.milliseconds(500)
  /// The pause after an attempt that cannot succeed soon.
  static let longPause = Duration.seconds(8)

  let settings: BluetoothSettings
  var objects = BluezObjects()
  var phase = Phase.starting
  /// The device in use, also while it is lost.
  var device: (path: String, address: String, name: String)?
  var facts = DeviceFacts()
  var isDescribed = false
  /// The facts that are still to come.
  var unread: Set<String> = []
  /// The first sensor of a search was found.
  var foundAt: Moment?
  var isDiscovering = false
  /// Why the adapter does not search; `nil` where it does.
  var searchRefusal: String?
  var isConnected = false
  /// The link was made by us, and is ours to take down.
  private var hasConnected = false
  /// What was last said to be wrong.
  var told: BluetoothFault?
  var actions: [Action] = []
  var waveforms = WaveformStart()

  init(_ settings: BluetoothSettings) { self.settings = settings }

  /// Begins, or begins again after the service restarted.
  mutating func begin(at now: Moment) -> [Action] {
    objects.clear()
    isDiscovering = false
    phase = .starting
    call(.objects, "/", BluezObjects.Interface.manager, "GetManagedObjects")
    return taken()
  }

  /// When ``tick(at:)`` is due; `nil` for never.
  var deadline: Moment? {
    switch phase {
    case .starting, .absent, .withoutAdapter: nil
    case .searching(let since):
      (foundAt.map { $0.advanced(by: Self.settling) } ?? since.advanced(by: Self.patience))
    case .pausing(let until): until
    case .connecting(let since): since.advanced(by: Self.connecting)
    case .resolving(let since), .describing(let since), .subscribing(let since): since.advanced(by: Self.answering)
    case .receiving(let last):
      [last.advanced(by: settings.silence), waveforms.since?.advanced(by: Self.answering)].compactMap(\.self).min()
    }
  }

  /// Goes on where a moment was waited for.
  mutating func tick(at now: Moment) -> [Action] {
    guard let deadline, now >= deadline else { return taken() }
    switch phase {
    case .starting, .absent, .withoutAdapter: break
    case .searching: choose(at: now)
    case .pausing: connect(at: now)
    case .connecting, .resolving: retry(.notConnected(name: name, reason: "no answer"), at: now)
    case .describing: subscribe(at: now)
    case .receiving where waveforms.since.map({ now >= $0.advanced(by: Self.answering) }) ?? false:
      giveUpWaveforms()
    case .subscribing, .receiving: retry(.silent(name: name), at: now)
    }
    return taken()
  }

  /// Takes a signal of the service.
  mutating func take(_ signal: BusMessage, at now: Moment) -> [Action] {
    if signal.member == "NameOwnerChanged" {
      guard signal.body.first?.text == BluezObjects.service, let owner = signal.body.last?.text else { return [] }
      if owner.isEmpty {
        objects.clear()
        phase = .absent
        lose(.noService)
        return taken()
      }
      return begin(at: now)
    }
    for change in objects.take(signal) { follow(change, at: now) }
    return taken()
  }

  /// Takes the answer to a call.
  mutating func take(answer body: [BusValue], to purpose: Purpose, at now: Moment) -> [Action] {
    switch purpose {
    case .objects:
      objects.take(all: body)
      start(at: now)
    case .read(let identifier):
      if let bytes = body.first?.octets { facts.take(bytes, of: identifier) }
      described(identifier, at: now)
    case .subscribe: subscribed(at: now)
    case .openWaveforms, .command: answeredWaveforms(purpose, error: nil, at: now)
    case .discover: searchRefusal = nil
    case .connect: if case .connecting = phase { phase = .resolving(since: now) }
    case .filter, .stopDiscovery, .disconnect: break
    }
    return taken()
  }

  /// Takes an error in place of an answer.
  mutating func take(refusal name: String, _ text: String, of purpose: Purpose, at now: Moment) -> [Action] {
    let isUnderWay = name.hasSuffix(".InProgress") || name.hasSuffix(".AlreadyConnected")
    switch purpose {
    case .objects:
      phase = .absent
      lose(name.hasSuffix(".AccessDenied") ? .notAllowed : .noService)
    case .discover where !isUnderWay:
      isDiscovering = false
      if name.hasSuffix(".NotReady") {
        phase = .withoutAdapter
        lose(.isOff)
      } else {
        // Tried again when the search has found nothing.
        searchRefusal = text
      }
    case .connect where !isUnderWay:
      // The connection is aborted now and then, and succeeds when it is tried again.
      if case .connecting = phase {
        phase = .pausing(until: now.advanced(by: Self.pause))
        lose(.notConnected(name: self.name, reason: text))
      }
    case .connect: if case .connecting = phase { phase = .resolving(since: now) }
    case .read(let identifier): described(identifier, at: now)
    case .subscribe where isUnderWay: subscribed(at: now)
    case .subscribe:
      // The answer may be about a link that is gone.
      guard case .subscribing = phase else { break }
      retry(.refused(name: self.name, what: "the heart rate", reason: text), at: now)
    case .openWaveforms, .command: answeredWaveforms(purpose, error: text, at: now)
    case .filter, .discover, .stopDiscovery, .disconnect: break
    }
    return taken()
  }

  // MARK: Connecting

  var name: String { device?.name ?? settings.target }

  mutating func connect(at now: Moment) {
    guard let device else { return }
    guard let adapter = usableAdapter else { return start(at: now) }
    guard objects.has(BluezObjects.Interface.device, at: device.path) else { return search(adapter, at: now) }
    if isDiscovering {
      isDiscovering = false
      call(.stopDiscovery, adapter, BluezObjects.Interface.adapter, "StopDiscovery")
    }
    phase = .connecting(since: now)
    if isResolved { return describe(at: now) }
    hasConnected = true
    call(.connect, device.path, BluezObjects.Interface.device, "Connect")
  }

  var isResolved: Bool {
    guard let device else { return false }
    return objects.property("Connected", BluezObjects.Interface.device, of: device.path) == .bool(true)
      && objects.property("ServicesResolved", BluezObjects.Interface.device, of: device.path) == .bool(true)
  }

  /// Reads what the device says of itself, once.
  mutating func describe(at now: Moment) {
    guard let device, characteristic(BluetoothIdentifier.heartRateMeasurement) != nil else {
      retry(.noHeartRate(name: name), at: now, after: Self.longPause)
      return
    }
    guard !isDescribed else { return subscribe(at: now) }
    facts.name = device.name
    facts.address = device.address
    if let percent = objects.property("Percentage", BluezObjects.Interface.battery, of: device.path)?.number {
      facts.battery = percent
    }
    phase = .describing(since: now)
    for identifier in DeviceFacts.characteristics {
      guard let path = characteristic(identifier) else { continue }
      unread.insert(identifier)
      call(
        .read(identifier: identifier), path, BluezObjects.Interface.characteristic, "ReadValue",
        [BusArgument("a{sv}", .dictionary([:]))])
    }
    if unread.isEmpty { subscribe(at: now) }
  }

  private mutating func described(_ identifier: String, at now: Moment) {
    guard case .describing = phase, unread.remove(identifier) != nil, unread.isEmpty else { return }
    subscribe(at: now)
  }

  private mutating func subscribe(at now: Moment) {
    guard let path = characteristic(BluetoothIdentifier.heartRateMeasurement) else {
      retry(.noHeartRate(name: name), at: now, after: Self.longPause)
      return
    }
    isDescribed = true
    phase = .subscribing(since: now)
    call(.subscribe, path, BluezObjects.Interface.characteristic, "StartNotify")
  }

  /// That it is subscribed does not mean that values come: BlueZ says so for a device that it has yet to find, too.
  private mutating func subscribed(at now: Moment) {
    switch phase {
    case .subscribing: phase = .receiving(last: now)
    // Values came before the answer.
    case .receiving: break
    default: return
    }
    say()
    startWaveforms(at: now)
  }

  mutating func say() {
    guard !isConnected else { return }
    isConnected = true
    told = nil
    actions.append(.connected(facts))
    if let note = facts.batteryNote { actions.append(.noted(note)) }
  }

  /// The path of one of the device's characteristics.
  func characteristic(_ identifier: String) -> String? {
    device.flatMap { objects.characteristic(identifier, of: $0.path) }
  }

  // MARK: Losing

  /// Tells that nothing is delivered, once for each reason.
  mutating func lose(_ fault: BluetoothFault) {
    // While a sensor that was in use is out of reach, that it cannot be connected to is nothing new.
    let isNews = !(isDescribed && told != nil && fault.isAbsence)
    guard isConnected || told != fault && isNews else { return }
    isConnected = false
    told = fault
    waveforms = WaveformStart()
    unread = []
    actions.append(.lost(fault))
  }

  /// Takes the link down and connects again after a pause.
  private mutating func retry(_ fault: BluetoothFault, at now: Moment, after pause: Duration = Self.pause) {
    let isLinked = phase.isLinked
    lose(fault)
    unread = []
    if isLinked, let device { call(.disconnect, device.path, BluezObjects.Interface.device, "Disconnect") }
    phase = .pausing(until: now.advanced(by: pause))
  }

  /// Takes down what was set up.
  mutating func end() -> [Action] {
    if isDiscovering, let adapter = usableAdapter {
      call(.stopDiscovery, adapter, BluezObjects.Interface.adapter, "StopDiscovery")
    }
    if hasConnected, let device, objects.has(BluezObjects.Interface.device, at: device.path) {
      call(.disconnect, device.path, BluezObjects.Interface.device, "Disconnect")
    }
    return taken()
  }

  // MARK: Acting

  mutating func call(
    _ purpose: Purpose, _ path: String, _ interface: String, _ member: String, _ arguments: [BusArgument] = []
  ) {
    actions.append(
      .call(Call(purpose: purpose, path: path, interface: interface, member: member, arguments: arguments)))
  }

  private mutating func taken() -> [Action] {
    defer { actions = [] }
    return actions
  }
}

extension BluetoothMachine.Phase {
  /// Whether there is a link that can break.
  var isLinked: Bool {
    switch self {
    case .resolving, .describing, .subscribing, .receiving: true
    default: false
    }
  }
}

extension BluetoothFault {
  /// Whether it only says that the sensor is not there.
  fileprivate var isAbsence: Bool {
    switch self {
    case .notConnected, .notFound, .dropped, .forgotten: true
    default: false
    }
  }
}
