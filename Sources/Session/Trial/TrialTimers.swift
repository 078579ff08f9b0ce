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

  /// Sends that the time is up at a moment, and, if that is asked for, a tick at every whole second that is left until then.
  mutating func startCountdown(_ timer: Int, until end: Moment, ticks: Bool, in group: inout DiscardingTaskGroup) {
    let stop = begin(.step(timer))
    group.addTask { [clock, inbox] in
      await stop.whileClosed {
        var remaining = max(.zero, clock.now.duration(to: end))
        while remaining > .zero {
          if ticks { inbox.send(.tick(timer: timer, remaining: remaining)) }
          remaining = ticks ? .seconds((remaining.nanoseconds - 1) / 1_000_000_000) : .zero
          do { try await clock.sleep(until: end.advanced(by: .zero - remaining), tolerance: nil) } catch { return }
          guard !stop.isOpen else { return }
        }
        inbox.send(.timeUp(timer: timer))
      }
    }
  }

  /// Sends at a moment that a sound is overdue.
  mutating func startWatch(of sound: SoundID, until due: Moment, in group: inout DiscardingTaskGroup) {
    let stop = begin(.sound(sound))
    group.addTask { [clock, inbox] in
      await stop.wait(until: due, on: clock)
      guard !stop.isOpen, !Task.isCancelled else { return }
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
}
