import CPulse
import Quantities

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
