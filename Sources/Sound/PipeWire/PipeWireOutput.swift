import Basics
import CPipeWire
import Quantities
import Study
import Synchronization

/// A filter of ours, linked to a sink of a PipeWire graph and to nothing else, which plays one stimulus at a time.
final class PipeWireOutput: Sendable {
  let connection: PipeWireConnection
  let engine: CycleEngine
  /// The sink's identifier.
  let sink: UInt32
  let sinkName: String
  /// The positions of the sink's ports.
  let ports: [String]
  private let outputLatency: OutputLatency
  private let state = Mutex(State())

  struct State: Sendable {
    var performance: Performance?
    /// The volume at first; later ones are disturbances.
    var reference: SpeakerVolume?
    var volume: SpeakerVolume?
    /// How the clock is read, as far as the engine knows.
    var course: Graph.Course?
    /// Our filter, once the server has made it.
    var filter = UInt32.max
    /// Our links from the filter to the sink, one for each port.
    var links: Set<UInt32> = []
    /// Whether the filter has cycles, and whether the server keeps its sound back all the same.
    var isStreaming = true
    var isSuspended = false
    /// When one of them was removed; that of a sink which goes away is removed before it.
    var unlinked: Moment?
    var failure: SoundServerError?
    var scanned: Int?
  }

  struct Performance: Sendable {
    var playout: GraphPlayout
    var feed: SampleFeed
    let events: AsyncStream<PlaybackEvent>.Continuation
  }

  /// The number of frames that are prepared when a stimulus is handed over, and at most with each later step.
  static let portion = 1 << 15

  init(
    on connection: PipeWireConnection, sink: UInt32, named name: String, ports: [String], outputLatency: OutputLatency
  ) throws(SoundServerError) {
    self.connection = connection
    self.sink = sink
    sinkName = name
    self.ports = ports
    self.outputLatency = outputLatency
    engine = try CycleEngine(ports: ports.count)
  }

  /// Why the output is lost; `nil` while it can play.
  var failure: SoundServerError? { state.withLock { $0.failure } ?? connection.failure }

  /// Whether the graph has had no cycle for so long that a sound in it counts as lost.
  var isStill: Bool {
    engine.status.finished.map { $0.duration(to: MonotonicClock().now) > GraphPlayout.patience } ?? false
  }

  /// How often the card had been started again when it was last scanned; `nil` before that.
  var scanned: Int? {
    get { state.withLock { $0.scanned } }
    set { state.withLock { $0.scanned = newValue } }
  }

  var filter: UInt32 { state.withLock { $0.filter } }

  var volume: SpeakerVolume? { state.withLock { $0.volume } }

  /// Ends the connection and whatever plays.
  func close() {
    connection.close()
    let performance = state.withLock { $0.performance.take() }
    performance?.events.finish()
  }

  // MARK: Playing

  /// Tells the engine what is known of the sink and of the node that drives the graph; `false` if it is the same as before.
  @discardableResult
  func tune() -> Bool {
    let graph = connection.graph
    return state.withLock { $0.tune(self, graph) }
  }

  var course: Graph.Course { connection.graph.course(of: sink, after: engine.status) }

  /// Hands a stimulus to the engine, whose first frames are prepared here.
  func play(_ stimulus: Stimulus, at moment: Moment) throws -> AsyncStream<PlaybackEvent> {
    if let failure { throw failure }
    // Another device may have been linked since.
    tune()
    let rate = clock.rate
    var feed = try SampleFeed(stimulus, rate: rate, ports: ports)
    let first = feed.next(Self.portion)
    // What the user set for the sink counts, as it does on PulseAudio.
    let offset = course.offset
    var latency = outputLatency
    latency.latency += offset
    let playout = GraphPlayout(
      stimulus.format, frames: stimulus.frames, rate: rate, outputLatency: latency, now: MonotonicClock().now)
    let (events, continuation) = AsyncStream.makeStream(of: PlaybackEvent.self)
    let graph = connection.graph
    let problem = unsafe connection.locked { _ -> SoundServerError? in
      state.withLock { state in
        if let failure = state.failure { return failure }
        if let silence = silence(graph) { return silence }
        if state.performance != nil {
          return SoundServerError(action: "play", reason: "another stimulus is still playing")
        }
        guard engine.load(due: moment.advanced(by: .zero - offset), frames: feed.frames, rate: rate) else {
          return SoundServerError(action: "play", reason: "the graph has not ended the last sound yet")
        }
        engine.write(first)
        engine.start()
        var performance = Performance(playout: playout, feed: feed, events: continuation)
        if state.isSuspended { _ = performance.playout.disturbed(.suspended) }
        if let volume = state.volume, volume != state.reference {
          _ = performance.playout.disturbed(.volumeChanged(to: volume))
        }
        state.performance = performance
        return nil
      }
    }
    guard let problem else { throw SoundServerError(action: "play", reason: "the speaker is closed") }
    if let problem { throw problem }
    return events
  }

