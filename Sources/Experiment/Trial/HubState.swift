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

  /// A listener, by the sensors that it hears.
  private struct Listening: Sendable {
    let listener: SensorHub.Listener
    var tracks: [String: Track]
    /// Opens when it is told nothing any more; `nil` while it listens.
    var quiet: Gate?
  }

  /// So many notes of a sensor are told to a listener that comes later.
  static let mostNotes = 20

  /// The event for a sensor that has connected and sends nothing.
  static let mute = SensorEvent.noted("had sent no reading \(Int(SensorHub.muteness.seconds)) s after it connected")

  var sensors: [String: Standing]
  /// Opens when every reading that had arrived was heard; `nil` while nothing waits for it.
  var caughtUp: Gate?
  /// Who listens, by a number that is larger for later ones.
  private var listeners: [Int: Listening] = [:]
  private var listenings = 0
  /// Whether readings are kept for the next listener.
  private var keepsReadings = false

  /// So many readings or frames of a sensor are kept, seconds of one that does not flood; the others are counted as
  /// dropped.
  static let mostKept = 16_384
  private var needs: [SensorCheck.Need] = []
  /// Of these it is only waited for the connection.
  private var recordings: [String] = []
  private var satisfied: Gate?

  init(_ names: some Sequence<String>) {
    sensors = Dictionary(uniqueKeysWithValues: names.map { ($0, Standing()) })
  }

  /// Whether every sensor has said whether it is connected.
  var isSettled: Bool { sensors.values.allSatisfy { $0.connection != nil } }

  /// Whether a listener has not heard every reading that had arrived.
  var isBehind: Bool {
    sensors.contains { name, standing in
      standing.taken < standing.goal
        || listeners.values.contains { $0.quiet == nil && ($0.tracks[name]?.heard ?? standing.goal) < standing.goal }
    }
  }

  // MARK: What sensors say

  /// Takes account of an event.
  mutating func take(_ event: SensorEvent, _ signs: SensorSigns, from name: String, at now: Moment) {
    guard var standing = sensors[name] else { return }
    // Out of the dictionary while it changes, so that nothing of it is copied.
    sensors[name] = nil
    switch event {
    case .connected:
      standing.connection = event
      standing.muteSince = now
      standing.signs = SensorSigns()
    case .lost, .ended:
      standing.connection = event
      standing.muteSince = nil
      standing.isMute = false
      standing.signs = SensorSigns()
    case .readings, .waveform:
      standing.muteSince = nil
      standing.isMute = false
    case .noted:
      let isKnown = event == Self.mute || standing.notes.contains(event)
      if !isKnown, standing.notes.count < Self.mostNotes { standing.notes.append(event) }
    case .unreadable, .skipped, .overflowed: break
    }
    standing.signs.add(signs)
    sensors[name] = standing
  }

  // MARK: Listeners

  /// Puts events where they are handed on from.
  mutating func enqueue(_ events: [SensorEvent], from name: String) {
    for event in events {
      sensors[name]?.taken += event.samples
      switch event {
      case .readings, .waveform: if keepsReadings { keep(event, of: name) }
      default: break
      }
    }
    for number in listeners.keys { enqueue(events, from: name, to: number) }
  }

  private mutating func enqueue(_ events: [SensorEvent], from name: String, to number: Int) {
    // Out of the dictionary while it changes, so that nothing of it is copied.
    guard listeners[number]?.quiet == nil, var track = listeners[number]?.tracks.removeValue(forKey: name) else {
      return
    }
    for event in events { track.outbox.add(event) }
    listeners[number]?.tracks[name] = track
  }

  private mutating func keep(_ event: SensorEvent, of name: String) {
    guard let kept = sensors[name]?.keptReadings else { return }
    if kept + event.samples <= Self.mostKept {
      sensors[name]?.kept.append(event)
      sensors[name]?.keptReadings += event.samples
    } else {
      sensors[name]?.unkept += event.samples
    }
  }

  /// Keeps the readings that come from now on for the next listener.
  mutating func keepReadings() { keepsReadings = true }

  /// What was kept of a sensor, with the count of what was not.
  private mutating func takeKept(of name: String) -> [SensorEvent] {
    guard let standing = sensors[name] else { return [] }
    sensors[name]?.kept = []
    sensors[name]?.keptReadings = 0
    sensors[name]?.unkept = 0
    return standing.kept + (standing.unkept > 0 ? [.overflowed(count: standing.unkept)] : [])
  }

  /// Gives events to one more listener from now on.
  ///
  /// - Returns: the listener's number, and how many events of each sensor the caller is to hand on.
  mutating func listen(_ listener: @escaping SensorHub.Listener) -> (number: Int, counts: [(name: String, count: Int)])
  {
    listenings += 1
    let number = listenings
    keepsReadings = false
    listeners[number] = Listening(
      listener: listener,
      tracks: sensors.mapValues { Track(heard: $0.taken - $0.keptReadings - $0.unkept) })
    let counts = sensors.keys.sorted().compactMap { name -> (name: String, count: Int)? in
      guard let standing = sensors[name] else { return nil }
      let events = [standing.connection, standing.isMute ? Self.mute : nil].compactMap(\.self) + standing.notes
      enqueue(events + takeKept(of: name), from: name, to: number)
      return (name, listeners[number]?.tracks[name]?.outbox.count ?? 0)
    }
    return (number, counts)
  }

  /// Delivers no events to a listener from now on.
  ///
  /// - Returns: what was not delivered, and a gate that opens when no delivery is under way; `nil` if none is.
  mutating func stopListening(_ number: Int) -> (missed: [String: Int], quiet: Gate?) {
    guard let listening = listeners[number] else { return ([:], nil) }
    var missed: [String: Int] = [:]
    for (name, track) in listening.tracks {
      let missing = max(0, (sensors[name]?.goal ?? 0) - track.heard) - track.inFlight
      var outbox = track.outbox
      let count = max(missing, outbox.clear())
      if count > 0 { missed[name] = count }
      listeners[number]?.tracks[name]?.outbox.clear()
    }
    guard listening.tracks.values.contains(where: \.isDelivering) else {
      listeners[number] = nil
      return (missed, nil)
    }
    let gate = listening.quiet ?? Gate()
    listeners[number]?.quiet = gate
    return (missed, gate)
  }

  /// What is to be handed on next of a sensor; `nil` when there is nothing.
  ///
  /// - Parameters:
  ///   - name: the sensor.
  ///   - number: the listener; `nil` for any.
  /// - Returns: the event with its listener, which is to be called outside of the lock.
  mutating func next(of name: String, to number: Int?) -> (SensorHub.Listener, SensorEvent)? {
    for number in number.map({ [$0] }) ?? listeners.keys.sorted() {
      guard let event = listeners[number]?.tracks[name]?.outbox.next(), let listener = listeners[number]?.listener
      else { continue }
      listeners[number]?.tracks[name]?.isDelivering = true
      listeners[number]?.tracks[name]?.inFlight = event.samples
      return (listener, event)
    }
    return nil
  }

  /// Counts what listeners have been told of a sensor as heard, and notes that nothing of it is being delivered now.
  ///
  /// - Returns: the gates of those who wait for the end of deliveries.
  mutating func countHeard(from name: String) -> [Gate] {
    listeners.keys.compactMap { number in
      guard let track = listeners[number]?.tracks[name], track.isDelivering else { return nil }
      listeners[number]?.tracks[name]?.heard += track.inFlight
      listeners[number]?.tracks[name]?.inFlight = 0
      listeners[number]?.tracks[name]?.isDelivering = false
      guard let gate = listeners[number]?.quiet,
        !(listeners[number]?.tracks.values.contains(where: \.isDelivering) ?? false)
      else { return nil }
      listeners[number] = nil
      return gate
    }
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
      if case .ended = sensors[need.sensor]?.connection { true } else { false }
    }
    let isMet = needs.allSatisfy { sensors[$0.sensor]?.signs.shows($0.quantity) ?? false }
    let areThere = recordings.allSatisfy { sensors[$0]?.connection != nil }
    // One sensor that is dead is enough to go no further.
    return isMet && areThere || isOver
  }
}
