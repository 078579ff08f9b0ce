import Basics
import Quantities
import Sensors

/// What a ``SensorHub`` knows, guarded by its lock; nothing here waits or calls anybody.
struct HubState: Sendable {
  /// What is known of one sensor.
  struct Standing: Sendable {
    /// What it last said about its connection.
    var connection: SensorEvent?
    /// What is odd about it, told since the hub began; each thing once, and no more than ``HubState/mostNotes``.
    var notes: [SensorEvent] = []
    /// What it has shown since it connected.
    var signs = SensorSigns()
    /// Since when it is connected and has sent no reading.
    var muteSince: Moment?
    /// Whether it was told that it sends nothing.
    var isMute = false
    /// How many readings have arrived here, those included that it dropped.
    var taken = 0
    /// How many had arrived at the sensor when everybody was asked to catch up.
    var goal = 0
    /// Readings that are kept for the next listener, and how many were too many for that.
    var kept: [SensorEvent] = []
    var keptReadings = 0
    var unkept = 0
  }

  /// What a listener hears of one sensor.
  private struct Track: Sendable {
    /// How many readings were heard, those included that came before the listener.
    var heard: Int
    /// What the listener has not heard yet.
    var outbox = Outbox()
    /// Whether the listener is being told an event, and how many readings that is.
    var isDelivering = false
    var inFlight = 0
  }

  /// A listener, and what it hears of each sensor, by the sensor's index.
  private struct Listening: Sendable {
    let number: Int
    let listener: SensorHub.Listener
    var tracks: [Track]
    /// Opens when it is told nothing any more; `nil` while it listens.
    var quiet: Gate?
  }

  /// So many notes of a sensor are told to a listener that comes later.
  static let mostNotes = 20

  /// The event for a sensor that has connected and sends nothing.
  static let mute = SensorEvent.noted("had sent no reading \(Int(SensorHub.muteness.seconds)) s after it connected")

  /// The sensors by name.
  private let names: [String]
  private let indices: [String: Int]
  private var sensors: [Standing]
  /// Opens when every reading that had arrived was heard; `nil` while nothing waits for it.
  var caughtUp: Gate?
  /// Who listens, each with a number that is larger than those before.
  private var listeners: [Listening] = []
  private var listenings = 0
  /// Whether readings are kept for the next listener.
  private var keepsReadings = false

  /// So many readings of a sensor are kept, seconds of one that does not flood; the others are counted as dropped.
  static let mostKept = 16_384
  private var needs: [SensorCheck.Need] = []
  /// Of these it is only waited for the connection.
  private var recordings: [String] = []
  private var satisfied: Gate?

  init(_ names: some Sequence<String>) {
    self.names = names.sorted()
    indices = Dictionary(uniqueKeysWithValues: zip(self.names, self.names.indices))
    sensors = self.names.map { _ in Standing() }
  }

  /// What is known of a sensor; `nil` for one that the hub does not have.
  subscript(name: String) -> Standing? {
    get { indices[name].map { sensors[$0] } }
    set { if let index = indices[name], let newValue { sensors[index] = newValue } }
  }

  /// Whether every sensor has said whether it is connected.
  var isSettled: Bool { sensors.indices.allSatisfy { sensors[$0].connection != nil } }

  /// Whether a listener has not heard every reading that had arrived.
  var isBehind: Bool {
    sensors.indices.contains { index in
      let goal = sensors[index].goal
      return sensors[index].taken < goal
        || listeners.contains { $0.quiet == nil && $0.tracks[index].heard < goal }
    }
  }

  // MARK: What sensors say

  /// Takes account of an event.
  mutating func take(_ event: SensorEvent, _ signs: SensorSigns, from name: String, at now: Moment) {
    guard let index = indices[name] else { return }
    switch event {
    case .connected:
      sensors[index].connection = event
      sensors[index].muteSince = now
      sensors[index].signs = SensorSigns()
    case .lost, .ended:
      sensors[index].connection = sensors[index].signs.explaining(event)
      sensors[index].muteSince = nil
      sensors[index].isMute = false
      sensors[index].signs = SensorSigns()
    case .readings, .waveform:
      sensors[index].muteSince = nil
      sensors[index].isMute = false
    case .noted:
      let isKnown = event == Self.mute || sensors[index].notes.contains(event)
      if !isKnown, sensors[index].notes.count < Self.mostNotes { sensors[index].notes.append(event) }
    case .unreadable, .skipped, .overflowed, .clockMeasured: break
    }
    sensors[index].signs.add(signs)
  }

  // MARK: Listeners

  /// Puts events where they are handed on from.
  mutating func enqueue(_ events: [SensorEvent], from name: String) {
    guard let index = indices[name] else { return }
    for event in events {
      sensors[index].taken += event.samples
      switch event {
      case .readings, .waveform: if keepsReadings { keep(event, of: index) }
      default: break
      }
    }
    for place in listeners.indices where listeners[place].quiet == nil {
      for event in events { listeners[place].tracks[index].outbox.add(event) }
    }
  }

  private mutating func keep(_ event: SensorEvent, of index: Int) {
    let most = if case .waveform = event { Outbox.mostFrames } else { Self.mostKept }
    if sensors[index].keptReadings + event.samples <= most {
      sensors[index].kept.append(event)
      sensors[index].keptReadings += event.samples
    } else {
      sensors[index].unkept += event.samples
    }
  }

