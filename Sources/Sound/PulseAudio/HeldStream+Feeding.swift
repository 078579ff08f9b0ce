import CPulse

extension HeldStream {
  /// How much of a stimulus is handed over beyond what the server asks for, in bytes; it takes 4 MiB at most.
  ///
  /// The server asks again when that is played, so a busy machine can harm the sound only for moments seconds apart.
  private static let provision = 1 << 20

  /// How much of a stimulus is handed over when it is placed, in parts of a second: the next question to the server
  /// stands behind it, and the server asks for the rest.
  private static let firstPart = 4

  /// Hands the server as many frames as it asks for, and more of a stimulus.
  func feed(bytes: Int) {
    let wanted = unsafe state.pointee.written + bytes / frameSize
    let ahead = unsafe min(state.pointee.timeline.stimulus.upperBound, wanted + Self.provision / frameSize)
    write(through: max(wanted, ahead))
    if unsafe state.pointee.performance?.playout.isDry == true { ask() }
  }

  /// Lays a stimulus on the timeline and hands its beginning over, with what was written ahead in its place.
  func place(_ samples: StimulusSamples, at frame: Int) {
    let former = unsafe state.pointee.timeline.stimulus
    unsafe state.pointee.timeline.place(samples, at: frame)
    let stimulus = unsafe state.pointee.timeline.stimulus
    // A server whose client was held up may have got less than this, and would play on without it.
    rewrite(
      from: former.isEmpty ? frame : min(frame, former.lowerBound),
      through: min(stimulus.upperBound, frame + format.sampleRate / Self.firstPart))
  }

  /// Lets the stimulus fall to silence from a frame on.
  func cut(at frame: Int, over fade: Int) {
    unsafe state.pointee.timeline.cut(at: frame, over: fade)
    rewrite(from: frame)
  }

  /// Puts silence in place of all that the server may still have of the stimulus, lest it sound when nobody expects it.
  func hush() {
    let former = unsafe state.pointee.timeline.stimulus
    guard !former.isEmpty else { return }
    unsafe state.pointee.timeline.clear()
    let kept = 2 * Self.provision / frameSize + format.sampleRate
    rewrite(from: unsafe max(former.lowerBound, state.pointee.written - kept))
  }

  /// Writes again what was written ahead of `frame`, now that the timeline has changed, and on to `end`.
  private func rewrite(from frame: Int, through end: Int = 0) {
    let end = unsafe max(end, state.pointee.written)
    unsafe state.pointee.written = min(frame, state.pointee.written)
    write(through: end)
  }

  /// Writes the timeline from where the server has it to `end`; allocates nothing.
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
    }
  }
}
