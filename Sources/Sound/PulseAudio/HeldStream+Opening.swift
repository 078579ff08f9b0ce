import Basics
import CPulse
import Quantities
import Study

extension HeldStream {
  /// The latency requested for the stream and the sink together, in microseconds; for listening, for the stream.
  private static func target(_ use: SpeakerUse) -> pa_usec_t {
    switch use {
    case .scheduledSounds: 100_000
    case .soundsAfterEvents: 30_000
    case .listening: 2_000_000
    }
  }

  /// How far ahead the sink works for listening, in microseconds: it is the size of the server's requests then.
  private static let listeningPiece: pa_usec_t = 30_000

  /// Opens a stream to a sink and waits until its silence is actually playing.
  static func open(
    _ format: SoundFormat, to sink: SinkFacts, on connection: PulseConnection, timing: SpeakerTiming,
    buffer: Int? = nil,
    outputLatency: OutputLatency, use: SpeakerUse = .scheduledSounds, patience: Patience = Patience()
  ) async throws -> HeldStream {
    // A stream of another rate is resampled in blocks, and does not say what the card has played.
    let course =
      format.sampleRate == sink.sampleRate && use != .listening
      ? buffer.map { buffer in
        CardCourse(buffer: buffer, rate: sink.sampleRate, granularity: timing.granularity.nanoseconds)
      } : nil
    let station = Playout.Station(
      rate: format.sampleRate, sinkLatency: 0, resolution: resolution(of: format, on: sink),
      granularity: course == nil ? timing.granularity.nanoseconds : 0, tellsShifts: timing.basis != .cycle,
      followsCard: course != nil,
      outputLatency: outputLatency.latency.nanoseconds, outputUncertainty: outputLatency.uncertainty.nanoseconds,
      sink: sink.name, limit: patience.answer.nanoseconds)
    let held = HeldStream(format, station, course, patience)
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      let opening = Once(continuation)
      connection.locked { held.connect(to: sink, on: connection, use, opening) }
    }
    return held
  }

  /// The rounding of a moment in nanoseconds: the sink's frame, the microsecond, and the stream's own frame if the
  /// server resamples.
  static func resolution(of format: SoundFormat, on sink: SinkFacts) -> Int64 {
    let frame = 1_000_000_000 / Int64(max(sink.sampleRate, 1))
    return sink.sampleRate == format.sampleRate ? frame + 2000 : 2 * frame + 2000
  }

  private func connect(to sink: SinkFacts, on connection: PulseConnection, _ use: SpeakerUse, _ opening: Once<Void>) {
    let action = "open a stream of \(format.sampleRate) Hz and \(format.channels) channels to “\(sink.name)”"
    var specification = pa_sample_spec(
      format: PA_SAMPLE_FLOAT32LE, rate: UInt32(clamping: format.sampleRate), channels: UInt8(clamping: format.channels)
    )
    // Libpulse's own choice goes up to six channels.
    var positions = pa_channel_map()
    unsafe pa_channel_map_init_extend(&positions, UInt32(specification.channels), PA_CHANNEL_MAP_DEFAULT)
    guard unsafe pa_sample_spec_valid(&specification) != 0,
      let stream = unsafe pa_stream_new(connection.context, "stimulus", &specification, &positions)
    else { return opening.finish(.failure(connection.lastError(action))) }
    let box = Retained(self)
    unsafe state.pointee.stream = stream
    unsafe state.pointee.timer = pa_context_rttime_new(connection.context, .max, timerFired, box.pointer)
    let end = MonotonicClock().now.advanced(by: patience.opening + lookingTime)
    unsafe state.pointee.openingEnd = end
    unsafe state.pointee.watchdog = pa_context_rttime_new(
      connection.context, Self.microseconds(end), watchdogFired, box.pointer)
    if unsafe state.pointee.course != nil {
      unsafe state.pointee.reader = pa_context_rttime_new(connection.context, .max, readerFired, box.pointer)
    }
    unsafe state.pointee.api = UnsafePointer(connection.api)
    unsafe state.pointee.opening = opening
    unsafe state.pointee.isPatient = use != .listening
    unsafe pa_stream_set_state_callback(stream, streamChanged, box.pointer)
    unsafe pa_stream_set_write_callback(stream, streamWants, box.pointer)
    unsafe pa_stream_set_underflow_callback(stream, streamRanDry, box.pointer)
    unsafe pa_stream_set_moved_callback(stream, streamMoved, box.pointer)
    unsafe pa_stream_set_suspended_callback(stream, streamSuspended, box.pointer)
    connection.listeners.add(self)
    // Without `prebuf` the stream runs from the start, and resumes by itself after an underrun with its frames in
    // place.
    var buffering = unsafe pa_buffer_attr(
      maxlength: .max, tlength: UInt32(clamping: pa_usec_to_bytes(Self.target(use), &specification)), prebuf: 0,
      minreq: use == .listening ? UInt32(clamping: pa_usec_to_bytes(Self.listeningPiece, &specification)) : .max,
      fragsize: .max)
    // Sets the stream's volume, whatever the server remembers of an earlier one; relative to the sink, because on a
    // server with flat volumes an absolute one would raise the volume of the whole sink. A sink may disappear, but not
    // change.
    var volume = pa_cvolume()
    unsafe pa_cvolume_set(&volume, UInt32(specification.channels), pa_volume_t(PA_VOLUME_NORM))
    var flags =
      (use == .listening ? PA_STREAM_EARLY_REQUESTS : PA_STREAM_ADJUST_LATENCY).rawValue
      | PA_STREAM_START_UNMUTED.rawValue | PA_STREAM_RELATIVE_VOLUME.rawValue
      | PA_STREAM_DONT_MOVE.rawValue
    if sink.channels == format.channels { flags |= PA_STREAM_NO_REMAP_CHANNELS.rawValue }
    let result = unsafe pa_stream_connect_playback(
      stream, sink.name, &buffering, pa_stream_flags_t(rawValue: flags), &volume, nil)
    if result < 0 {
      unsafe state.pointee.opening = nil
      opening.finish(.failure(connection.lastError(action)))
      ended(by: nil)
    }
  }

  /// Ends the stream; the current stimulus fails.
  func close() {
    guard let stream = unsafe state.pointee.stream else { return }
    unsafe pa_stream_disconnect(stream)
  }

  func stateChanged() {
    guard let stream = unsafe state.pointee.stream else { return }
    switch unsafe pa_stream_get_state(stream) {
    case PA_STREAM_READY:
      // The stream opened too late, after opening was given up.
      if unsafe state.pointee.failure != nil { close() } else { ask() }
    case PA_STREAM_FAILED:
      let code = unsafe pa_context_errno(pa_stream_get_context(stream))
      ended(by: .lost(code))
    case PA_STREAM_TERMINATED:
      ended(by: SoundServerError(action: "go on playing", reason: "the speaker was closed"))
    default: break
    }
  }

  /// The one place where PulseAudio releases the stream and this object.
  private func ended(by failure: SoundServerError?) {
    guard let stream = unsafe state.pointee.stream else { return }
    unsafe state.pointee.stream = nil
    let failure =
      unsafe state.pointee.failure ?? failure
      ?? SoundServerError(action: "play", reason: "the stream was not opened")
    unsafe state.pointee.failure = failure
    if let api = unsafe state.pointee.api {
      if let timer = unsafe state.pointee.timer.take() { unsafe cpulse_free_timer(api, timer) }
      if let watchdog = unsafe state.pointee.watchdog.take() { unsafe cpulse_free_timer(api, watchdog) }
      if let reader = unsafe state.pointee.reader.take() { unsafe cpulse_free_timer(api, reader) }
    }
    unsafe pa_stream_set_state_callback(stream, nil, nil)
    unsafe pa_stream_unref(stream)
    unsafe state.pointee.opening.take()?.finish(.failure(failure))
    if let performance = unsafe state.pointee.performance.take() {
      if let request = performance.request {
        request.placed.finish(.failure(failure))
      } else {
        performance.events.yield(.failed(reason: failure.description))
      }
      performance.events.finish()
    }
    Retained.release(self)
  }

  /// Completes the opening when the first frame has left the sink; before that, an idle sink may still be asleep.
  func opened(_ snapshot: TimingSnapshot, _ now: Moment, _ isPlaying: Bool) {
    if unsafe state.pointee.isPatient, !isPlaying || snapshot.latest > now.nanoseconds {
      return wait(until: now.advanced(by: .milliseconds(2)))
    }
    if let next = nextLook(now) { return wait(until: next) }
    unsafe state.pointee.opening.take()?.finish(.success(()))
  }

  /// Gives up opening; PulseAudio keeps the stream until the server answers or the connection ends.
  func giveUpOpening() {
    guard let stream = unsafe state.pointee.stream, let opening = unsafe state.pointee.opening.take() else { return }
    let sink = unsafe state.pointee.station.sink
    let isSuspended = unsafe pa_stream_get_state(stream) == PA_STREAM_READY && pa_stream_is_suspended(stream) > 0
    let failure = SoundServerError(
      action: "open a stream to “\(sink)”",
      reason: isSuspended ? "the sink “\(sink)” is suspended" : "the sound server does not answer",
      advice: isSuspended
        ? "resume it with `pactl suspend-sink \(sink) 0`, or choose another with --speaker"
        : "see whether `pactl info` answers, and start PulseAudio again if not")
    unsafe state.pointee.failure = failure
    close()
    opening.finish(.failure(failure))
  }
}

