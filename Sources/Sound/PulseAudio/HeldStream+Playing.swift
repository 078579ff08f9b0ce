import Basics
import CPulse
import Quantities
import Study

extension HeldStream {
  /// Places a stimulus; returns when it is on the stream, shortly before its onset.
  ///
  /// - Throws: ``SoundServerError`` if the sound is lost before that; `CancellationError` if the task is cancelled.
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

  /// Ends the stimulus with a ramp to silence.
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
