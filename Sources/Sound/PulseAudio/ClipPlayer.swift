import Basics
import CPulse
import Quantities

/// Plays one clip immediately, decoding as it goes: for listening, where a fast start matters more than an exact onset.
///
/// The connection opens while the file does; the calling thread does all the work.
///
/// It has one owner, and playing consumes it: only its ``stopper`` can be handed to other threads.
@safe package struct ClipPlayer: ~Copyable {
  /// Ends the sound with a ramp to silence, from any thread.
  package let stopper: Stopper
  private let sink: String?
  /// PulseAudio's main loop, run by the thread that calls ``play(_:frames:progress:opened:)``.
  private let loop: OpaquePointer
  private let context: OpaquePointer

  /// The buffer requested from the server, in microseconds, so that a busy machine causes no underrun.
  private static let target: pa_usec_t = 2_000_000
  /// The size of the server's requests in microseconds, and so how far ahead the sink works.
  private static let piece: pa_usec_t = 50_000
  /// The length of the ramp to silence after a stop.
  private static let fade = Duration.milliseconds(50)
  /// The silence that is played after the ramp before the stream is closed.
  private static let rest = Duration.milliseconds(10)
  /// The longest time that stopping may take beyond the sound that is left to play.
  private static let limit = Duration.seconds(2)
  /// The interval of progress reports, in microseconds, when nothing is left to write.
  private static let pulse: Int64 = 50_000

  /// Starts connecting and returns immediately.
  ///
  /// - Parameters:
  ///   - server: the server's address; `nil` uses `PULSE_SERVER` and PulseAudio's own settings. No server is started.
  ///   - sink: the sink's name; `nil` takes the server's default.
  /// - Throws: ``SoundServerError`` if there is no server, or libpulse is not installed.
  package init(server: String? = nil, sink: String? = nil) throws(SoundServerError) {
    try PulseLibrary.open()
    guard let loop = unsafe pa_mainloop_new() else { throw Self.noMemory }
    guard let context = unsafe pa_context_new(pa_mainloop_get_api(loop), "station") else {
      unsafe pa_mainloop_free(loop)
      throw Self.noMemory
    }
    guard unsafe pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0 else {
      let refusal = unsafe Self.refusal(of: context)
      unsafe pa_context_unref(context)
      unsafe pa_mainloop_free(loop)
      throw refusal
    }
    unsafe pa_mainloop_iterate(loop, 0, nil)
    stopper = unsafe Stopper(loop)
    self.sink = sink
    unsafe self.loop = loop
    unsafe self.context = context
  }

  deinit {
    stopper.leave()
    unsafe pa_context_disconnect(context)
    unsafe pa_context_unref(context)
    unsafe pa_mainloop_free(loop)
  }

  /// Plays a file and returns when its last frame has been played.
  ///
  /// - Parameters:
  ///   - reader: the file, opened and not yet read.
  ///   - frames: the maximum number of frames to play.
  ///   - progress: called with the time played so far, about twenty times per second; it never decreases.
  ///   - opened: called with the output before playback; the sink may be a null sink.
  /// - Returns: the number of frames played.
  /// - Throws: ``SoundServerError`` if there is no server, the sound is lost, or stopping takes longer than two seconds
  ///   because the sink is suspended or the server frozen; ``ClipError`` if decoding fails.
  package consuming func play(
    _ reader: inout ClipReader, frames: Int = .max, progress: (Duration) -> Void = { _ in },
    opened: (SpeakerDescription) -> Void = { _ in }
  ) throws -> Int {
    try perform(&reader, frames: frames, opened: opened, progress: progress)
  }

  private func perform(
    _ reader: inout ClipReader, frames: Int, opened: (SpeakerDescription) -> Void, progress: (Duration) -> Void
  ) throws -> Int {
    try iterate(until: { unsafe pa_context_get_state(context) == PA_CONTEXT_READY })
    let (stream, facts) = try open(reader.format)
    defer { unsafe pa_stream_unref(stream.pointer) }
    if let facts { opened(Self.description(of: facts)) }
    var written = Written(format: reader.format)
    var heard = Duration.zero
    while written.end < frames {
      if isStopping { return try fadeOut(&written, on: stream) }
      let room = unsafe pa_stream_writable_size(stream.pointer) / written.frameSize
      guard room > 0 else {
        try iterate(once: true)
        tell(progress, &heard, on: stream, written)
        continue
      }
      let piece = min(8 * 1152, room, frames - written.end)
      guard try written.append(from: &reader, upTo: piece) else { break }
      try write(written.last, at: written.lastStart, on: stream, written.format)
      tell(progress, &heard, on: stream, written)
    }
    try flush(after: written, on: stream)
    guard try drain(stream, telling: { tell(progress, &heard, on: stream, written) }) else {
      return try fadeOut(&written, on: stream)
    }
    progress(written.duration)
    return written.end
  }

  private var isStopping: Bool { stopper.isToStop }

  private static func description(of facts: SinkFacts) -> SpeakerDescription {
    SpeakerDescription(
      SpeakerFacts(kind: "pulseaudio", sink: facts.name, sinkRate: facts.sampleRate, isAudible: !facts.isNull),
      sinkDescription: facts.description, lead: .zero)
  }

  /// Reports the time played so far, by the stream's own clock, which PulseAudio interpolates without asking the
  /// server.
  private func tell(_ progress: (Duration) -> Void, _ heard: inout Duration, on stream: OpenStream, _ written: Written)
  {
    heard = max(heard, min(position(of: stream), written.duration))
    progress(heard)
  }

  /// The playback position of the stream; zero before the server's first timing update.
  private func position(of stream: OpenStream) -> Duration {
    var time: pa_usec_t = 0
    return unsafe pa_stream_get_time(stream.pointer, &time) == 0 ? .microseconds(Int64(clamping: time)) : .zero
  }
}

