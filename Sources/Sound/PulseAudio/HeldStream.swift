import CPulse
import Quantities

/// A stream that is kept open and fed with silence, onto which one stimulus at a time is placed.
///
/// Everything here happens on PulseAudio's thread or while it is held. PulseAudio holds the object until the stream
/// has ended; the connection is not held, because it must not end on its own thread.
@safe final class HeldStream: Sendable {
  /// What the stream carries.
  let format: SoundFormat
  /// Set once when the stream was opened, and freed with the object; PulseAudio's lock guards it.
  nonisolated(unsafe) private let state: UnsafeMutablePointer<State>

  @safe private struct State {
    var stream: OpaquePointer?
    /// The loop's functions and the two timers that they made: for what comes next, and for what does not come.
    var api: UnsafePointer<pa_mainloop_api>?
    var timer: OpaquePointer?
    var watchdog: OpaquePointer?
    var timeline: Timeline
    /// The frames that were handed to the server.
    var written = 0
    var station: Playout.Station
    var opening: Once<Void>?
    var performance: Performance?
    /// Why the stream ended.
    var failure: PulseAudioError?
  }

  /// A stimulus under way.
  private struct Performance {
    var playout: Playout
    let samples: StimulusSamples
    let events: AsyncStream<PlaybackEvent>.Continuation
    var placed: Once<Void>?
  }

  private init(_ format: SoundFormat, _ station: Playout.Station) {
    self.format = format
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State(timeline: Timeline(channels: format.channels), station: station))
  }

  deinit {
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }
}

// MARK: - Opening and closing

extension HeldStream {
  /// What the stream asks the server to hold ready, sink and stream together.
  private static let target: pa_usec_t = 100_000
  /// How long it waits for the silence to be played.
  private static let patience = Duration.seconds(5)

