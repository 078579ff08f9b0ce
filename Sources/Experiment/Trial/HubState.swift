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
    /// How many readings were heard, those included that it dropped.
    var heard = 0
    /// How many had arrived when everybody was asked to catch up.
    var goal = 0
    /// What the listener has not heard yet.
    var outbox = Outbox()
    /// Whether the listener is being told one of its events.
    var isDelivering = false
    /// Readings that are kept for the next listener, and how many were too many for that.
    var kept: [SensorEvent] = []
    var keptReadings = 0
    var unkept = 0
    /// How many readings the listener is being told at the moment.
    var inFlight = 0

    var missed: Int { max(0, goal - heard) }
  }

  /// So many notes of a sensor are told to a listener that comes later.
  static let mostNotes = 20

  /// The event for a sensor that has connected and sends nothing.
  static let mute = SensorEvent.noted("had sent no reading \(Int(SensorHub.muteness.seconds)) s after it connected")

  var sensors: [String: Standing]
  /// Opens when every reading that had arrived was heard; `nil` while nothing waits for it.
  var caughtUp: Gate?
  private var listener: SensorHub.Listener?
  /// Whether readings without a listener are kept for the next one.
  private var keepsReadings = false

  /// So many readings or frames of a sensor are kept, seconds of one that does not flood; the others are counted as
  /// dropped.
  static let mostKept = 16_384
  private var needs: [SensorCheck.Need] = []
  /// Of these it is only waited for the connection.
  private var recordings: [String] = []
  private var satisfied: Gate?
  private var quiet: Gate?

  init(_ names: some Sequence<String>) {
    sensors = Dictionary(uniqueKeysWithValues: names.map { ($0, Standing()) })
  }

  /// Whether every sensor has said whether it is connected.
  var isSettled: Bool { sensors.values.allSatisfy { $0.connection != nil } }

  /// How many readings that had arrived are not heard yet, by sensor.
  var missed: [String: Int] { sensors.compactMapValues { $0.missed > 0 ? $0.missed : nil } }

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

  // MARK: The listener

  /// Puts events where they are handed on from.
  mutating func enqueue(_ events: [SensorEvent], from name: String) {
    guard listener != nil else {
      // There is no listener now.
      for event in events {
        switch event {
        case .readings, .waveform:
          if keepsReadings { keep(event, of: name) } else { sensors[name]?.heard += event.samples }
        default: sensors[name]?.heard += event.samples
        }
      }
      return
    }
    guard var standing = sensors[name] else { return }
    sensors[name] = nil
    for event in events { standing.outbox.add(event) }
    sensors[name] = standing
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

  /// Gives events to a listener from now on.
  ///
  /// - Returns: how many events of each sensor the caller is to hand on.
  mutating func listen(_ listener: @escaping SensorHub.Listener) -> [(name: String, count: Int)] {
    self.listener = listener
    keepsReadings = false
    return sensors.keys.sorted().compactMap { name in
      guard let standing = sensors[name] else { return nil }
      let events = [standing.connection, standing.isMute ? Self.mute : nil].compactMap(\.self) + standing.notes
      enqueue(events + takeKept(of: name), from: name)
      return (name, sensors[name]?.outbox.count ?? 0)
    }
  }

  /// Delivers no events from now on.
  ///
  /// - Returns: what was not delivered, and a gate that opens when no delivery is under way; `nil` if none is.
  mutating func stopListening() -> (missed: [String: Int], quiet: Gate?) {
    listener = nil
    var missed: [String: Int] = [:]
    for name in sensors.keys {
      let left = sensors[name]?.outbox.clear() ?? 0
      let missing = (sensors[name]?.missed ?? 0) - (sensors[name]?.inFlight ?? 0)
      let count = max(missing, left)
      if count > 0 { missed[name] = count }
      sensors[name]?.heard += left
    }
    guard sensors.values.contains(where: \.isDelivering) else { return (missed, nil) }
    let gate = quiet ?? Gate()
    quiet = gate
    return (missed, gate)
  }

  /// What is to be handed on next; `nil` when there is nothing.
  mutating func next(of name: String) -> (SensorHub.Listener, SensorEvent)? {
    guard let listener, let event = sensors[name]?.outbox.next() else {
      return rest(of: name)
    }
    sensors[name]?.isDelivering = true
    sensors[name]?.inFlight = event.samples
    return (listener, event)
  }

  /// Notes that no event of this sensor is being delivered now.
  mutating func rest(of name: String) -> (SensorHub.Listener, SensorEvent)? {
    sensors[name]?.isDelivering = false
    return nil
  }

  /// Counts what the listener has been told as heard.
  mutating func countHeard(from name: String) {
    guard let count = sensors[name]?.inFlight, count > 0 else { return }
    sensors[name]?.heard += count
    sensors[name]?.inFlight = 0
  }

  // MARK: Who waits

  /// The gate of those who wait until everything is heard, when it is.
  mutating func takeCaughtUp() -> Gate? {
    guard caughtUp != nil, missed.isEmpty else { return nil }
    defer { caughtUp = nil }
    return caughtUp
  }

  /// The gate that waits for the end of deliveries, if none is under way any more.
  mutating func takeQuiet() -> Gate? {
    guard quiet != nil, !sensors.values.contains(where: \.isDelivering) else { return nil }
    defer { quiet = nil }
    return quiet
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