@available(*, unavailable)
extension ClipPlayer: Sendable {}

extension ClipPlayer {
  private static var noMemory: SoundServerError {
    SoundServerError(action: "connect to PulseAudio", reason: "no memory for the connection")
  }

  private var refusal: SoundServerError { unsafe Self.refusal(of: context) }

  private static func refusal(of context: OpaquePointer) -> SoundServerError {
    SoundServerError(
      action: "connect to PulseAudio", code: unsafe pa_context_errno(context),
      advice: "start PipeWire or PulseAudio, or rehearse with --speaker silent")
  }

  /// Runs PulseAudio's loop until a condition holds or the connection is lost.
  ///
  /// - Parameters:
  ///   - stream: the stream concerned, for the message.
  ///   - once: whether to return after one iteration.
  ///   - remaining: the sound left to play, which extends the time limit for stopping.
  ///   - isSo: the condition.
  ///   - interval: the longest time between two calls of `telling`, in microseconds; `nil` for no limit.
  ///   - telling: called after every iteration.
  /// - Throws: ``SoundServerError`` if the connection is lost, or stopping exceeds its limit.
  private func iterate(
    _ stream: OpenStream? = nil, once: Bool = false, remaining: Duration = .zero, until isSo: () -> Bool = { false },
    every interval: Int64? = nil, telling: () -> Void = {}
  ) throws(SoundServerError) {
    var deadline: Moment?
    repeat {
      if isSo() { return }
      if isStopping, deadline == nil { deadline = MonotonicClock().now.advanced(by: remaining + Self.limit) }
      let left = deadline.map { max(0, $0.nanoseconds - MonotonicClock().now.nanoseconds) / 1000 }
      if left == 0 { throw unanswered(by: stream) }
      try turn(timeout: [left, interval].compactMap { $0 }.min())
      telling()
    } while !once
  }

  /// Runs one iteration of the loop, waiting at most this many microseconds for an event.
  private func turn(timeout: Int64?) throws(SoundServerError) {
    var result = unsafe pa_mainloop_prepare(loop, timeout.map { Int32(clamping: $0) } ?? -1)
    if result >= 0 { result = unsafe pa_mainloop_poll(loop) }
    if result >= 0 { result = unsafe pa_mainloop_dispatch(loop) }
    let state = unsafe pa_context_get_state(context)
    if result < 0 || state == PA_CONTEXT_FAILED || state == PA_CONTEXT_TERMINATED { throw refusal }
  }

  private func unanswered(by stream: OpenStream?) -> SoundServerError {
    guard let stream, unsafe pa_stream_is_suspended(stream.pointer) > 0 else {
      return SoundServerError(
        action: "stop playing", reason: "the sound server does not answer",
        advice: "see whether `pactl info` answers, and start PulseAudio again if not")
    }
    let sink = unsafe pa_stream_get_device_name(stream.pointer).map { unsafe String(cString: $0) } ?? "unknown"
    return SoundServerError(
      action: "stop playing", reason: "the sink “\(sink)” is suspended",
      advice: "resume it with `pactl suspend-sink \(sink) 0`, or choose another with --speaker")
  }