  func stop(fade: Duration) {
    let frames = Frames(nanoseconds: fade.nanoseconds, rate: clock.rate).count
    unsafe connection.locked { _ in if state.withLock({ $0.performance != nil }) { engine.stop(fade: frames) } }
  }

  // MARK: The server's messages

  /// Takes a message, on the connection's thread with its lock held.
  func take(_ message: GraphMessage) {
    let graph = connection.graph
    let failure = connection.failure
    let (events, listener) = state.withLock { state -> ([PlaybackEvent], AsyncStream<PlaybackEvent>.Continuation?) in
      let listener = state.performance?.events
      var events = state.take(message, on: self, graph)
      if let failure, state.performance != nil { events += state.fail(failure) }
      events += state.advance(self, graph)
      return (events, listener)
    }
    var isOver = false
    for event in events {
      listener?.yield(event)
      switch event {
      case .ended, .failed: isOver = true
      case .started, .disturbed: break
      }
    }
    if isOver { listener?.finish() }
  }

  /// Why the sink is inaudible; `nil` if it is audible.
  func silence(_ graph: Graph) -> SoundServerError? {
    guard let node = graph.nodes[sink], let volume = node.speakerVolume, volume.isSilent else { return nil }
    let (reason, advice) =
      node.isMuted
      ? ("the sink “\(sinkName)” is muted", "unmute it with `wpctl set-mute \(sink) 0`")
      : ("the volume of the sink “\(sinkName)” is zero", "raise it with `wpctl set-volume \(sink) 1`")
    return SoundServerError(action: "play through “\(sinkName)”", reason: reason, advice: advice)
  }

  /// Takes the filter, its links, and the volume that later ones are compared with: the present one where none is given.
  func begin(filter: UInt32, volume: SpeakerVolume?) throws(SoundServerError) {
    // No message comes in between.
    let isWhole = unsafe connection.locked { _ in
      let graph = connection.graph
      return state.withLock { state in
        state.filter = filter
        state.links = graph.activeLinks.filter { graph.links[$0] == Graph.Link(output: filter, input: sink) }
        state.volume = graph.nodes[sink]?.speakerVolume
        state.reference = volume ?? state.volume
        return state.links.count == ports.count
      }
    }
    guard isWhole == true else {
      throw failure ?? .link(to: sinkName, "a link to the sink “\(sinkName)” was removed, or passes no sound on")
    }
  }
}

extension PipeWireOutput.State {
  /// Tells the engine how the clock is read, with another driver if the last cycle's status does not have it yet; `false` if
  /// nothing is new.
  @discardableResult
  fileprivate mutating func tune(_ output: PipeWireOutput, _ graph: Graph, _ driver: UInt32? = nil) -> Bool {
    var status = output.engine.status
    status.driver = driver ?? status.driver
    let new = graph.course(of: output.sink, after: status)
    guard new != course else { return false }
    course = new
    output.engine.tune(cardRate: new.cardRate, new.timing, isDriver: new.driver == output.sink)
    return true
  }

  /// How long after a link's removal that of its sink may be told.
  private static let grace = Duration.milliseconds(10)

