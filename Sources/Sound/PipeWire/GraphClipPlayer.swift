import Basics
package import Quantities
import Study
import Synchronization

/// Plays one clip immediately on PipeWire, decoding as it goes: for listening, where a fast start matters more than an
/// exact onset.
package final class GraphClipPlayer: Sendable {
  private let connection: PipeWireConnection
  private let target: UInt32
  private let thread: CallingThread?
  private let isStopping = Atomic(false)

  /// The length of the ramp to silence after a stop.
  private static let fade = Duration.milliseconds(50)
  /// The interval of progress reports, and the interval without any: the longest times until a stop is noticed.
  private static let pulse: (shown: Duration, unseen: Duration) = (.milliseconds(100), .milliseconds(250))
  /// The longest time without a cycle of the graph.
  private static let limit = Duration.seconds(2)
  /// The number of frames that are decoded together.
  private static let piece = 8 * 1152

  /// Connects to a server and finds a sink.
  ///
  /// - Parameters:
  ///   - remote: the server's socket, by name or path; `nil` for the user's own. No server is started.
  ///   - sink: the sink's name; `nil` takes the default.
  ///   - thread: the thread that waits while it plays; `nil` for those of the tasks.
  /// - Throws: ``SoundServerError`` if there is no server or no such sink.
  package init(remote: String? = nil, sink: String? = nil, on thread: CallingThread? = nil) async throws {
    self.thread = thread
    connection = try PipeWireConnection(to: remote)
    do {
      try await connection.settle()
      target = try connection.graph.sink(named: sink, refusingNull: false)
    } catch {
      connection.close()
      throw error
    }
  }

  deinit { connection.close() }

  /// Ends the sound with a ramp to silence, from any thread.
  package func stop() { isStopping.store(true, ordering: .relaxed) }

  /// Plays a file and returns when its last frame has been played.
  ///
  /// - Parameters:
  ///   - reader: the file, opened and not yet read.
  ///   - frames: the maximum number of frames to play.
  ///   - progress: called with the time played so far, about ten times per second; it never decreases. `nil` saves
  ///     processor time.
  ///   - opened: called with the output before playback.
  /// - Returns: the number of frames played.
  /// - Throws: ``SoundServerError`` if the sound is lost; ``ClipError`` if decoding fails.
  package func play(
    _ reader: inout ClipReader, frames: Int = .max, progress: ((Duration) -> Void)? = nil,
    opened: (SpeakerDescription) -> Void = { _ in }
  ) async throws -> Int {
    let output = try await PipeWireOutput.open(on: connection, sink: target, isPunctual: false)
    defer { output.close() }
    if let silence = output.silence(connection.graph) { throw silence }
    opened(description(output))
    let engine = output.engine
    let (rate, begun) = (output.rate, MonotonicClock().now)
    var source = ClipPieces(
      frames: frames, mix: ChannelMix(channels: reader.format.channels, ports: output.ports), format: reader.format,
      change: reader.format.sampleRate == rate
        ? nil : try RateChange(from: reader.format.sampleRate, to: rate, channels: reader.format.channels))
    guard engine.load(due: Moment(nanoseconds: 0), frames: .max, rate: rate) else {
      throw SoundServerError(action: "play", reason: "the graph has not ended the last sound yet")
    }
    let pulse = progress == nil ? Self.pulse.unseen : Self.pulse.shown
    var isStarted = false
    var fading = false
    while engine.isBusy {
      if let failure = output.failure { throw failure }
      let status = engine.status
      if (status.finished ?? begun).duration(to: MonotonicClock().now) > Self.limit {
        throw SoundServerError(
          action: "go on playing", reason: "the sink “\(output.sinkName)” plays nothing",
          advice: "see whether `pw-top` shows it running, or choose another with --speaker")
      }
      if isStopping.load(ordering: .relaxed), !fading {
        fading = true
        engine.stop(fade: Frames(nanoseconds: Self.fade.nanoseconds, rate: rate).count)
      }
      while !source.isOver, engine.room > 4 * Self.piece {
        engine.write(try source.next(Self.piece, from: &reader))
        if source.isOver { engine.limit(source.written) }
        if !isStarted {
          isStarted = true
          engine.start()
        }
      }
      let consumed = engine.consumed(of: source.written)
      progress?(SoundFormat(sampleRate: rate, channels: 1).duration(of: consumed))
      let rest = source.isOver ? Duration.nanoseconds(Frames(source.written - consumed).nanoseconds(rate: rate)) : pulse
      // The last cycle is reported by the one after it.
      try await sleep(until: MonotonicClock().now.advanced(by: min(pulse, max(rest, status.cycle))))
    }
    return try await ended(output, source, reader.format, rate)
  }

  /// Waits until the sound has left the sink; returns the number of the clip's frames that were played.
  private func ended(
    _ output: PipeWireOutput, _ source: ClipPieces, _ format: SoundFormat, _ rate: Int
  ) async throws -> Int {
    while let event = output.engine.next() {
      switch event {
      case .ended(let end, let played):
        try await sleep(until: end.moment)
        return played >= source.written ? source.taken : SampleFeed.frames(played, from: rate, to: format.sampleRate)
      case .rateChanged(let other):
        throw SoundServerError(
          action: "go on playing", reason: "the graph of PipeWire changed its rate from \(rate) to \(other) Hz",
          advice: "play it again")
      case .started, .lost, .shifted, .driverChanged: continue
      }
    }
    // It was stopped before it began.
    return 0
  }

  private func sleep(until end: Moment) async throws {
    guard let thread else { return try await MonotonicClock().sleep(until: end, tolerance: nil) }
    await thread.sleep(until: end)
  }

  private func description(_ output: PipeWireOutput) -> SpeakerDescription {
    let node = connection.graph.nodes[target] ?? Graph.Node()
    return SpeakerDescription(
      SpeakerFacts(
        kind: SpeakerFacts.pipeWire, sink: node.name, sinkRate: output.rate, quantum: output.quantum,
        isAudible: !node.isNull),
      sinkDescription: node.description, lead: .zero)
  }
}

