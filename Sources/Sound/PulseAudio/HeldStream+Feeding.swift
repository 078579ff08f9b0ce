import CPulse
import Quantities

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
