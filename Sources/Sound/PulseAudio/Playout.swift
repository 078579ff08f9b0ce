import Basics
import Quantities
import Study

/// The state machine of one stimulus on a held stream, free of I/O.
///
/// Its inputs are times, the server's answers and disturbances; its outputs are the steps to take.
struct Playout: Sendable {
  enum Step: Hashable, Sendable {
    case ask
    /// Call ``Playout/timeCame(now:)`` at this moment.
    case wait(until: Moment)
    /// Place the stimulus on the timeline so that it begins at this frame.
    case place(at: Int)
    /// Ramp it to silence from this frame on.
    case cut(at: Int, over: Int)
    /// Overwrite its unplayed part with silence.
    case fadeOut
    case report(PlaybackEvent)
    /// Finish; nothing follows.
    case finish
  }

  enum Phase {
    case pending
    case placing
    /// The stimulus is on the timeline, and is moved slightly shortly before its onset.
    case waiting
    case adjusting
    case placed
    case measuringOnset
    case sounding
    case measuringEnd
    case over
  }

  let rate: Int
  let scheduled: Moment
  let station: Station
  var phase = Phase.pending
  var snapshots: [TimingSnapshot] = []
  /// The stimulus's frames on the stream, once it is placed.
  var frames: Range<Int>
  /// The range for the first audible frame, counted from the stimulus's beginning.
  var firstHeard = 0...0
  /// The placement that the server has yet to confirm: whether the stimulus was there before the sink.
  var placing: Placing?
  var fade: Int?
  var ranDryAt: Int?
  var lostFrames = 0
  var sink: String
  /// When it should have ended, as far as known; later after a suspension.
  var due: Moment
  /// When the pending request was sent.
  var asked: Moment?
  var suspended: Moment?
  /// Whether the next answer must show that the sink is working.
  private var isLooking = false
  /// The sink's position at the last check.
  private var lookedAt: Int?
  /// When the stimulus was written at its current place: it cannot sound earlier.
  var handedOver: Moment?
  /// When it was written at its former place, before it was moved.
  var formerlyHandedOver: Moment?
  /// How often it was placed again because the sink had rushed past it.
  var rushes = 0
  /// The last measurement while it sounded, and its time: the sink should advance evenly from there.
  var lastMeasured: (origin: StreamOrigin, at: Moment)?

  struct Placing {
    /// The former first frame; `nil` for the first placement.
    var former: Int?
    var then: Moment
  }

  /// The constants of a stream.
  struct Station: Hashable, Sendable {
    var rate: Int
    /// How far at most the sink reads ahead of playback, in nanoseconds.
    var sinkLatency: Int64
    /// The rounding of the server's times, in nanoseconds.
    var resolution: Int64
    /// The granularity of the position that the server reports, in nanoseconds; a lower bound on the uncertainty.
    var granularity: Int64 = 0
    /// Whether the server's answers can show a playback shift; not if they jump while the sound plays evenly.
    var tellsShifts = true
    /// Whether each answer sums up all before it, as those do for which a card is followed.
    var followsCard = false
    /// The output latency beyond what the server knows, in nanoseconds.
    var outputLatency: Int64 = 0
    /// How far that may be from the truth, in nanoseconds.
    var outputUncertainty: Int64 = 0
    var sink = ""
    /// How long an answer or the end may be overdue before the stimulus counts as lost, in nanoseconds.
    var limit: Int64 = 2_000_000_000

    /// How far ahead of its onset a stimulus gets its final place: later, the sink may already have taken those frames;
    /// earlier, the sink's clock drifts.
    var placement: Int64 { 2 * sinkLatency + 30_000_000 }

    /// How long before that the first answers are asked for: nine at once, or many over several cycles.
    var reserve: Int64 { tellsShifts ? 200_000_000 : 300_000_000 }

    /// The minimum time ahead at which a stimulus must be handed over, in nanoseconds.
    var lead: Int64 { placement + (tellsShifts ? 10_000_000 : reserve) }

    /// The same where one answer has to do: what the sink has taken, and twice the margin of ``Playout/earliestFrame``.
    var leastLead: Int64 { tellsShifts ? min(lead, sinkLatency + 2 * Playout.margin) : lead }
  }

  /// Creates the playout of a stimulus of this many frames with a scheduled onset.
  init(frames: Int, at scheduled: Moment, on station: Station) {
    rate = station.rate
    self.scheduled = scheduled
    self.station = station
    self.frames = 0..<frames
    sink = station.sink
    due = Moment(nanoseconds: scheduled.nanoseconds + Frames(frames).nanoseconds(rate: station.rate))
  }

  /// Whether its onset has been measured and its end has not.
  var isSounding: Bool {
    switch phase {
    case .sounding, .measuringEnd: true
    default: false
    }
  }

