import Basics
import Quantities
import Study

/// The course of one stimulus on a held stream, decided without touching the server.
///
/// It is told what happens — time, the server's answers, trouble — and says what to do about it.
struct Playout: Sendable {
  /// What is to be done now.
  enum Step: Hashable, Sendable {
    /// Ask the server what it is playing.
    case ask
    /// Call ``Playout/timeCame()`` at this moment.
    case wait(until: Moment)
    /// Lay the stimulus on the timeline so that it begins at this frame.
    case place(at: Int)
    /// Let it fall to silence from this frame on.
    case cut(at: Int, over: Int)
    /// Take back what has not been played of it.
    case hush
    /// Tell whoever listens.
    case report(PlaybackEvent)
    /// Nothing more will come.
    case finish
  }

  enum Phase {
    case pending
    case placing
    /// It lies on the timeline already, and is moved by a hair when its moment is nearer.
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
  /// Where the stimulus lies, once it is placed.
  var frames: Range<Int>
  /// The frame of the stimulus that is heard first, as far as that is known; counted from its beginning.
  var firstHeard = 0...0
  /// What the server has yet to confirm: that it had the stimulus before the sink came there.
  var placing: Placing?
  var fade: Int?
  var ranDryAt: Int?
  var lostFrames = 0
  var sink: String
  /// When it must have ended, as far as is known; a suspension puts it off once it is over.
  var due: Moment
  /// When the question was asked that is not answered yet.
  var asked: Moment?
  var suspended: Moment?
  /// Whether the next answer must show that the sink works.
  private var isLooking = false
  /// What the sink had taken when it was last looked at.
  private var lookedAt: Int?
  /// When the stimulus was handed to the server where it lies: it cannot sound earlier.
  var handedOver: Moment?
  /// The same of where it lay before it was moved.
  var formerlyHandedOver: Moment?
  /// How often it was laid again because the sink had rushed past it.
  var rushes = 0
  /// What was last measured while it sounded, and when: the sink goes on evenly from there.
  var lastMeasured: (origin: StreamOrigin, at: Moment)?

  /// A placing that is not confirmed.
  struct Placing {
    /// Where the stimulus lay before; `nil` for the first placing.
    var former: Int?
    /// When to go on.
    var then: Moment
  }

  /// What is fixed about a stream.
  struct Station: Hashable, Sendable {
    /// Frames a second.
    var rate: Int
    /// The most that the sink takes ahead of what it plays, in nanoseconds.
    var sinkLatency: Int64
    /// What the server rounds times to, in nanoseconds.
    var resolution: Int64
    /// The step in which what the server tells moves, in nanoseconds: no moment is known better than this.
    var granularity: Int64 = 0
    /// Whether the server's answers can show that the sound has shifted: not where they jump while it goes on evenly.
    var tellsShifts = true
    /// What the sink's output takes beyond what the server knows, in nanoseconds.
    var outputLatency: Int64 = 0
    /// The sink's name, for messages.
    var sink = ""
    /// How long an answer or the end may be overdue before the stimulus is lost, in nanoseconds.
    var limit: Int64 = 2_000_000_000

    /// How far ahead of its moment a stimulus is placed for good: nearer, and the sink may have taken those frames;
    /// further, and the sink's clock strays.
    var placement: Int64 { 2 * sinkLatency + 30_000_000 }
  }

  /// A stimulus of so many frames that is to begin at a moment.
  init(frames: Int, at scheduled: Moment, on station: Station) {
    rate = station.rate
    self.scheduled = scheduled
    self.station = station
    self.frames = 0..<frames
    sink = station.sink
    due = Moment(nanoseconds: scheduled.nanoseconds + Frames(frames).nanoseconds(rate: station.rate))
  }

  /// Whether its onset was measured and its end was not.
  var isSounding: Bool {
    switch phase {
    case .sounding, .measuringEnd: true
    default: false
    }
  }

  /// How it begins.
  func begin() -> Step {
    .wait(until: Moment(nanoseconds: scheduled.nanoseconds - station.placement - Self.reserve))
  }

  /// A moment that was waited for has come.
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

  /// The stimulus is to end early, falling to silence over so many frames.
  mutating func stop(fade: Int, now: Moment) -> [Step] {
    guard phase != .over, self.fade == nil else { return [] }
    self.fade = max(fade, 1)
    due = min(due, later(now, by: Frames(fade).nanoseconds(rate: rate)))
    asked = asked ?? now
    return [.ask]
  }

  /// When ``deadlineCame(now:)`` is to be called; it changes with everything that happens.
  var deadline: Moment? { phase == .over ? nil : later(asked ?? due, by: station.limit) }

  /// The deadline has come: without an answer or a working sink, the stimulus is lost.
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

  /// Something happened to the stream.
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
    return [.hush, .report(.failed(reason: reason)), .finish]
  }

  /// Whether the sink has taken anything since it was last looked at; it has until the next deadline to take more.
  private mutating func isWorking(_ snapshot: TimingSnapshot, now: Moment) -> Bool {
    defer { lookedAt = snapshot.readFrame }
    due = now
    return lookedAt.map { $0 < snapshot.readFrame } ?? true
  }

  /// The sink found nothing to play at this frame; an answer asked for after the gap was filled tells how long it was.
  mutating func ranDry(at frame: Int) {
    ranDryAt = ranDryAt ?? frame
  }

  /// Whether an answer is needed to tell how long a gap was.
  var isDry: Bool { ranDryAt != nil }

  /// The server answered at this moment.
  ///
  /// - Parameters:
  ///   - snapshot: the answer.
  ///   - now: the moment.
  ///   - isStale: whether the question was asked before the stimulus was placed last.
  /// - Returns: what is to be done now.
  mutating func answered(_ snapshot: TimingSnapshot, now: Moment, isStale: Bool = false) -> [Step] {
    // The question behind the placing is still to be answered.
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