/// The pieces of a clip as they are decoded, for the ports of a sink at the graph's rate.
private struct ClipPieces {
  /// The largest number of the clip's frames to take.
  let frames: Int
  let mix: ChannelMix
  let format: SoundFormat
  let change: RateChange?
  /// The number of the clip's frames taken.
  private(set) var taken = 0
  /// The number of frames given.
  private(set) var written = 0
  private(set) var isOver = false

  init(frames: Int, mix: ChannelMix, format: SoundFormat, change: RateChange?) {
    (self.frames, self.mix, self.format, self.change) = (frames, mix, format, change)
  }

  /// The next piece, of so many of the clip's frames.
  mutating func next(_ count: Int, from reader: inout ClipReader) throws -> [Float] {
    var samples: [Float] = []
    let wanted = min(count, frames - taken)
    let read = wanted > 0 ? try reader.read(upTo: wanted, into: &samples) : 0
    taken += read
    isOver = read < count
    var changed: [Float] = []
    if let change {
      pass(samples, through: change, into: &changed)
      if isOver { pass([], through: change, into: &changed, isEnd: true) }
    } else {
      changed = samples
    }
    var output: [Float] = []
    output.reserveCapacity(changed.count / format.channels * mix.gains.count)
    mix.mix(changed[...], channels: format.channels, into: &output)
    written += changed.count / format.channels
    return output
  }

  private func pass(_ samples: [Float], through change: RateChange, into output: inout [Float], isEnd: Bool = false) {
    var rest = samples[...]
    while true {
      let (taken, given) = change.pass(rest, into: &output, room: 8192, isEnd: isEnd)
      rest = rest.dropFirst(taken * format.channels)
      if given == 0, rest.isEmpty || taken == 0 { return }
    }
  }
}