  /// Fills the engine's buffer and gives the events that are due.
  fileprivate mutating func advance(_ output: PipeWireOutput, _ graph: Graph) -> [PlaybackEvent] {
    guard var performance else { return [] }
    var events: [PlaybackEvent] = []
    while let event = output.engine.next() {
      if case .driverChanged(let driver) = event { tune(output, graph, driver) }
      events += performance.playout.take(event)
    }
    let room = min(output.engine.room, PipeWireOutput.portion)
    // Many frames at once cost less than the few of each tick.
    if room >= PipeWireOutput.portion / 2, output.engine.isBusy {
      output.engine.write(performance.feed.next(room))
      // The end of a clip that is decoded meanwhile is known by now, or later.
      output.engine.limit(performance.feed.frames)
      performance.playout.frames = performance.feed.ownFrames
    }
    events += performance.playout.due(
      now: MonotonicClock().now, worked: output.engine.status.finished, sink: output.sinkName)
    events += performance.playout.others(graph.programs(on: output.sink, besides: filter))
    self.performance = performance.playout.isOver ? nil : performance
    if performance.playout.isOver, output.engine.isBusy { output.engine.stop(fade: 1) }
    return events
  }

  fileprivate mutating func take(
    _ message: GraphMessage, on output: PipeWireOutput, _ graph: Graph
  ) -> [PlaybackEvent] {
    switch message {
    case .removed(output.sink):
      return fail(
        SoundServerError(action: "go on playing", reason: "the sink went away", advice: "look for the sound card"))
    case .removed(let id) where links.contains(id): unlinked = unlinked ?? MonotonicClock().now
    case .tick:
      guard let unlinked, unlinked.duration(to: MonotonicClock().now) > Self.grace else { return [] }
      return fail(.link(to: output.sinkName, "the link to the sink “\(output.sinkName)” was removed"))
    case .linkState(let id, _) where links.contains(id): return suspension(graph)
    case .link(_, let link) where link.output == filter:
      if link.input != output.sink { return disturbed(.moved(to: graph.nodes[link.input]?.name ?? "unknown")) }
    case .filterState(let number, let reason) where filter != .max:
      if number < 0 {
        let reason = SoundServerError.refusal(of: "the stream", reason)
        return fail(SoundServerError(action: "go on playing", reason: reason))
      }
      isStreaming = number == 3
      return suspension(graph)
    case .volume(output.sink, _, _): return volumeChanged(to: graph.nodes[output.sink]?.speakerVolume)
    default: break
    }
    return []
  }

  /// Reports once that the server keeps the sound back, and that it passes it on again.
  private mutating func suspension(_ graph: Graph) -> [PlaybackEvent] {
    let isNow = !isStreaming || !links.isSubset(of: graph.activeLinks)
    guard isNow != isSuspended else { return [] }
    isSuspended = isNow
    return disturbed(isNow ? .suspended : .resumed)
  }

  private mutating func volumeChanged(to new: SpeakerVolume?) -> [PlaybackEvent] {
    let old = volume
    volume = new
    guard let old, let new, old != new else { return [] }
    var events: [PlaybackEvent] = []
    if old.isSilent != new.isSilent { events += disturbed(new.isSilent ? .muted : .unmuted) }
    if !new.isSilent, !old.isSilent || new != reference { events += disturbed(.volumeChanged(to: new)) }
    return events
  }

  private mutating func disturbed(_ disturbance: Disturbance<Moment>) -> [PlaybackEvent] {
    performance?.playout.disturbed(disturbance) ?? []
  }

  fileprivate mutating func fail(_ error: SoundServerError) -> [PlaybackEvent] {
    failure = failure ?? error
    return performance?.playout.fail(error.description) ?? []
  }
}

extension SoundServerError {
  fileprivate static func link(to sink: String, _ reason: String) -> SoundServerError {
    SoundServerError(
      action: "play through “\(sink)”", reason: reason, advice: "leave the links of “station” as they are")
  }

  /// The reason where PipeWire refuses something, with its own if it gives one.
  static func refusal(of object: String, _ reason: String) -> String {
    "PipeWire refuses \(object)" + (reason.isEmpty ? "" : ": \(reason)")
  }
}

extension Graph.Node {
  /// Its volume as that of a speaker, whose stream has none of its own; `nil` if it has none.
  ///
  /// A card's mixer is part of it: PipeWire's ALSA device passes its route's whole volume on to the node
  /// (`spa/plugins/alsa/alsa-acp-device.c`).
  var speakerVolume: SpeakerVolume? {
    volume.isEmpty ? nil : SpeakerVolume(sink: volume, isSinkMuted: isMuted, stream: [], isStreamMuted: false)
  }
}
