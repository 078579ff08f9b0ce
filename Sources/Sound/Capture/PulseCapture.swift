import Basics
import CPulse
import Quantities
import Study
import Synchronization

/// A source of a PulseAudio server, recorded by a stream of ours.
///
/// The server's answers relate frames to times, as they do for a stream that plays.
final class PulseCapture: Capture {
  let description: CaptureDescription
  private let connection: PulseConnection
  private let stream: RecordedStream

  private init(_ description: CaptureDescription, _ connection: PulseConnection, _ stream: RecordedStream) {
    self.description = description
    self.connection = connection
    self.stream = stream
  }

  /// Begins to record from a source; `nil` is the default.
  ///
  /// The listener hears what it delivers, on PulseAudio's thread.
  static func open(
    server: String? = nil, source name: String?, listener: @escaping @Sendable (CaptureEvent) -> Void
  ) async throws -> PulseCapture {
    let connection = try await PulseConnection(to: server)
    let facts = try await connection.serverFacts()
    let source = try await connection.source(named: name, default: facts.defaultSource)
    let format = SoundFormat(sampleRate: source.sampleRate, channels: source.channels)
    let stream = RecordedStream(format, source: source.name, listener)
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      let opening = Once(continuation)
      connection.locked { stream.connect(on: connection, opening) }
    }
    return PulseCapture(
      CaptureDescription(
        server: "\(facts.name) \(facts.version)", source: source.name, isMonitor: source.isMonitor,
        rate: source.sampleRate, channels: source.channels, inputLatency: connection.locked { stream.latency }),
      connection, stream)
  }

  func close() { connection.locked { stream.close() } }

  deinit { connection.locked { stream.close() } }
}

/// A stream that records, which PulseAudio retains until it ends.
///
/// Everything runs on PulseAudio's thread or with its lock held.
@safe private final class RecordedStream: Sendable {
  private let format: SoundFormat
  private let source: String
  private let listener: @Sendable (CaptureEvent) -> Void
  nonisolated(unsafe) private let state: UnsafeMutablePointer<State>

  @safe private struct State {
    var stream: OpaquePointer?
    var api: UnsafePointer<pa_mainloop_api>?
    var watchdog: OpaquePointer?
    var opening: Once<Void>?
    /// The last answers to questions about the timing.
    var snapshots: [TimingSnapshot] = []
    /// The frames that came on the stream, and those that were lost on the way.
    var received = 0
    var lost = 0
    /// The next block, as far as the server says.
    var expected: Moment?
    var heard = MonotonicClock().now
    var isOver = false
  }

  /// The time between two deliveries, in microseconds.
  private static let fragment: pa_usec_t = 20_000
  /// The answers that are kept, and those without which nothing is known.
  private static let answers = (kept: 16, needed: 4)
  /// The longest time without a frame.
  private static let limit = Duration.seconds(3)
  /// What a block may be late by before frames count as lost: less than a delivery, and more than the server's times vary by
  /// on a busy computer.
  private static let tolerance = Duration.milliseconds(15)