  func begin() -> Step {
    .wait(until: Moment(nanoseconds: scheduled.nanoseconds - station.placement - station.reserve))
  }

  mutating func timeCame(now: Moment) -> [Step] {
    switch phase {
    case .pending: phase = .placing
    case .waiting: phase = .adjusting
    case .placed: phase = .measuringOnset
    case .sounding: phase = .measuringEnd
    case .placing, .adjusting, .measuringOnset, .measuringEnd: break
    case .over: return []
    }
    asked = asked ?? now
    return [.ask]
  }

  /// Ends the stimulus early, with a ramp to silence over this many frames.
  mutating func stop(fade: Int, now: Moment) -> [Step] {
    guard phase != .over, self.fade == nil else { return [] }
    self.fade = max(fade, 1)
    due = min(due, later(now, by: Frames(fade).nanoseconds(rate: rate)))
    asked = asked ?? now
    return [.ask]
  }

  /// Ends the stimulus with its clip, whose number of frames was not known before.
  mutating func shorten(to count: Int, now: Moment) -> [Step] {
    frames = frames.lowerBound..<min(frames.upperBound, frames.lowerBound + count)
    due = min(due, later(now, by: station.placement + Frames(count).nanoseconds(rate: rate)))
    guard phase == .sounding, let (origin, _) = lastMeasured else { return [] }
    return [waitForEnd(by: origin, now: now)]
  }

  /// When ``deadlineCame(now:)`` is due; every input may change it.
  var deadline: Moment? { phase == .over ? nil : later(asked ?? due, by: station.limit) }

  /// Handles the deadline: without an answer or a working sink, the stimulus is lost.
  mutating func deadlineCame(now: Moment) -> [Step] {
    guard let deadline, deadline <= now else { return [] }
    if let asked {
      let tenths = Int64((asked.duration(to: now).seconds * 10).rounded())
      return fail("the sound server has not answered for \(tenths / 10).\(tenths % 10) s")
    }
    if suspended != nil { return fail("the sink “\(sink)” is suspended") }
    isLooking = true
    asked = now
    return [.ask]
  }

  mutating func disturbed(_ disturbance: Disturbance<Moment>, now: Moment) -> [Step] {
    guard phase != .over else { return [] }
    switch disturbance {
    case .suspended:
      suspended = suspended ?? now
      lastMeasured = nil
    case .resumed:
      lastMeasured = nil
      if let since = suspended.take() {
        let whole = later(now, by: station.placement + Frames(frames.count).nanoseconds(rate: rate))
        due = max(due, min(later(due, by: now.nanoseconds - since.nanoseconds), whole))
      }
    case .moved(let sink): self.sink = sink
    case .underrun, .muted, .unmuted, .volumeChanged, .shifted, .otherProgram, .other: break
    }
    return [.report(.disturbed(disturbance))]
  }

  private mutating func fail(_ reason: String) -> [Step] {
    phase = .over
    return [.fadeOut, .report(.failed(reason: reason)), .finish]
  }

  /// Whether the sink has advanced since the last check; it has until the next deadline to advance further.
  private mutating func isWorking(_ snapshot: TimingSnapshot, now: Moment) -> Bool {
    defer { lookedAt = snapshot.readFrame }
    due = now
    return lookedAt.map { $0 < snapshot.readFrame } ?? true
  }

  /// Handles an underrun at this frame; the first answer after the gap is filled shows its length.
  mutating func underran(at frame: Int) {
    ranDryAt = ranDryAt ?? frame
  }

  /// Whether an answer is needed to determine the length of a gap.
  var isDry: Bool { ranDryAt != nil }

  /// Handles an answer of the server to a request that, if stale, was sent before the stimulus was last placed.
  mutating func answered(_ snapshot: TimingSnapshot, now: Moment, isStale: Bool = false) -> [Step] {
    // The answer to the request sent after placing is still to come.
    let isAwaiting = placing != nil && isStale
    if !isAwaiting { asked = nil }
    var steps: [Step] = []
    if isLooking {
      isLooking = false
      guard isWorking(snapshot, now: now) else { return fail("the sink “\(sink)” plays nothing") }
    }
    if let dry = ranDryAt {
      ranDryAt = nil
      steps += gapEnded(from: dry, snapshot)
    }
    if isAwaiting { return steps }
    if let placing = placing.take() { steps += confirm(placing, snapshot) }
    if let fade, phase != .pending, phase != .placing {
      self.fade = nil
      return steps + cut(over: fade, snapshot, now: now)
    }
    return steps + measure(snapshot, now: now)
  }

  mutating func askAgain(now: Moment) -> [Step] {
    asked = now
    return [.ask]
  }

  func later(_ moment: Moment, by nanoseconds: Int64) -> Moment {
    Moment(nanoseconds: moment.nanoseconds + nanoseconds)
  }
}
