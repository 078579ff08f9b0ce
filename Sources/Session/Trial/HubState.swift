import Basics
import Quantities
import Sensors

/// What a ``SensorHub`` knows, guarded by its lock; nothing here waits or calls anybody.
struct HubState: Sendable {
  /// What is known of one sensor.
  struct Standing: Sendable {
    /// The last event of its connection.
    var connection: SensorEvent?
    /// The notes on it since the hub began, each once, at most ``HubState/maxNotes``.
    var notes: [SensorEvent] = []
    /// What it has shown since it connected.
    var signs = SensorSigns()
    /// Since when it is connected and has sent no reading.
    var muteSince: Moment?
    /// Whether it was reported that it sends nothing.
    var isMute = false
    /// The number of events that came.
    var events = 0
    /// The number of samples in them, dropped ones included.
    var taken = 0
    /// How many samples the sensor had received when ``SensorHub/catchUp(within:)`` was called last.
    var goal = 0
    /// Samples that are kept for the next listener, and the number of those beyond the queue's limit.
    var kept: [SensorEvent] = []
    var keptSamples = 0
    var unkept = 0
  }

  /// What a listener has heard of one sensor.
  private struct Track: Sendable {
    /// The number of samples heard, those before the listener included.
    var heard: Int
    /// The number of the last event before the listener.
    let before: Int
    /// The state of the sensor and the kept samples, which the listener is told before any later event.
    var earlier: [SensorEvent]
    /// The number of samples that the listener is being told; `nil` while it is told nothing.
    var telling: Int?
  }

  /// A listener, and what it heard of each sensor, by the sensor's index.
  private struct Listening: Sendable {
    let number: Int
    let listener: SensorHub.Listener
    var tracks: [Track]
    /// Opens when the listener is told nothing any more; `nil` while it listens.
    var quiet: Gate?

    var isBeingTold: Bool { tracks.contains { $0.telling != nil } }
  }

  /// The maximum number of notes on a sensor that a later listener is told.
  static let maxNotes = 20

  /// The event for a sensor that has connected and sends nothing.
  static let mute = SensorEvent.noted("had sent no reading \(Int(SensorHub.muteness.seconds)) s after it connected")

  /// The sensors by name.
  private let names: [String]
  private let indices: [String: Int]
  private var sensors: [Standing]
  /// Opens when every sample that had arrived was heard; `nil` while nothing waits for it.
  var caughtUp: Gate?
  /// The listeners, by rising number.
  private var listeners: [Listening] = []
  private var listenings = 0
  /// Whether samples are kept for the next listener.
  private var keepsSamples = false
  private var needs: [SensorCheck.Need] = []
  /// Sensors that only need to connect: recordings.
  private var awaitedConnections: [String] = []
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

  // MARK: Events