  init(_ format: SoundFormat, source: String, _ listener: @escaping @Sendable (CaptureEvent) -> Void) {
    self.format = format
    self.source = source
    self.listener = listener
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State())
  }

  deinit {
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  var latency: Duration { unsafe .nanoseconds(-(state.pointee.snapshots.last?.sinkLatency ?? 0)) }

  func connect(on connection: PulseConnection, _ opening: Once<Void>) {
    let action = "record from “\(source)”"
    var specification = pa_sample_spec(
      format: PA_SAMPLE_FLOAT32LE, rate: UInt32(clamping: format.sampleRate), channels: UInt8(clamping: format.channels)
    )
    var positions = pa_channel_map()
    unsafe pa_channel_map_init_extend(&positions, UInt32(specification.channels), PA_CHANNEL_MAP_DEFAULT)
    guard unsafe pa_sample_spec_valid(&specification) != 0,
      let stream = unsafe pa_stream_new(connection.context, "recording", &specification, &positions)
    else { return opening.finish(.failure(connection.lastError(action))) }
    let box = Retained(self)
    unsafe state.pointee.stream = stream
    unsafe state.pointee.opening = opening
    unsafe state.pointee.api = UnsafePointer(connection.api)
    unsafe state.pointee.watchdog = pa_context_rttime_new(
      connection.context, Self.next(after: .milliseconds(500)), recordingWatched, box.pointer)
    unsafe pa_stream_set_state_callback(stream, recordingChanged, box.pointer)
    unsafe pa_stream_set_read_callback(stream, recordingArrived, box.pointer)
    var buffering = unsafe pa_buffer_attr(
      maxlength: .max, tlength: .max, prebuf: .max, minreq: .max,
      fragsize: UInt32(clamping: pa_usec_to_bytes(Self.fragment, &specification)))
    // The source's channels in their order, whatever their positions.
    let flags =
      PA_STREAM_ADJUST_LATENCY.rawValue | PA_STREAM_DONT_MOVE.rawValue | PA_STREAM_START_UNMUTED.rawValue
      | PA_STREAM_NO_REMAP_CHANNELS.rawValue
    let result = unsafe pa_stream_connect_record(stream, source, &buffering, pa_stream_flags_t(rawValue: flags))
    if result < 0 { end(connection.lastError(action)) }
  }

  func close() {
    guard let stream = unsafe state.pointee.stream else { return }
    unsafe state.pointee.isOver = true
    unsafe pa_stream_disconnect(stream)
  }

  fileprivate func changed() {
    guard let stream = unsafe state.pointee.stream else { return }
    switch unsafe pa_stream_get_state(stream) {
    case PA_STREAM_READY: ask()
    case PA_STREAM_FAILED:
      end(
        SoundServerError(
          action: "record from “\(source)”", code: unsafe pa_context_errno(pa_stream_get_context(stream))))
    case PA_STREAM_TERMINATED: end(SoundServerError(action: "go on recording", reason: "the source went away"))
    default: break
    }
  }

  /// The one place where PulseAudio releases the stream and this object.
  private func end(_ failure: SoundServerError) {
    guard let stream = unsafe state.pointee.stream else { return }
    unsafe state.pointee.stream = nil
    if let api = unsafe state.pointee.api, let watchdog = unsafe state.pointee.watchdog.take() {
      unsafe cpulse_free_timer(api, watchdog)
    }
    unsafe pa_stream_set_state_callback(stream, nil, nil)
    unsafe pa_stream_set_read_callback(stream, nil, nil)
    unsafe pa_stream_unref(stream)
    if let opening = unsafe state.pointee.opening.take() {
      opening.finish(.failure(failure))
    } else if unsafe !state.pointee.isOver {
      listener(.failed(reason: failure.reason))
    }
    unsafe state.pointee.isOver = true
    Retained.release(self)
  }

  private static func next(after time: Duration) -> pa_usec_t {
    HeldStream.microseconds(MonotonicClock().now.advanced(by: time))
  }

  fileprivate func watch() {
    guard let stream = unsafe state.pointee.stream, let watchdog = unsafe state.pointee.watchdog else { return }
    let idle = unsafe state.pointee.heard.duration(to: MonotonicClock().now)
    guard idle > Self.limit else {
      unsafe pa_context_rttime_restart(
        pa_stream_get_context(stream), watchdog, Self.next(after: .milliseconds(500)))
      return
    }
    let failure = SoundServerError(
      action: "record from “\(source)”", reason: "the source delivers nothing",
      advice: "see whether `pactl list sources` shows it running")
    if let opening = unsafe state.pointee.opening.take() {
      opening.finish(.failure(failure))
    } else if unsafe !state.pointee.isOver {
      listener(.failed(reason: failure.reason))
    }
    close()
  }

  private func ask() {
    guard let stream = unsafe state.pointee.stream else { return }
    let box = unsafe Unmanaged.passUnretained(self).toOpaque()
    if let operation = unsafe pa_stream_update_timing_info(stream, recordingTimed, box) {
      unsafe pa_operation_unref(operation)
    }
  }

  fileprivate func timed() {
    guard let stream = unsafe state.pointee.stream,
      let timing = unsafe pa_stream_get_timing_info(stream)?.pointee, timing.write_index_corrupt == 0
    else { return }
    unsafe state.pointee.snapshots.append(TimingSnapshot(timing, format, isRecording: true))
    if unsafe state.pointee.snapshots.count > Self.answers.kept { unsafe _ = state.pointee.snapshots.removeFirst() }
    if unsafe state.pointee.snapshots.count < Self.answers.needed { ask() }
  }

  fileprivate func arrived() {
    guard let stream = unsafe state.pointee.stream else { return }
    unsafe state.pointee.heard = MonotonicClock().now
    var data: UnsafeRawPointer?
    var bytes = 0
    while unsafe pa_stream_peek(stream, &data, &bytes) == 0, bytes > 0 {
      let frames = bytes / (format.channels * MemoryLayout<Float>.stride)
      if let data = unsafe data {
        let count = frames * format.channels
        let samples = unsafe Array(
          UnsafeBufferPointer(start: data.assumingMemoryBound(to: Float.self), count: count))
        take(samples, frames: frames)
      } else {
        // The server says how much is missing: it is counted here, and not found by the clock again.
        unsafe state.pointee.expected = state.pointee.expected?.advanced(by: format.duration(of: frames))
      }
      unsafe state.pointee.received += frames
      unsafe pa_stream_drop(stream)
    }
    ask()
  }

  /// Passes frames on, once the stream's timing is known.
  private func take(_ samples: [Float], frames: Int) {
    guard unsafe state.pointee.snapshots.count >= Self.answers.needed, unsafe !state.pointee.isOver else { return }
    let resolution = 1_000_000_000 / Int64(max(format.sampleRate, 1)) + 2000
    let known = unsafe StreamOrigin.agreeing(state.pointee.snapshots, resolution: resolution)
    let origin = StreamOrigin(known, resolution: resolution)
    let received = unsafe state.pointee.received
    let start = origin.moment(of: received, rate: format.sampleRate)
    // Frames that the server could not keep are missing without a word.
    if let late = unsafe state.pointee.expected?.duration(to: start), late > Self.tolerance {
      unsafe state.pointee.lost += Frames(nanoseconds: late.nanoseconds, rate: format.sampleRate).count
    }
    unsafe state.pointee.expected = start.advanced(by: format.duration(of: frames))
    let first = unsafe received + state.pointee.lost
    listener(.block(CapturedBlock(frame: first, start: start, samples: samples)))
    unsafe state.pointee.opening.take()?.finish(.success(()))
  }
}

private func recordingChanged(_ stream: OpaquePointer?, _ box: UnsafeMutableRawPointer?) {
  unsafe Retained<RecordedStream>.object(box).changed()
}

private func recordingArrived(_ stream: OpaquePointer?, _ bytes: Int, _ box: UnsafeMutableRawPointer?) {
  unsafe Retained<RecordedStream>.object(box).arrived()
}

private func recordingTimed(_ stream: OpaquePointer?, _ success: Int32, _ box: UnsafeMutableRawPointer?) {
  if success != 0 { unsafe Retained<RecordedStream>.object(box).timed() }
}

private func recordingWatched(
  _ api: UnsafeMutablePointer<pa_mainloop_api>?, _ timer: OpaquePointer?, _ time: UnsafePointer<timeval>?,
  _ box: UnsafeMutableRawPointer?
) {
  unsafe Retained<RecordedStream>.object(box).watch()
}