  /// Opens a stream to a sink and waits until its silence is really played, for five seconds at most.
  static func open(
    _ format: SoundFormat, to sink: SinkFacts, on connection: PulseConnection, outputLatency: Int64
  ) async throws -> HeldStream {
    let station = Playout.Station(
      rate: format.sampleRate, sinkLatency: 0,
      resolution: resolution(of: format, on: sink), outputLatency: outputLatency, sink: sink.name)
    let held = HeldStream(format, station)
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      let opening = Once(continuation)
      connection.locked { held.connect(to: sink, on: connection, opening) }
    }
    return held
  }

  /// What a moment is rounded to: the sink's frame, the microsecond, and where the server resamples also its own frame.
  private static func resolution(of format: SoundFormat, on sink: SinkFacts) -> Int64 {
    let frame = 1_000_000_000 / Int64(max(sink.sampleRate, 1))
    return sink.sampleRate == format.sampleRate ? frame + 2000 : 2 * frame + 2000
  }

  private func connect(to sink: SinkFacts, on connection: PulseConnection, _ opening: Once<Void>) {
    let action = "open a stream of \(format.sampleRate) Hz and \(format.channels) channels to “\(sink.name)”"
    var specification = pa_sample_spec(
      format: PA_SAMPLE_FLOAT32LE, rate: UInt32(clamping: format.sampleRate), channels: UInt8(clamping: format.channels)
    )
    guard unsafe pa_sample_spec_valid(&specification) != 0,
      let stream = unsafe pa_stream_new(connection.context, "stimulus", &specification, nil)
    else { return opening.finish(.failure(connection.lastError(action))) }
    let box = Retained(self)
    unsafe state.pointee.stream = stream
    unsafe state.pointee.timer = pa_context_rttime_new(connection.context, .max, timerFired, box.pointer)
    unsafe state.pointee.watchdog = pa_context_rttime_new(
      connection.context, Self.microseconds(MonotonicClock().now.advanced(by: Self.patience)), watchdogFired,
      box.pointer)
    unsafe state.pointee.api = connection.api
    unsafe state.pointee.opening = opening
    unsafe pa_stream_set_state_callback(stream, streamChanged, box.pointer)
    unsafe pa_stream_set_write_callback(stream, streamWants, box.pointer)
    unsafe pa_stream_set_underflow_callback(stream, streamRanDry, box.pointer)
    unsafe pa_stream_set_moved_callback(stream, streamMoved, box.pointer)
    unsafe pa_stream_set_suspended_callback(stream, streamSuspended, box.pointer)
    // Without `prebuf` the stream runs from the start, and goes on by itself after a gap with its frames in place.
    var buffering = unsafe pa_buffer_attr(
      maxlength: .max, tlength: UInt32(clamping: pa_usec_to_bytes(Self.target, &specification)), prebuf: 0,
      minreq: .max, fragsize: .max)
    var flags = PA_STREAM_ADJUST_LATENCY.rawValue | PA_STREAM_START_UNMUTED.rawValue
    if sink.channels == format.channels { flags |= PA_STREAM_NO_REMAP_CHANNELS.rawValue }
    let result = unsafe pa_stream_connect_playback(
      stream, sink.name, &buffering, pa_stream_flags_t(rawValue: flags), nil, nil)
    if result < 0 {
      unsafe state.pointee.opening = nil
      opening.finish(.failure(connection.lastError(action)))
      ended(by: nil)
    }
  }

  /// Ends the stream; a stimulus under way fails.
  func close() {
    guard let stream = unsafe state.pointee.stream else { return }
    unsafe pa_stream_disconnect(stream)
  }

  /// Why the stream ended; `nil` while it runs.
  var failure: PulseAudioError? { unsafe state.pointee.failure }

  /// How far ahead a stimulus must be handed over to sound in time.
  var lead: Duration { unsafe .nanoseconds(state.pointee.station.placement + 10_000_000) }

  func stateChanged() {
    guard let stream = unsafe state.pointee.stream else { return }
    switch unsafe pa_stream_get_state(stream) {
    case PA_STREAM_READY:
      // It comes too late where the opening was given up.
      if unsafe state.pointee.failure != nil { close() } else { ask() }
    case PA_STREAM_FAILED:
      let code = unsafe pa_context_errno(pa_stream_get_context(stream))
      ended(by: .lost(code))
    case PA_STREAM_TERMINATED:
      ended(by: PulseAudioError(action: "go on playing", reason: "the speaker was closed"))
    default: break
    }
  }

  /// The one place where PulseAudio lets go of the stream and of this object.
  private func ended(by failure: PulseAudioError?) {
    guard let stream = unsafe state.pointee.stream else { return }
    unsafe state.pointee.stream = nil
    let failure = failure ?? PulseAudioError(action: "play", reason: "the stream was not opened")
    unsafe state.pointee.failure = failure
    if let api = unsafe state.pointee.api {
      if let timer = unsafe state.pointee.timer.take() { unsafe cpulse_free_timer(api, timer) }
      if let watchdog = unsafe state.pointee.watchdog.take() { unsafe cpulse_free_timer(api, watchdog) }
    }
    unsafe pa_stream_set_state_callback(stream, nil, nil)
    unsafe pa_stream_unref(stream)
    unsafe state.pointee.opening.take()?.finish(.failure(failure))
    if let performance = unsafe state.pointee.performance.take() {
      if let placed = performance.placed {
        placed.finish(.failure(failure))
      } else {
        performance.events.yield(.failed(reason: failure.description))
      }
      performance.events.finish()
    }
    Retained.release(self)
  }
}

// MARK: - Feeding

extension HeldStream {
  /// How much of a stimulus is handed over beyond what the server asks for, in bytes; it takes 4 MiB at most.
  ///
  /// The server asks again when that is played, so a busy machine can harm the sound only for moments seconds apart.
  private static let provision = 1 << 20

  /// Hands the server as many frames as it asks for, and more of a stimulus.
  func feed(bytes: Int) {
    let frameSize = format.channels * MemoryLayout<Float>.stride
    let wanted = unsafe state.pointee.written + bytes / frameSize
    let ahead = unsafe min(state.pointee.timeline.stimulus.upperBound, wanted + Self.provision / frameSize)
    write(through: max(wanted, ahead))
    if unsafe state.pointee.performance?.playout.isDry == true { ask() }
  }

  /// Writes the timeline from where the server has it to `end`; allocates nothing.
  private func write(through end: Int) {
    guard let stream = unsafe state.pointee.stream else { return }
    let frameSize = format.channels * MemoryLayout<Float>.stride
    while unsafe state.pointee.written < end {
      let start = unsafe state.pointee.written
      var place: UnsafeMutableRawPointer?
      var bytes = (end - start) * frameSize
      guard unsafe pa_stream_begin_write(stream, &place, &bytes) == 0, let place = unsafe place, bytes >= frameSize
      else { return }
      let frames = min(bytes / frameSize, end - start)
      var samples = unsafe UnsafeMutableBufferPointer(
        start: place.assumingMemoryBound(to: Float.self), count: frames * format.channels
      ).mutableSpan
      unsafe state.pointee.timeline.fill(&samples, from: start)
      guard
        unsafe pa_stream_write(
          stream, place, frames * frameSize, nil, Int64(start * frameSize), PA_SEEK_ABSOLUTE) == 0
      else { return }
      unsafe state.pointee.written = start + frames
    }
  }