  private func open(_ format: SoundFormat) throws(SoundServerError) -> (OpenStream, SinkFacts?) {
    let action =
      "play \(format.sampleRate) Hz, \(format.channels) channels through " + (sink.map { "“\($0)”" } ?? "the sink")
    var specification = pa_sample_spec(
      format: PA_SAMPLE_FLOAT32LE, rate: UInt32(clamping: format.sampleRate), channels: UInt8(clamping: format.channels)
    )
    guard unsafe pa_sample_spec_valid(&specification) != 0,
      let stream = unsafe pa_stream_new(context, "clip", &specification, nil)
    else { throw SoundServerError(action: action, code: unsafe pa_context_errno(context)) }
    // Start with the first frame that arrives.
    var buffering = unsafe pa_buffer_attr(
      maxlength: .max, tlength: UInt32(clamping: pa_usec_to_bytes(Self.target, &specification)), prebuf: 1,
      minreq: UInt32(clamping: pa_usec_to_bytes(Self.piece, &specification)), fragsize: .max)
    // Overrides the volume that the server remembers of an earlier stream; relative to the sink, which keeps its own
    // volume.
    var volume = pa_cvolume()
    unsafe pa_cvolume_set(&volume, UInt32(specification.channels), pa_volume_t(PA_VOLUME_NORM))
    let flags = pa_stream_flags_t(
      rawValue: PA_STREAM_EARLY_REQUESTS.rawValue | PA_STREAM_AUTO_TIMING_UPDATE.rawValue
        | PA_STREAM_INTERPOLATE_TIMING.rawValue | PA_STREAM_START_UNMUTED.rawValue
        | PA_STREAM_RELATIVE_VOLUME.rawValue)
    // The server answers in order: when the stream is open, the sink is known.
    let found = Found()
    let query = unsafe pa_context_get_sink_info_by_name(
      context, sink ?? "@DEFAULT_SINK@", sinkFound, Unmanaged.passUnretained(found).toOpaque())
    defer {
      if let query = unsafe query {
        unsafe pa_operation_cancel(query)
        unsafe pa_operation_unref(query)
      }
    }
    unsafe pa_stream_connect_playback(stream, sink, &buffering, flags, &volume, nil)
    do {
      try iterate(until: {
        let state = unsafe pa_stream_get_state(stream)
        return state != PA_STREAM_CREATING && state != PA_STREAM_UNCONNECTED
      })
      unsafe try check(OpenStream(pointer: stream), action)
    } catch {
      unsafe pa_stream_unref(stream)
      throw error
    }
    return (unsafe OpenStream(pointer: stream), found.facts)
  }

  private func check(_ stream: OpenStream, _ action: String) throws(SoundServerError) {
    guard unsafe pa_stream_get_state(stream.pointer) != PA_STREAM_READY else { return }
    let code = unsafe pa_context_errno(context)
    throw SoundServerError(
      action: action, code: code,
      advice: code == Int32(PA_ERR_NOENTITY.rawValue) ? "`pactl list short sinks` names the sinks" : nil)
  }

  private func write(
    _ samples: ArraySlice<Float>, at frame: Int, on stream: OpenStream, _ format: SoundFormat
  ) throws(SoundServerError) {
    try check(stream, "go on playing")
    let result = unsafe samples.withUnsafeBytes { bytes in
      unsafe pa_stream_write(
        stream.pointer, bytes.baseAddress, bytes.count, nil,
        Int64(frame * format.channels * MemoryLayout<Float>.stride),
        PA_SEEK_ABSOLUTE)
    }
    guard result == 0 else { throw SoundServerError(action: "go on playing", code: unsafe pa_context_errno(context)) }
  }

  /// Writes a little silence, without which the last frames would remain in the server's resampler.
  private func flush(after written: Written, on stream: OpenStream) throws(SoundServerError) {
    let silence = [Float](repeating: 0, count: 64 * written.format.channels)
    try write(silence[...], at: written.end, on: stream, written.format)
  }

  /// Waits until all is played; `false` if a stop comes first.
  private func drain(_ stream: OpenStream, telling: () -> Void) throws(SoundServerError) -> Bool {
    let operation = try beginToDrain(stream)
    defer { unsafe pa_operation_unref(operation.pointer) }
    try iterate(
      stream, until: { unsafe pa_operation_get_state(operation.pointer) != PA_OPERATION_RUNNING || isStopping },
      every: Self.pulse, telling: telling)
    if unsafe pa_operation_get_state(operation.pointer) == PA_OPERATION_RUNNING { return false }
    try check(stream, "go on playing")
    return true
  }

  private func beginToDrain(_ stream: OpenStream) throws(SoundServerError) -> Operation {
    guard let operation = unsafe pa_stream_drain(stream.pointer, nil, nil) else {
      throw SoundServerError(action: "go on playing", code: unsafe pa_context_errno(context))
    }
    return unsafe Operation(pointer: operation)
  }

