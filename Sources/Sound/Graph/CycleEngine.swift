import Basics
import CPipeWire
import Quantities

/// The engine that plays a sound into the cycles of a graph, on PipeWire's real-time thread.
///
/// The real-time part is written in C (`Engine.c`): it may neither allocate nor wait. One thread at a
/// time calls the functions here, but for the status; the samples and results pass through prepared buffers.
@safe final class CycleEngine: Sendable {
  /// An event of the engine, with frames of the graph.
  enum Event: Hashable, Sendable {
    /// The first frame leaves the sink at this moment.
    case started(MeasuredMoment)
    /// The sound ends at this moment; so many frames were played.
    case ended(MeasuredMoment, frames: Int)
    /// From this moment on, so many frames were not played.
    case lost(at: Moment, frames: Int)
    /// What follows leaves the sink later by this much.
    case shifted(by: Duration)
    case driverChanged(UInt32)
    case rateChanged(Int)
  }

  nonisolated(unsafe) let pointer: OpaquePointer  // the owner's calls are serialised by the connection's lock
  let ports: Int

  /// The frames that are prepared ahead: 2.7 s at 48 kHz.
  static let capacity: Int64 = 1 << 17

  init(ports: Int) throws(SoundServerError) {
    guard let pointer = unsafe cpipewire_engine_new(Int32(clamping: ports), Self.capacity) else {
      throw SoundServerError(action: "play through PipeWire", reason: "no memory for the sound")
    }
    unsafe self.pointer = pointer
    self.ports = ports
  }

  deinit { unsafe cpipewire_engine_free(pointer) }

  struct Status: Hashable, Sendable {
    /// The cycles since the last disturbance of the clock.
    var steady = 0
    /// When the last cycle's work was done; `nil` before the first.
    var finished: Moment?
    /// The graph's quantum, in frames.
    var quantum = 0
    /// The graph's frames per second.
    var rate = 0
    var driver: UInt32 = 0
    /// The delay of the card's buffer.
    var delay = Duration.zero
    /// The frames by which the card's position moves at once; 0 while that is not known.
    var step = 0
    /// How often the course of the card's position began again, as after a restart of the card; 0 where the card has another
    /// rate than the graph, which hides its steps.
    var starts = 0

    var cycle: Duration { .nanoseconds(Frames(quantum).nanoseconds(rate: max(rate, 1))) }
  }

  var status: Status {
    let status = unsafe cpipewire_engine_status(pointer)
    return Status(
      steady: Int(status.steady), finished: status.finished > 0 ? Moment(nanoseconds: status.finished) : nil,
      quantum: Int(status.duration), rate: Int(status.rate), driver: status.driver, delay: .nanoseconds(status.delay),
      step: Int(status.step), starts: Int(status.starts))
  }

  /// Whether a sound is loaded and not over.
  var isBusy: Bool { unsafe cpipewire_engine_is_busy(pointer) }

  /// The number of frames that can be written now.
  var room: Int { unsafe Int(cpipewire_engine_room(pointer)) }

  /// Says how the driver's clock is to be read: in which rate a card counts its delay, if not in the graph's, and whether the
  /// sink drives the graph, so that the delay is its own.
  func tune(cardRate: Int?, _ timing: SpeakerTiming, isDriver: Bool) {
    let isCard = timing.basis == .position
    // A card's clock scatters, besides by the steps of its position; any other keeps its course.
    let tolerance: Int64 = isCard ? 2_000_000 : 100_000
    unsafe cpipewire_engine_tune(
      pointer, UInt32(clamping: cardRate ?? 0), timing.granularity.nanoseconds, isCard, isDriver, tolerance)
  }

  /// Loads a sound of so many frames, due at a moment; `false` while another plays.
  func load(due: Moment, frames: Int, rate: Int) -> Bool {
    unsafe cpipewire_engine_load(pointer, due.nanoseconds, Int64(frames), UInt32(clamping: rate))
  }

  /// Writes frames, interleaved for the ports.
  func write(_ samples: [Float]) {
    unsafe samples.withUnsafeBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      unsafe cpipewire_engine_write(pointer, start, Int64(samples.count / ports))
    }
  }

  /// Says how many frames there are, where that was not known when the sound was loaded.
  func limit(_ frames: Int) { unsafe cpipewire_engine_limit(pointer, Int64(frames)) }

  func start() { unsafe cpipewire_engine_start(pointer) }

  /// Ends the sound with a ramp to silence over so many frames.
  func stop(fade: Int) { unsafe cpipewire_engine_stop(pointer, Int64(fade)) }

  func next() -> Event? {
    var event = cpipewire_event()
    while unsafe cpipewire_engine_next(pointer, &event) { if let known = Event(event) { return known } }
    return nil
  }

  /// Works on a cycle as the real-time thread does, for tests; allocates nothing.
  func work(_ cycle: inout cpipewire_cycle, _ planes: UnsafePointer<UnsafeMutablePointer<Float>?>) {
    unsafe _ = cpipewire_engine_cycle(pointer, &cycle, planes)
    unsafe cpipewire_engine_finish(pointer, cycle.now)
  }
}

extension CycleEngine.Event {
  init?(_ event: cpipewire_event) {
    let moment = Moment(nanoseconds: event.moment)
    let measured = MeasuredMoment(moment: moment, uncertainty: .nanoseconds(event.uncertainty))
    switch Int(event.kind) {
    case cpipewire_started: self = .started(measured)
    case cpipewire_ended: self = .ended(measured, frames: Int(event.frames))
    case cpipewire_lost: self = .lost(at: moment, frames: Int(event.frames))
    case cpipewire_shifted: self = .shifted(by: .nanoseconds(event.moment))
    case cpipewire_driver_changed: self = .driverChanged(UInt32(clamping: event.frames))
    case cpipewire_rate_changed: self = .rateChanged(Int(event.frames))
    default: return nil
    }
  }
}