  /// Writes again what was written ahead of `frame`, now that the timeline has changed.
  private func rewrite(from frame: Int) {
    let end = unsafe state.pointee.written
    guard frame < end else { return }
    unsafe state.pointee.written = frame
    write(through: end)
  }
}

// MARK: - Playing

extension HeldStream {
  /// Begins to play; called while PulseAudio's thread is held.
  ///
  /// - Parameters:
  ///   - stimulus: what sounds.
  ///   - moment: when.
  ///   - events: what hears of it.
  ///   - placed: finished when the stimulus lies on the timeline.
  func play(
    _ stimulus: Stimulus, at moment: Moment, _ events: AsyncStream<PlaybackEvent>.Continuation, _ placed: Once<Void>
  ) {
    if let failure = unsafe state.pointee.failure { return placed.finish(.failure(failure)) }
    guard unsafe state.pointee.performance == nil else {
      return placed.finish(.failure(PulseAudioError(action: "play", reason: "another stimulus is still playing")))
    }
    let playout = unsafe Playout(frames: stimulus.frames, at: moment, on: state.pointee.station)
    unsafe state.pointee.performance = Performance(
      playout: playout, samples: stimulus.samples, events: events, placed: placed)
    if unsafe pa_stream_is_suspended(state.pointee.stream) > 0 { disturbed(.suspended) }
    perform([playout.begin()])
  }

  /// Forgets a stimulus that is not placed yet.
  func cancel() {
    guard let placed = unsafe state.pointee.performance?.placed else { return }
    unsafe state.pointee.performance.take()?.events.finish()
    placed.finish(.failure(CancellationError()))
  }

  /// Lets the stimulus fall to silence.
  func stop(fade: Duration) {
    let frames = Frames(nanoseconds: fade.nanoseconds, rate: format.sampleRate).count
    perform(unsafe state.pointee.performance?.playout.stop(fade: frames, now: MonotonicClock().now) ?? [])
  }

  private func perform(_ steps: [Playout.Step]) {
    for step in steps {
      switch step {
      case .ask: ask()
      case .wait(let moment): wait(until: moment)
      case .place(let frame):
        guard let performance = unsafe state.pointee.performance else { return }
        let former = unsafe state.pointee.timeline.stimulus
        unsafe state.pointee.timeline.place(performance.samples, at: frame)
        rewrite(from: former.isEmpty ? frame : min(frame, former.lowerBound))
        unsafe state.pointee.performance?.placed = nil
        performance.placed?.finish(.success(()))
      case .cut(let frame, let fade):
        unsafe state.pointee.timeline.cut(at: frame, over: fade)
        rewrite(from: frame)
      case .hush: hush()
      case .report(let event): report(event)
      case .finish:
        unsafe state.pointee.timeline.clear()
        unsafe state.pointee.performance.take()?.events.finish()
      }
    }
    watch()
  }

  /// Tells of an event; a stimulus that fails before it is placed was never begun.
  private func report(_ event: PlaybackEvent) {
    if case .failed(let reason) = event, let placed = unsafe state.pointee.performance?.placed {
      unsafe state.pointee.performance?.placed = nil
      placed.finish(.failure(PulseAudioError(action: "play", reason: reason, advice: Self.advice)))
    } else {
      unsafe state.pointee.performance?.events.yield(event)
    }
  }

  /// Puts silence in place of all that the server may still have of the stimulus, lest it sound when nobody expects it.
  private func hush() {
    let former = unsafe state.pointee.timeline.stimulus
    guard !former.isEmpty else { return }
    unsafe state.pointee.timeline.clear()
    let kept = 2 * Self.provision / (format.channels * MemoryLayout<Float>.stride) + format.sampleRate
    rewrite(from: unsafe max(former.lowerBound, state.pointee.written - kept))
  }

  private static func microseconds(_ moment: Moment) -> pa_usec_t {
    pa_usec_t(max(0, (moment.nanoseconds + 999) / 1000))
  }

