import Basics
import Quantities
import Synchronization

/// The one queue through which everything reaches a trial's machine, stamped as it is put in.
///
/// It cannot grow without limit: of the timers, the sounds and the sensors there is at most a handful under way, each of
/// which sends a handful of inputs, and keys beyond ``maxKeys`` wait outside or are left out.
final class TrialInbox: Sendable {
  /// The maximum number of keys that wait: more come from a text that is pasted, or a key that is held down.
  static let maxKeys = 32

  private struct Room {
    var waiting: [CheckedContinuation<Void, Never>] = []
    var isOver = false
  }

  let clock: any StationClock
  /// What was put in, in that order; read once.
  let inputs: AsyncStream<(TrialInput, Moment)>
  private let continuation: AsyncStream<(TrialInput, Moment)>.Continuation
  private let keys = Atomic(0)
  private let room = Mutex(Room())
  /// The keys that were pressed before the trial began, which wait for its first step; `nil` once it has begun.
  private let early = Mutex<[(TrialInput, Moment?)]?>([])

  init(clock: any StationClock) {
    self.clock = clock
    (inputs, continuation) = AsyncStream.makeStream()
  }

  func send(_ input: TrialInput, at moment: Moment? = nil) {
    if input.isKey {
      guard keys.load(ordering: .relaxed) < Self.maxKeys else { return }
      keys.add(1, ordering: .relaxed)
    }
    early.withLock { early in
      if input.isPressed, early != nil {
        early?.append((input, moment))
        return
      }
      continuation.yield((input, moment ?? clock.now))
      guard input == .begin, let held = early else { return }
      early = nil
      for (key, moment) in held { continuation.yield((key, moment ?? clock.now)) }
    }
  }

  /// Puts a key in, as soon as fewer than ``maxKeys`` wait; one that comes after the trial is left out.
  func put(_ key: OperatorKey, at moment: Moment? = nil) async {
    await withCheckedContinuation { continuation in
      let isRoom = room.withLock { room in
        if room.isOver || keys.load(ordering: .relaxed) < Self.maxKeys { return true }
        room.waiting.append(continuation)
        return false
      }
      if isRoom { continuation.resume() }
    }
    send(.pressed(key), at: moment)
  }

  /// An input was taken out.
  func took(_ input: TrialInput) {
    guard input.isKey else { return }
    keys.subtract(1, ordering: .relaxed)
    makeRoom(isOver: false)
  }

  /// No more inputs are taken out; a sender that waits for room goes on.
  func close() { makeRoom(isOver: true) }

  private func makeRoom(isOver: Bool) {
    let waiting = room.withLock { room in
      room.isOver = room.isOver || isOver
      defer { room.waiting = [] }
      return room.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

extension TrialInput {
  /// Whether it comes from the keyboard, the end of its input included.
  fileprivate var isPressed: Bool {
    if case .pressed = self { true } else { false }
  }

  /// Whether a person's key was pressed; the one that stops the trial is never left out.
  fileprivate var isKey: Bool {
    if case .pressed(let key) = self { key != .end } else { false }
  }
}

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
