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
    /// The loop's functions and the one timer that they made.
    var api: UnsafePointer<pa_mainloop_api>?
    var timer: OpaquePointer?
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
    let samples: [Float]
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

  /// Opens a stream to a sink and waits until its silence is really played.
  static func open(
    _ format: SoundFormat, to sink: SinkFacts, on connection: PulseConnection, outputLatency: Int64
  ) async throws -> HeldStream {
    let station = Playout.Station(
      rate: format.sampleRate, sinkLatency: 0,
      resolution: resolution(of: format, on: sink), outputLatency: outputLatency)
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

  fileprivate func stateChanged() {
    guard let stream = unsafe state.pointee.stream else { return }
    switch unsafe pa_stream_get_state(stream) {
    case PA_STREAM_READY: ask()
    case PA_STREAM_FAILED:
      let code = unsafe pa_context_errno(pa_stream_get_context(stream))
      ended(by: Self.failure(code))
    case PA_STREAM_TERMINATED:
      ended(by: PulseAudioError(action: "go on playing", reason: "the speaker was closed"))
    default: break
    }
  }

  private static func failure(_ code: Int32) -> PulseAudioError {
    switch code {
    case Int32(PA_ERR_KILLED.rawValue):
      PulseAudioError(action: "go on playing", reason: "the sink went away", advice: "look for the sound card")
    case Int32(PA_ERR_CONNECTIONTERMINATED.rawValue):
      PulseAudioError(action: "go on playing", reason: "the sound server went away", advice: "start PulseAudio again")
    default: PulseAudioError(action: "play", code: code)
    }
  }

  /// The one place where PulseAudio lets go of the stream and of this object.
  private func ended(by failure: PulseAudioError?) {
    guard let stream = unsafe state.pointee.stream else { return }
    unsafe state.pointee.stream = nil
    let failure = failure ?? PulseAudioError(action: "play", reason: "the stream was not opened")
    unsafe state.pointee.failure = failure
    if let timer = unsafe state.pointee.timer.take(), let api = unsafe state.pointee.api {
      unsafe cpulse_free_timer(api, timer)
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
  /// Hands the server as many frames as it asks for.
  fileprivate func feed(bytes: Int) {
    let frames = bytes / (format.channels * MemoryLayout<Float>.stride)
    write(through: unsafe state.pointee.written + frames)
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
    perform(unsafe state.pointee.performance?.playout.stop(fade: frames) ?? [])
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
      case .report(let event): unsafe state.pointee.performance?.events.yield(event)
      case .finish:
        unsafe state.pointee.timeline.clear()
        unsafe state.pointee.performance.take()?.events.finish()
      }
    }
  }

  private func wait(until moment: Moment) {
    guard let stream = unsafe state.pointee.stream, let timer = unsafe state.pointee.timer else { return }
    let microseconds = pa_usec_t(max(0, (moment.nanoseconds + 999) / 1000))
    unsafe pa_context_rttime_restart(pa_stream_get_context(stream), timer, microseconds)
  }

  fileprivate func timeCame() {
    if unsafe state.pointee.opening != nil { return ask() }
    perform(unsafe state.pointee.performance?.playout.timeCame() ?? [])
  }

  fileprivate func ranDry() {
    guard let stream = unsafe state.pointee.stream else { return }
    let bytes = unsafe pa_stream_get_underflow_index(stream)
    let frame = Int(bytes) / (format.channels * MemoryLayout<Float>.stride)
    unsafe state.pointee.performance?.playout.ranDry(at: frame)
  }

  fileprivate func disturbed(_ disturbance: Disturbance) {
    unsafe state.pointee.performance?.events.yield(.disturbed(disturbance))
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

  fileprivate func answered(_ success: Bool) {
    guard let stream = unsafe state.pointee.stream else { return }
    let now = MonotonicClock().now
    guard success, let timing = unsafe pa_stream_get_timing_info(stream)?.pointee, timing.read_index_corrupt == 0 else {
      return ask()
    }
    let snapshot = TimingSnapshot(timing, format)
    let latency = max(snapshot.sinkLatency, Int64(clamping: timing.configured_sink_usec) * 1000)
    unsafe state.pointee.station.sinkLatency = Int64(clamping: timing.configured_sink_usec) * 1000
    if unsafe state.pointee.opening != nil {
      opened(snapshot, now, timing.playing != 0, latency)
    } else {
      perform(unsafe state.pointee.performance?.playout.answered(snapshot, now: now) ?? [])
    }
  }

  /// The stream is open when its first frame has left the sink: before that, an idle sink may still be asleep.
  private func opened(_ snapshot: TimingSnapshot, _ now: Moment, _ isPlaying: Bool, _ latency: Int64) {
    if isPlaying, snapshot.latest <= now.nanoseconds {
      unsafe state.pointee.opening.take()?.finish(.success(()))
    } else {
      wait(until: now.advanced(by: .milliseconds(2)))
    }
  }
}

extension TimingSnapshot {
  /// From PulseAudio's answer; its stamps are of the calendar, which is read beside our clock here.
  fileprivate init(_ timing: pa_timing_info, _ format: SoundFormat) {
    let reading = MonotonicClock().wallReading()
    let calendar = timing.timestamp.tv_sec * 1_000_000_000 + timing.timestamp.tv_usec * 1000
    let stamp = Int64(calendar) - reading.wall.milliseconds * 1_000_000 + reading.moment.nanoseconds
    // On one machine the stamp is the server's and the question was asked `transport_usec` before it. Between machines
    // the stamp is put into the middle of the question's way there and back.
    let transport = Int64(clamping: timing.transport_usec) * 1000
    self.init(
      asked: stamp - transport, stamped: timing.synchronized_clocks != 0 ? stamp : stamp + transport,
      readFrame: Int(timing.read_index) / (format.channels * MemoryLayout<Float>.stride),
      sinkLatency: Int64(clamping: timing.sink_usec) * 1000, rate: format.sampleRate)
  }
}

// MARK: - PulseAudio's calls

private func streamChanged(_ stream: OpaquePointer?, _ box: UnsafeMutableRawPointer?) {
  unsafe Retained<HeldStream>.object(box).stateChanged()
}

private func streamWants(_ stream: OpaquePointer?, _ bytes: Int, _ box: UnsafeMutableRawPointer?) {
  unsafe Retained<HeldStream>.object(box).feed(bytes: bytes)
}

private func streamRanDry(_ stream: OpaquePointer?, _ box: UnsafeMutableRawPointer?) {
  unsafe Retained<HeldStream>.object(box).ranDry()
}

private func streamMoved(_ stream: OpaquePointer?, _ box: UnsafeMutableRawPointer?) {
  let sink = unsafe stream.flatMap { unsafe pa_stream_get_device_name($0) }.map { unsafe String(cString: $0) }
  unsafe Retained<HeldStream>.object(box).disturbed(.moved(to: sink ?? "unknown"))
}

private func streamSuspended(_ stream: OpaquePointer?, _ box: UnsafeMutableRawPointer?) {
  let isSuspended = unsafe pa_stream_is_suspended(stream) > 0
  unsafe Retained<HeldStream>.object(box).disturbed(isSuspended ? .suspended : .resumed)
}

private func streamAnswered(_ stream: OpaquePointer?, _ success: Int32, _ box: UnsafeMutableRawPointer?) {
  unsafe Retained<HeldStream>.object(box).answered(success != 0)
}

private func timerFired(
  _ api: UnsafeMutablePointer<pa_mainloop_api>?, _ timer: OpaquePointer?, _ time: UnsafePointer<timeval>?,
  _ box: UnsafeMutableRawPointer?
) {
  unsafe Retained<HeldStream>.object(box).timeCame()
}
