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

  /// Sets the watchdog to the playout's deadline; after it, to nothing.
  func watch() { watch(until: unsafe state.pointee.performance?.playout.deadline) }

  private func watch(until deadline: Moment?) {
    guard let stream = unsafe state.pointee.stream, let watchdog = unsafe state.pointee.watchdog,
      unsafe state.pointee.opening == nil
    else { return }
    unsafe pa_context_rttime_restart(
      pa_stream_get_context(stream), watchdog, deadline.map(Self.microseconds) ?? .max)
  }

  func deadlineCame() {
    if unsafe state.pointee.opening != nil { return giveUpOpening() }
    let now = MonotonicClock().now
    if let deadline = unsafe state.pointee.performance?.playout.deadline,
      let end = unsafe state.pointee.grace.extend(deadline, at: now)
    {
      return watch(until: end)
    }
    perform(unsafe state.pointee.performance?.playout.deadlineCame(now: now) ?? [])
  }

  /// Asks the server what it is playing; it answers in order, after what was handed over before.
  func ask() {
    guard let stream = unsafe state.pointee.stream else { return }
    let box = unsafe Unmanaged.passUnretained(self).toOpaque()
    guard let operation = unsafe pa_stream_update_timing_info(stream, streamAnswered, box) else { return }
    unsafe pa_operation_unref(operation)
    unsafe state.pointee.asked += 1
  }

  func answered(_ success: Bool) {
    guard let stream = unsafe state.pointee.stream else { return }
    unsafe state.pointee.answered += 1
    let stale = unsafe state.pointee.performance?.staleAnswers ?? 0
    unsafe state.pointee.performance?.staleAnswers = max(0, stale - 1)
    let now = MonotonicClock().now
    guard success, let timing = unsafe pa_stream_get_timing_info(stream)?.pointee, timing.read_index_corrupt == 0 else {
      // A question that is never answered is the watchdog's business, which also ends this.
      if unsafe state.pointee.opening != nil || state.pointee.performance != nil { ask() }
      return
    }
    let snapshot = TimingSnapshot(timing, format)
    if unsafe !state.pointee.station.tellsShifts {
      // What the server says of its cycle may be longer than what was assumed.
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