  /// Waits until the server has completed an operation, subject to the time limit for stopping.
  private func wait(
    for operation: Operation, on stream: OpenStream, remaining: Duration = .zero
  ) throws(SoundServerError) {
    defer { unsafe pa_operation_unref(operation.pointer) }
    try iterate(
      stream, remaining: remaining,
      until: { unsafe pa_operation_get_state(operation.pointer) != PA_OPERATION_RUNNING })
    try check(stream, "go on playing")
  }

  /// Rewrites the sound ahead of the sink with a ramp to silence.
  private func fadeOut(_ written: inout Written, on stream: OpenStream) throws(SoundServerError) -> Int {
    guard let operation = unsafe pa_stream_update_timing_info(stream.pointer, nil, nil) else { throw refusal }
    unsafe try wait(for: Operation(pointer: operation), on: stream)
    guard let timing = unsafe pa_stream_get_timing_info(stream.pointer)?.pointee else { throw refusal }
    let rate = written.format.sampleRate
    let margin = Frames(nanoseconds: Int64(clamping: timing.configured_sink_usec) * 1000 + 5_000_000, rate: rate).count
    let start = Int(timing.read_index) / written.frameSize + margin
    let end = written.fade(from: start, over: Frames(nanoseconds: Self.fade.nanoseconds, rate: rate).count)
    try write(written.samples(from: start), at: max(start, written.start), on: stream, written.format)
    // The sink still plays the frames that it has taken.
    let remaining = Frames(max(0, end - start)).nanoseconds(rate: rate) + Int64(clamping: timing.sink_usec) * 1000
    let silent = end + Frames(nanoseconds: Self.rest.nanoseconds, rate: rate).count
    guard silent < written.end else {
      try wait(for: beginToDrain(stream), on: stream, remaining: .nanoseconds(remaining))
      return end
    }
    // Do not wait for the rest of the buffer, which is silent by now.
    let over = Duration.nanoseconds(Frames(silent).nanoseconds(rate: rate))
    try iterate(
      stream, remaining: .nanoseconds(remaining) + Self.rest, until: { position(of: stream) >= over },
      every: Self.pulse / 10)
    try check(stream, "go on playing")
    return end
  }
}

/// The sink of a stream, once the server has reported it; used by the player's thread only.
private final class Found {
  var facts: SinkFacts?
}

private func sinkFound(
  _ context: OpaquePointer?, _ facts: UnsafePointer<pa_sink_info>?, _ end: Int32, _ pointer: UnsafeMutableRawPointer?
) {
  guard end == 0, let facts = unsafe facts?.pointee, let pointer = unsafe pointer else { return }
  unsafe Unmanaged<Found>.fromOpaque(pointer).takeUnretainedValue().facts = unsafe SinkFacts(facts)
}

/// A stream that was opened.
@safe private struct OpenStream {
  let pointer: OpaquePointer
}

/// A pending operation of the server.
@safe private struct Operation {
  let pointer: OpaquePointer
}

/// The last part of the sound handed to the server: as much as could still be rewritten.
private struct Written {
  let format: SoundFormat
  private var samples: [Float] = []
  private(set) var start = 0
  private(set) var lastStart = 0

  init(format: SoundFormat) { self.format = format }

  var frameSize: Int { format.channels * MemoryLayout<Float>.stride }
  var duration: Duration { .nanoseconds(Frames(end).nanoseconds(rate: format.sampleRate)) }
  var end: Int { start + samples.count / format.channels }
  /// The samples appended last.
  var last: ArraySlice<Float> { samples(from: lastStart) }

  func samples(from frame: Int) -> ArraySlice<Float> {
    samples[min(max(0, (frame - start) * format.channels), samples.count)...]
  }

  /// Decodes more; `false` at the end of the sound.
  mutating func append(from reader: inout ClipReader, upTo frames: Int) throws(ClipError) -> Bool {
    if end - start > 6 * format.sampleRate {
      let surplus = end - start - 3 * format.sampleRate
      samples.removeFirst(surplus * format.channels)
      start += surplus
    }
    lastStart = end
    return try reader.read(upTo: frames, into: &samples) > 0
  }

  /// Applies a ramp to silence; returns the first silent frame.
  mutating func fade(from frame: Int, over length: Int) -> Int {
    let begin = min(max(frame, start), end)
    var timeline = Timeline(channels: format.channels)
    timeline.place(samples, at: start)
    timeline.cut(at: begin, over: length)
    let silent = min(begin + length, end)
    let first = start
    var span = samples.mutableSpan
    timeline.fill(&span, from: first)
    return silent
  }
}