  /// Sets the watchdog to the playout's deadline; after it, to nothing.
  private func watch() {
    guard let stream = unsafe state.pointee.stream, let watchdog = unsafe state.pointee.watchdog,
      unsafe state.pointee.opening == nil
    else { return }
    let deadline = unsafe state.pointee.performance?.playout.deadline
    unsafe pa_context_rttime_restart(
      pa_stream_get_context(stream), watchdog, deadline.map(Self.microseconds) ?? .max)
  }

  func deadlineCame() {
    if unsafe state.pointee.opening != nil { return giveUpOpening() }
    perform(unsafe state.pointee.performance?.playout.deadlineCame(now: MonotonicClock().now) ?? [])
  }

  private static let advice =
    "see whether `pactl list short sinks` answers and shows the sink running, or choose another with --speaker"

  /// PulseAudio keeps the stream until the server answers or the connection ends.
  private func giveUpOpening() {
    guard let stream = unsafe state.pointee.stream, let opening = unsafe state.pointee.opening.take() else { return }
    let sink = unsafe state.pointee.station.sink
    let isSuspended = unsafe pa_stream_get_state(stream) == PA_STREAM_READY && pa_stream_is_suspended(stream) > 0
    let failure = PulseAudioError(
      action: "open a stream to “\(sink)”",
      reason: isSuspended ? "the sink “\(sink)” is suspended" : "the sound server does not answer",
      advice: isSuspended
        ? "resume it with `pactl suspend-sink \(sink) 0`, or choose another with --speaker"
        : "see whether `pactl info` answers, and start PulseAudio again if not")
    unsafe state.pointee.failure = failure
    close()
    opening.finish(.failure(failure))
  }

  private func wait(until moment: Moment) {
    guard let stream = unsafe state.pointee.stream, let timer = unsafe state.pointee.timer else { return }
    unsafe pa_context_rttime_restart(pa_stream_get_context(stream), timer, Self.microseconds(moment))
  }

  func timeCame() {
    if unsafe state.pointee.opening != nil { return ask() }
    perform(unsafe state.pointee.performance?.playout.timeCame(now: MonotonicClock().now) ?? [])
  }

  func ranDry() {
    guard let stream = unsafe state.pointee.stream else { return }
    let bytes = unsafe pa_stream_get_underflow_index(stream)
    let frame = Int(bytes) / (format.channels * MemoryLayout<Float>.stride)
    unsafe state.pointee.performance?.playout.ranDry(at: frame)
  }

  func disturbed(_ disturbance: Disturbance) {
    if case .moved(let sink) = disturbance { unsafe state.pointee.station.sink = sink }
    perform(unsafe state.pointee.performance?.playout.disturbed(disturbance, now: MonotonicClock().now) ?? [])
  }
}

// MARK: - Asking the server

extension HeldStream {
  private func ask() {
    guard let stream = unsafe state.pointee.stream else { return }
    let box = unsafe Unmanaged.passUnretained(self).toOpaque()
    guard let operation = unsafe pa_stream_update_timing_info(stream, streamAnswered, box) else { return }
    unsafe pa_operation_unref(operation)
  }

  func answered(_ success: Bool) {
    guard let stream = unsafe state.pointee.stream else { return }
    let now = MonotonicClock().now
    guard success, let timing = unsafe pa_stream_get_timing_info(stream)?.pointee, timing.read_index_corrupt == 0 else {
      // A question that is never answered is the watchdog's business, which also ends this.
      if unsafe state.pointee.opening != nil || state.pointee.performance != nil { ask() }
      return
    }
    let snapshot = TimingSnapshot(timing, format)
    unsafe state.pointee.station.sinkLatency =
      max(snapshot.sinkLatency, Int64(clamping: timing.configured_sink_usec) * 1000)
    if unsafe state.pointee.opening != nil {
      opened(snapshot, now, timing.playing != 0)
    } else {
      perform(unsafe state.pointee.performance?.playout.answered(snapshot, now: now) ?? [])
    }
  }

  /// The stream is open when its first frame has left the sink: before that, an idle sink may still be asleep.
  private func opened(_ snapshot: TimingSnapshot, _ now: Moment, _ isPlaying: Bool) {
    if isPlaying, snapshot.latest <= now.nanoseconds {
      unsafe state.pointee.opening.take()?.finish(.success(()))
    } else {
      wait(until: now.advanced(by: .milliseconds(2)))
    }
  }
}