// Callbacks that PulseAudio makes on its own thread, with the stream that it retains.

func streamChanged(_ stream: OpaquePointer?, _ box: UnsafeMutableRawPointer?) {
  unsafe Retained<HeldStream>.object(box).stateChanged()
}

func streamWants(_ stream: OpaquePointer?, _ bytes: Int, _ box: UnsafeMutableRawPointer?) {
  unsafe Retained<HeldStream>.object(box).feed(bytes: bytes)
}

func streamRanDry(_ stream: OpaquePointer?, _ box: UnsafeMutableRawPointer?) {
  unsafe Retained<HeldStream>.object(box).underran()
}

func streamMoved(_ stream: OpaquePointer?, _ box: UnsafeMutableRawPointer?) {
  let sink = unsafe stream.flatMap { unsafe pa_stream_get_device_name($0) }.map { unsafe String(cString: $0) }
  unsafe Retained<HeldStream>.object(box).moved(to: sink ?? "unknown")
}

func streamSuspended(_ stream: OpaquePointer?, _ box: UnsafeMutableRawPointer?) {
  let isSuspended = unsafe pa_stream_is_suspended(stream) > 0
  unsafe Retained<HeldStream>.object(box).disturbed(isSuspended ? .suspended : .resumed)
}

func streamAnswered(_ stream: OpaquePointer?, _ success: Int32, _ box: UnsafeMutableRawPointer?) {
  unsafe Retained<HeldStream>.object(box).answered(success != 0)
}

