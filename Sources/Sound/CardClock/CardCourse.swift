// The clocks of sound cards, whose positions move in steps: this folder, `CLibraries/CCardClock` and `CPipeWire/Clock.c`.
// Nobody needs to touch them: they are right within what `Benchmarks/onset/cards.py` measures on simulated cards, and nothing
// else depends on how they do it. Speakers ask for moments and uncertainties alone.

import CCardClock
import Quantities

/// When a stream's frames leave a card that PulseAudio drives by interrupts.
///
/// Whenever the server is asked for a stream's time, it looks at the card and fills the card's buffer up: the frames
/// that it has taken from the stream, less the buffer, are what the card has played, in the steps of its position. The
/// server's own answer is an average over the steps that takes half a minute to become steady
/// (`pulsecore/time-smoother_2.c`); it counts for what the position leaves out, such as the delay of a USB card.
///
/// Its owner holds PulseAudio's lock.
@safe final class CardCourse {
  private let clock: UnsafeMutablePointer<ccardclock>
  /// The frames of the card's buffer.
  private let buffer: Int
  private let rate: Int
  /// What is allowed for the steps until they are known, in nanoseconds.
  private let granularity: Int64
  /// By how much, in nanoseconds, the server's answer was at least later than the card's position.
  private var least = Int64.max
  /// The number of answers in a row that contradict all before them.
  private var contradictions = 0

  /// The minimum number of readings that show a restart of the card; fewer were given before the server looked at it.
  private static let restart = 4

  init(buffer: Int, rate: Int, granularity: Int64) {
    (self.buffer, self.rate, self.granularity) = (buffer, rate, granularity)
    unsafe clock = .allocate(capacity: 1)
    unsafe clock.initialize(to: ccardclock())
    unsafe ccardclock_clear(clock, UInt32(clamping: rate))
  }

  deinit { unsafe clock.deallocate() }

  /// Takes an answer of the server; returns one whose bounds are those of the whole course.
  func take(_ answer: TimingSnapshot) -> TimingSnapshot {
    let played = answer.readFrame - buffer
    // While the buffer is filled for the first time, the card plays nothing.
    guard played >= 0 else { return widened(answer) }
    let from = answer.stamped - (answer.latest - answer.earliest)
    contradictions = unsafe ccardclock_excludes(clock, Int64(played), from, answer.stamped) ? contradictions + 1 : 0
    if contradictions == Self.restart {
      unsafe ccardclock_clear(clock, UInt32(clamping: rate))
      (contradictions, least) = (0, .max)
    }
    if contradictions == 0 { unsafe ccardclock_add(clock, Int64(played), from, answer.stamped) }
    guard unsafe ccardclock_is_known(clock) else { return widened(answer) }
    let frame = Double(answer.readFrame)
    let origin = unsafe Int64(ccardclock_moment(clock, frame)) - Frames(answer.readFrame).nanoseconds(rate: rate)
    let later = answer.earliest + (answer.latest - answer.earliest) / 2 - origin
    if contradictions == 0 { least = min(least, later) }
    // The server sees the position late by less than a step; what is beyond that, the position does not show.
    let hidden = unsafe max(0, least - Int64(ccardclock_step(clock)))
    let uncertainty = unsafe max(Int64(ccardclock_uncertainty(clock)), abs(later - hidden))
    var snapshot = answer
    snapshot.earliest = origin + hidden - uncertainty
    snapshot.latest = origin + hidden + uncertainty
    return snapshot
  }

  private func widened(_ answer: TimingSnapshot) -> TimingSnapshot {
    var answer = answer
    answer.earliest -= granularity
    answer.latest += granularity
    return answer
  }
}
