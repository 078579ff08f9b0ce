import CPulse
import Quantities

extension HeldStream {
  static func microseconds(_ moment: Moment) -> pa_usec_t {
    pa_usec_t(max(0, (moment.nanoseconds + 999) / 1000))
  }

  func wait(until moment: Moment) {
    guard let stream = unsafe state.pointee.stream, let timer = unsafe state.pointee.timer else { return }
    unsafe pa_context_rttime_restart(pa_stream_get_context(stream), timer, Self.microseconds(moment))
  }

  func timeCame() {
    if unsafe state.pointee.opening != nil { return ask() }
    perform(unsafe state.pointee.performance?.playout.timeCame(now: MonotonicClock().now) ?? [])
  }

  /// Sets the watchdog to the playout's deadline; disables it if there is none.
  func watch() {
    if unsafe state.pointee.opening == nil { watch(until: deadline) }
  }

  /// The limit for opening the stream; after that, the playout's deadline for an answer.
  private var deadline: Moment? {
    unsafe state.pointee.opening == nil
      ? state.pointee.performance?.playout.deadline : state.pointee.openingEnd
  }

  private func watch(until deadline: Moment?) {
    guard let stream = unsafe state.pointee.stream, let watchdog = unsafe state.pointee.watchdog else { return }
    unsafe pa_context_rttime_restart(
      pa_stream_get_context(stream), watchdog, deadline.map(Self.microseconds) ?? .max)
  }

  func deadlineCame() {
    let now = MonotonicClock().now
    let isOpening = unsafe state.pointee.opening != nil
    let limit = isOpening ? patience.opening : patience.answer
    if let deadline, let end = unsafe state.pointee.grace.extend(deadline, by: limit, at: now) {
      return watch(until: end)
    }
    if isOpening { return giveUpOpening() }
    perform(unsafe state.pointee.performance?.playout.deadlineCame(now: now) ?? [])
  }

  /// Requests the stream's timing, or a reading for the card's course alone; the server answers in order, after the data
  /// written before.
  func ask(isReading: Bool = false) {
    guard let stream = unsafe state.pointee.stream else { return }
    let box = unsafe Unmanaged.passUnretained(self).toOpaque()
    guard let operation = unsafe pa_stream_update_timing_info(stream, streamAnswered, box) else { return }
    unsafe pa_operation_unref(operation)
    unsafe state.pointee.asked += 1
    if isReading { unsafe state.pointee.readings.insert(state.pointee.asked) }
  }

  func answered(_ success: Bool) {
    guard let stream = unsafe state.pointee.stream else { return }
    unsafe state.pointee.answered += 1
    let isReading = unsafe state.pointee.readings.remove(state.pointee.answered) != nil
    let stale = unsafe state.pointee.performance?.staleAnswers ?? 0
    unsafe state.pointee.performance?.staleAnswers = max(0, stale - 1)
    let now = MonotonicClock().now
    guard success, let timing = unsafe pa_stream_get_timing_info(stream)?.pointee, timing.read_index_corrupt == 0 else {
      if isReading { return readOn() }
      // The watchdog ends this if no answer ever comes.
      if unsafe state.pointee.opening != nil || state.pointee.performance != nil { ask() }
      return
    }
    let answer = TimingSnapshot(timing, format)
    let snapshot = unsafe state.pointee.course?.take(answer) ?? answer
    if isReading { return readOn() }
    if unsafe !state.pointee.station.tellsShifts {
      // The cycle reported by the server may be longer than assumed.
      unsafe state.pointee.station.granularity = max(
        state.pointee.station.granularity, Int64(clamping: timing.configured_sink_usec) * 1000)
    }
    unsafe state.pointee.station.sinkLatency =
      max(snapshot.sinkLatency, Int64(clamping: timing.configured_sink_usec) * 1000)
    if unsafe state.pointee.opening != nil {
      opened(snapshot, now, timing.playing != 0)
    } else {
      perform(
        unsafe state.pointee.performance?.playout.answered(snapshot, now: now, isStale: stale > 0) ?? [])
    }
  }
}

// Looks at a card's position now and then, so that its course is known.

extension HeldStream {
  /// How long the position is looked at closely when a stream is opened, and the pause between two looks.
  ///
  /// After 3 s the card's pace is not yet known well enough where the position moves in long steps.
  private static let close = (time: Duration.seconds(10), pause: Duration.microseconds(1900))
  /// The pause between two looks afterwards.
  private static let pause = Duration.milliseconds(47)
  /// How often the server is asked then.
  private static let several = 4

  /// How long opening takes for the card's sake.
  var lookingTime: Duration { unsafe state.pointee.course == nil ? .zero : Self.close.time }

  /// When to look next while the stream is opened; `nil` if the card was looked at for long enough, or is not followed.
  func nextLook(_ now: Moment) -> Moment? {
    guard unsafe state.pointee.course != nil else { return nil }
    let end = unsafe state.pointee.closeUntil ?? now.advanced(by: Self.close.time)
    unsafe state.pointee.closeUntil = end
    guard now >= end else { return now.advanced(by: Self.close.pause) }
    readLater(now)
    return nil
  }

  /// Asks several times: threads that have just run wake sooner, which narrows the bounds.
  func readCard() {
    unsafe state.pointee.toAsk = Self.several
    readOn()
  }

  /// Asks once more, or waits until the card is looked at again.
  func readOn() {
    guard unsafe state.pointee.toAsk > 0 else { return readLater(MonotonicClock().now) }
    unsafe state.pointee.toAsk -= 1
    ask(isReading: true)
  }

  private func readLater(_ now: Moment) {
    guard let stream = unsafe state.pointee.stream, let reader = unsafe state.pointee.reader else { return }
    unsafe pa_context_rttime_restart(
      pa_stream_get_context(stream), reader, Self.microseconds(now.advanced(by: Self.pause)))
  }
}