func timerFired(
  _ api: UnsafeMutablePointer<pa_mainloop_api>?, _ timer: OpaquePointer?, _ time: UnsafePointer<timeval>?,
  _ box: UnsafeMutableRawPointer?
) {
  unsafe Retained<HeldStream>.object(box).timeCame()
}

func readerFired(
  _ api: UnsafeMutablePointer<pa_mainloop_api>?, _ timer: OpaquePointer?, _ time: UnsafePointer<timeval>?,
  _ box: UnsafeMutableRawPointer?
) {
  unsafe Retained<HeldStream>.object(box).readCard()
}

func watchdogFired(
  _ api: UnsafeMutablePointer<pa_mainloop_api>?, _ timer: OpaquePointer?, _ time: UnsafePointer<timeval>?,
  _ box: UnsafeMutableRawPointer?
) {
  unsafe Retained<HeldStream>.object(box).deadlineCame()
}

extension TimingSnapshot {
  /// Converts PulseAudio's answer; its timestamps are wall-clock times, so both clocks are read here.
  ///
  /// For a stream that records, the frame is the next that the source will deliver, and the latency is negative: that frame
  /// was in the air before, unless the source is a monitor, whose sink plays it later.
  init(_ timing: pa_timing_info, _ format: SoundFormat, isRecording: Bool = false) {
    let reading = MonotonicClock().wallReading()
    var timing = timing
    let calendar = unsafe cpulse_stamp_nanoseconds(&timing)
    let stamp = calendar - reading.wall.milliseconds * 1_000_000 + reading.moment.nanoseconds
    // On one machine the timestamp is the server's, and the request was sent `transport_usec` before it. Between
    // machines the timestamp is placed in the middle of the round trip.
    let transport = Int64(clamping: timing.transport_usec) * 1000
    let index = isRecording ? timing.write_index : timing.read_index
    let latency = Int64(clamping: timing.sink_usec) - (isRecording ? Int64(clamping: timing.source_usec) : 0)
    self.init(
      asked: stamp - transport, stamped: timing.synchronized_clocks != 0 ? stamp : stamp + transport,
      readFrame: Int(index) / (format.channels * MemoryLayout<Float>.stride),
      sinkLatency: latency * 1000, rate: format.sampleRate)
  }
}