  /// Takes account of an event.
  ///
  /// - Returns: the event's number; `nil` for a sensor that the hub does not have.
  mutating func take(_ event: SensorEvent, _ signs: SensorSigns, from name: String, at now: Moment) -> Int? {
    guard let index = indices[name] else { return nil }
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
      if keepsSamples { keep(event, of: index) }
    case .noted:
      let isKnown = event == Self.mute || sensors[index].notes.contains(event)
      if !isKnown, sensors[index].notes.count < Self.maxNotes { sensors[index].notes.append(event) }
    case .unreadable, .skipped, .overflowed, .clockMeasured: break
    }
    sensors[index].signs.add(signs)
    sensors[index].events += 1
    sensors[index].taken += event.samples
    return sensors[index].events
  }

  private mutating func keep(_ event: SensorEvent, of index: Int) {
    let limit = if case .waveform = event { SampleQueue.maxFrames } else { SampleQueue.maxSamples }
    guard sensors[index].keptSamples + event.samples <= limit else {
      sensors[index].unkept += event.samples
      return
    }
    sensors[index].kept.append(event)
    sensors[index].keptSamples += event.samples
  }

  /// Keeps the samples that come from now on for the next listener.
  mutating func keepSamples() { keepsSamples = true }

  // MARK: Listeners

  /// Adds a listener for every event from now on.
  ///
  /// - Returns: the listener's number.
  mutating func listen(_ listener: @escaping SensorHub.Listener) -> Int {
    listenings += 1
    keepsSamples = false
    let tracks = sensors.indices.map { index in
      let standing = sensors[index]
      (sensors[index].kept, sensors[index].keptSamples, sensors[index].unkept) = ([], 0, 0)
      let state = [standing.connection, standing.isMute ? Self.mute : nil].compactMap(\.self) + standing.notes
      let unkept = standing.unkept > 0 ? [SensorEvent.overflowed(count: standing.unkept)] : []
      return Track(
        heard: standing.taken - standing.keptSamples - standing.unkept, before: standing.events,
        earlier: state + standing.kept.flatMap(\.pieces) + unkept)
    }
    listeners.append(Listening(number: listenings, listener: listener, tracks: tracks))
    return listenings
  }

  /// Delivers no events to a listener from now on.
  ///
  /// - Returns: how many samples it was not told, and a gate that opens when it is told nothing any more; `nil` if that is
  ///   so already.
  mutating func stopListening(_ number: Int) -> (missed: [String: Int], quiet: Gate?) {
    guard let place = listeners.firstIndex(where: { $0.number == number }) else { return ([:], nil) }
    var missed: [String: Int] = [:]
    for (name, (standing, track)) in zip(names, zip(sensors, listeners[place].tracks)) {
      let count = max(standing.goal, standing.taken) - track.heard - (track.telling ?? 0)
      if count > 0 { missed[name] = count }
    }
    guard listeners[place].isBeingTold else {
      listeners.remove(at: place)
      return (missed, nil)
    }
    let gate = listeners[place].quiet ?? Gate()
    listeners[place].quiet = gate
    return (missed, gate)
  }

  /// The listeners that are told something of a sensor.
  ///
  /// - Parameters:
  ///   - name: the sensor.
  ///   - event: the number of the event that is delivered.
  /// - Returns: the number of each listener, and whether it hears the event; it does not where it came after the event.
  func audience(of name: String, event: Int) -> [(listener: Int, hearsEvent: Bool)] {
    guard let index = indices[name] else { return [] }
    return listeners.filter { $0.quiet == nil }.map { ($0.number, $0.tracks[index].before < event) }
  }

  /// Removes the events that a listener is told before any later one.
  mutating func takeEarlier(of name: String, for number: Int) -> [SensorEvent] {
    guard let (place, index) = track(of: name, number) else { return [] }
    defer { listeners[place].tracks[index].earlier = [] }
    return listeners[place].tracks[index].earlier
  }

  /// Begins to tell a listener an event.
  ///
  /// - Returns: the listener, which is called outside of the lock; `nil` for one that was stopped.
  mutating func beginTelling(_ event: SensorEvent, of name: String, to number: Int) -> SensorHub.Listener? {
    guard let (place, index) = track(of: name, number), listeners[place].quiet == nil else { return nil }
    listeners[place].tracks[index].telling = event.samples
    return listeners[place].listener
  }

  /// Counts the event that a listener was told as heard.
  ///
  /// - Returns: the gates of those who wait for that.
  mutating func endTelling(of name: String, to number: Int) -> [Gate] {
    guard let (place, index) = track(of: name, number) else { return [] }
    listeners[place].tracks[index].heard += listeners[place].tracks[index].telling ?? 0
    listeners[place].tracks[index].telling = nil
    var gates = [takeCaughtUp()].compactMap(\.self)
    if let gate = listeners[place].quiet, !listeners[place].isBeingTold {
      listeners.remove(at: place)
      gates.append(gate)
    }
    return gates
  }

  private func track(of name: String, _ number: Int) -> (place: Int, index: Int)? {
    guard let index = indices[name], let place = listeners.firstIndex(where: { $0.number == number }) else {
      return nil
    }
    return (place, index)
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
    awaitedConnections = recordings
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
    awaitedConnections = []
    satisfied = nil
  }

  private var isSatisfied: Bool {
    let isOver = needs.contains { need in
      if case .ended = self[need.sensor]?.connection { true } else { false }
    }
    let isMet = needs.allSatisfy { self[$0.sensor]?.signs.shows($0.quantity) ?? false }
    let areThere = awaitedConnections.allSatisfy { self[$0]?.connection != nil }
    // One sensor that is dead is enough to go no further.
    return isMet && areThere || isOver
  }
}
