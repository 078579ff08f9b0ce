import Basics
import Quantities

/// The timers of a trial, each of which runs until it has sent what it is for or is stopped.
///
/// There are no more of them than stimuli under way and one for the step: a timer that is stopped ends its task.
struct TrialTimers {
  /// What a timer is for.
  enum Purpose: Hashable {
    /// The time of a step, by the timer's number.
    case step(Int)
    /// The patience with a sound.
    case sound(SoundID)
  }

  let clock: any StationClock
  let inbox: TrialInbox
  private var stops: [Purpose: Gate] = [:]

  init(clock: any StationClock, inbox: TrialInbox) {
    self.clock = clock
    self.inbox = inbox
  }

  /// Sends a tick at every whole second that is left until a moment, and then that the time is up.
  mutating func startCountdown(_ timer: Int, until end: Moment, in group: inout DiscardingTaskGroup) {
    let stop = begin(.step(timer))
    group.addTask { [clock, inbox] in
      var remaining = max(.zero, clock.now.duration(to: end))
      while remaining > .zero {
        inbox.send(.tick(timer: timer, remaining: remaining))
        remaining = .seconds((remaining.nanoseconds - 1) / 1_000_000_000)
        guard await Self.wait(until: end.advanced(by: .zero - remaining), unless: stop, clock) else { return }
      }
      inbox.send(.timeUp(timer: timer))
    }
  }

  /// Sends at a moment that a sound is overdue.
  mutating func startWatch(of sound: SoundID, until due: Moment, in group: inout DiscardingTaskGroup) {
    let stop = begin(.sound(sound))
    group.addTask { [clock, inbox] in
      guard await Self.wait(until: due, unless: stop, clock) else { return }
      inbox.send(.soundOverdue(sound))
    }
  }

  /// Stops a timer, if there is one for that.
  mutating func stop(_ purpose: Purpose) { stops.removeValue(forKey: purpose)?.open() }

  private mutating func begin(_ purpose: Purpose) -> Gate {
    stop(purpose)
    let gate = Gate()
    stops[purpose] = gate
    return gate
  }

  /// Whether the moment has come, and neither the stop nor a cancellation before it.
  private static func wait(until moment: Moment, unless stop: Gate, _ clock: any StationClock) async -> Bool {
    await stop.wait(until: moment, on: clock)
    return !stop.isOpen && !Task.isCancelled
  }
}
