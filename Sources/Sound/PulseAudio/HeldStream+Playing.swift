import Basics
import CPulse
import Quantities
import Study

extension HeldStream {
  /// Places a stimulus; returns when it is on the stream, shortly before its onset.
  func play(_ stimulus: Stimulus, at moment: Moment, on connection: PulseConnection) async throws -> PulsePlayback {
    let (events, continuation) = AsyncStream.makeStream(of: PlaybackEvent.self)
    let request = PlayRequest()
    try await withTaskCancellationHandler {
      try await request.placed.wait {
        connection.locked { begin(stimulus, at: moment, continuation, request) }
      }
    } onCancel: {
      request.abandon()
      connection.ring()
    }
    return PulsePlayback(events, on: self, of: connection)
  }

  private func begin(
    _ stimulus: Stimulus, at moment: Moment, _ events: AsyncStream<PlaybackEvent>.Continuation, _ request: PlayRequest
  ) {
    if let problem = problem(playing: request) { return request.placed.finish(.failure(problem)) }
    let playout = unsafe Playout(frames: stimulus.frames, at: moment, on: state.pointee.station)
    unsafe state.pointee.performance = Performance(
      playout: playout, samples: stimulus.samples, events: events, request: request)
    if unsafe pa_stream_is_suspended(state.pointee.stream) > 0 { disturbed(.suspended) }
    if let volume = unsafe state.pointee.volume, unsafe volume != state.pointee.reference {
      disturbed(.volumeChanged(to: volume))
    }
    perform([playout.begin()])
    unsafe state.pointee.others.told = []
    askForOthers()
  }

  /// Why nothing can be played now.
  private func problem(playing request: PlayRequest) -> (any Error)? {
    if request.isAbandoned { return CancellationError() }
    if let failure { return failure }
    if isPlaying { return SoundServerError(action: "play", reason: "another stimulus is still playing") }
    return unsafe state.pointee.silence
  }

  /// Drops a stimulus that has not been placed and whose caller was cancelled.
  func dropAbandoned() {
    guard let request = unsafe state.pointee.performance?.request, request.isAbandoned else { return }
    unsafe state.pointee.performance.take()?.events.finish()
    request.placed.finish(.failure(CancellationError()))
  }

  func stop(fade: Duration) {
    let frames = Frames(nanoseconds: fade.nanoseconds, rate: format.sampleRate).count
    perform(unsafe state.pointee.performance?.playout.stop(fade: frames, now: MonotonicClock().now) ?? [])
  }

  func perform(_ steps: [Playout.Step]) {
    for step in steps {
      switch step {
      case .ask: ask()
      case .wait(let moment): wait(until: moment)
      case .place(let frame):
        guard let performance = unsafe state.pointee.performance else { return }
        place(performance.samples, at: frame)
        unsafe state.pointee.performance?.staleAnswers = state.pointee.asked - state.pointee.answered
        unsafe state.pointee.performance?.request = nil
        performance.request?.placed.finish(.success(()))
      case .cut(let frame, let fade): cut(at: frame, over: fade)
      case .fadeOut: fadeOut()
      case .report(let event): report(event)
      case .finish:
        unsafe state.pointee.timeline.clear()
        unsafe state.pointee.performance.take()?.events.finish()
      }
    }
    watch()
  }

  /// Reports an event; for a stimulus that fails before it is placed, fails the request instead.
  private func report(_ event: PlaybackEvent) {
    if case .failed(let reason) = event, let request = unsafe state.pointee.performance?.request {
      unsafe state.pointee.performance?.request = nil
      request.placed.finish(.failure(SoundServerError(action: "play", reason: reason, advice: Self.advice)))
    } else {
      unsafe state.pointee.performance?.events.yield(event)
      if case .started = event { tellOthers() }
    }
  }

  private static let advice =
    "see whether `pactl list short sinks` answers and shows the sink running, or choose another with --speaker"

  func underran() {
    guard let stream = unsafe state.pointee.stream else { return }
    let frame = unsafe Int(pa_stream_get_underflow_index(stream)) / frameSize
    unsafe state.pointee.performance?.playout.underran(at: frame)
  }

  func disturbed(_ disturbance: Disturbance<Moment>) {
    if case .moved(let sink) = disturbance { unsafe state.pointee.station.sink = sink }
    perform(unsafe state.pointee.performance?.playout.disturbed(disturbance, now: MonotonicClock().now) ?? [])
  }
}

extension HeldStream {
  /// The amount of a stimulus that is written beyond the server's request, in bytes; the server accepts 4 MiB at most.
  ///
  /// The server's next request comes when that is played, so a busy machine can affect the sound only at instants that
  /// are seconds apart.
  private static let provision = 1 << 20

  /// The amount of a stimulus that is written when it is placed, as a fraction of a second (1/4): the next timing
  /// request queues behind it, and the server requests the rest.
  private static let firstPart = 4

  /// Writes as many frames as the server requests, and more of a stimulus.
  func feed(bytes: Int) {
    let wanted = unsafe state.pointee.written + bytes / frameSize
    let ahead = unsafe min(state.pointee.timeline.stimulus.upperBound, wanted + Self.provision / frameSize)
    write(through: max(wanted, ahead))
    if unsafe state.pointee.performance?.playout.isDry == true { ask() }
  }

  /// Places a stimulus on the timeline, rewrites the frames written ahead, and writes its beginning.
  func place(_ samples: StimulusSamples, at frame: Int) {
    let former = unsafe state.pointee.timeline.stimulus
    unsafe state.pointee.timeline.place(samples, at: frame)
    let stimulus = unsafe state.pointee.timeline.stimulus
    // If this client was delayed, the server may have received less than this, and would play on without it.
    rewrite(
      from: former.isEmpty ? frame : min(frame, former.lowerBound),
      through: min(stimulus.upperBound, frame + format.sampleRate / Self.firstPart))
  }

  /// Ends the stimulus with a ramp to silence from a frame on.
  func cut(at frame: Int, over fade: Int) {
    unsafe state.pointee.timeline.cut(at: frame, over: fade)
    rewrite(from: frame)
  }

  /// Overwrites what the server may still have of the stimulus with silence, so that it cannot sound later.
  func fadeOut() {
    let former = unsafe state.pointee.timeline.stimulus
    guard !former.isEmpty else { return }
    unsafe state.pointee.timeline.clear()
    let kept = 2 * Self.provision / frameSize + format.sampleRate
    rewrite(from: unsafe max(former.lowerBound, state.pointee.written - kept))
  }

  /// Rewrites the frames from `frame` on after a change of the timeline, and continues to `end`.
  private func rewrite(from frame: Int, through end: Int = 0) {
    let end = unsafe max(end, state.pointee.written)
    unsafe state.pointee.written = min(frame, state.pointee.written)
    write(through: end)
  }

  /// Writes the timeline from the server's position to `end`; allocates nothing, unless a clip is decoded.
  private func write(through end: Int) {
    guard let stream = unsafe state.pointee.stream else { return }
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
      if let frames = unsafe state.pointee.timeline.shorten() {
        perform(unsafe state.pointee.performance?.playout.shorten(to: frames, now: MonotonicClock().now) ?? [])
      }
    }
  }
}