  /// Keeps the readings that come from now on for the next listener.
  mutating func keepReadings() { keepsReadings = true }

  /// What was kept of a sensor, with the count of what was not.
  private mutating func takeKept(of index: Int) -> [SensorEvent] {
    let standing = sensors[index]
    sensors[index].kept = []
    sensors[index].keptReadings = 0
    sensors[index].unkept = 0
    return standing.kept + (standing.unkept > 0 ? [.overflowed(count: standing.unkept)] : [])
  }

  /// Gives events to one more listener from now on.
  ///
  /// - Returns: the listener's number, and how many events of each sensor the caller is to hand on.
  mutating func listen(_ listener: @escaping SensorHub.Listener) -> (number: Int, counts: [(name: String, count: Int)])
  {
    listenings += 1
    keepsReadings = false
    var listening = Listening(
      number: listenings, listener: listener,
      tracks: sensors.map { Track(heard: $0.taken - $0.keptReadings - $0.unkept) })
    let counts = names.indices.map { index -> (name: String, count: Int) in
      let standing = sensors[index]
      let events = [standing.connection, standing.isMute ? Self.mute : nil].compactMap(\.self) + standing.notes
      for event in events + takeKept(of: index) { listening.tracks[index].outbox.add(event) }
      return (names[index], listening.tracks[index].outbox.count)
    }
    listeners.append(listening)
    return (listenings, counts)
  }

  /// Delivers no events to a listener from now on.
  ///
  /// - Returns: what was not delivered, and a gate that opens when no delivery is under way; `nil` if none is.
  mutating func stopListening(_ number: Int) -> (missed: [String: Int], quiet: Gate?) {
    guard let place = listeners.firstIndex(where: { $0.number == number }) else { return ([:], nil) }
    var missed: [String: Int] = [:]
    for index in sensors.indices {
      let track = listeners[place].tracks[index]
      let missing = max(0, sensors[index].goal - track.heard) - track.inFlight
      let count = max(missing, listeners[place].tracks[index].outbox.clear())
      if count > 0 { missed[names[index]] = count }
    }
    guard listeners[place].tracks.contains(where: \.isDelivering) else {
      listeners.remove(at: place)
      return (missed, nil)
    }
    let gate = listeners[place].quiet ?? Gate()
    listeners[place].quiet = gate
    return (missed, gate)
  }

  /// What is to be handed on next of a sensor; `nil` when there is nothing.
  ///
  /// - Parameters:
  ///   - name: the sensor.
  ///   - number: the listener; `nil` for any.
  /// - Returns: the event with its listener, which is to be called outside of the lock.
  mutating func next(of name: String, to number: Int?) -> (SensorHub.Listener, SensorEvent)? {
    guard let index = indices[name] else { return nil }
    for place in listeners.indices where number == nil || listeners[place].number == number {
      guard let event = listeners[place].tracks[index].outbox.next() else { continue }
      listeners[place].tracks[index].isDelivering = true
      listeners[place].tracks[index].inFlight = event.samples
      return (listeners[place].listener, event)
    }
    return nil
  }

  /// Counts what listeners have been told of a sensor as heard, and notes that nothing of it is being delivered now.
  ///
  /// - Returns: the gates of those who wait for the end of deliveries.
  mutating func countHeard(from name: String) -> [Gate] {
    guard let index = indices[name] else { return [] }
    var gates: [Gate] = []
    for place in listeners.indices.reversed() where listeners[place].tracks[index].isDelivering {
      listeners[place].tracks[index].heard += listeners[place].tracks[index].inFlight
      listeners[place].tracks[index].inFlight = 0
      listeners[place].tracks[index].isDelivering = false
      guard let gate = listeners[place].quiet, !listeners[place].tracks.contains(where: \.isDelivering) else {
        continue
      }
      listeners.remove(at: place)
      gates.append(gate)
    }
    return gates
  }

  // MARK: Who waits

  /// The gate of those who wait until everything is heard, when it is.
  mutating func takeCaughtUp() -> Gate? {
    guard caughtUp != nil, !isBehind else { return nil }
    defer { caughtUp = nil }
    return caughtUp
  }

  /// A gate that opens when every need is met or cannot be met any more; `nil` when that is so already.
  mutating func wait(for needs: [SensorCheck.Need], recordings: [String]) -> Gate? {
    self.needs = needs
    self.recordings = recordings
    guard !isSatisfied else { return nil }
    let gate = Gate()
    satisfied = gate
    return gate
  }

  /// The gate of those who wait for signs, when they need wait no more.
  mutating func takeSatisfied() -> Gate? {
    guard satisfied != nil, isSatisfied else { return nil }
    defer { forgetNeeds() }
    return satisfied
  }

  /// Nothing waits for signs any more.
  mutating func forgetNeeds() {
    needs = []
    recordings = []
    satisfied = nil
  }

  private var isSatisfied: Bool {
    let isOver = needs.contains { need in
      if case .ended = self[need.sensor]?.connection { true } else { false }
    }
    let isMet = needs.allSatisfy { self[$0.sensor]?.signs.shows($0.quantity) ?? false }
    let areThere = recordings.allSatisfy { self[$0]?.connection != nil }
    // One sensor that is dead is enough to go no further.
    return isMet && areThere || isOver
  }
}
