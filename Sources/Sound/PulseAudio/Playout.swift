import Quantities

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

  private enum Phase {
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

  private let rate: Int
  private let scheduled: Moment
  private let station: Station
  private var phase = Phase.pending
  private var snapshots: [TimingSnapshot] = []
  /// Where the stimulus lies, once it is placed.
  private var frames: Range<Int>
  private var fade: Int?
  private var ranDryAt: Int?
  private var lostFrames = 0
  private var sink: String
  /// When it must have ended, as far as is known; a suspension puts it off once it is over.
  private var due: Moment
  /// When the question was asked that is not answered yet.
  private var asked: Moment?
  private var suspended: Moment?
  /// Whether the next answer must show that the sink works.
  private var isLooking = false
  /// What the sink had taken when it was last looked at.
  private var lookedAt: Int?

  /// What is fixed about a stream.
  struct Station: Hashable, Sendable {
    /// Frames a second.
    var rate: Int
    /// The most that the sink takes ahead of what it plays, in nanoseconds.
    var sinkLatency: Int64
    /// What the server rounds times to, in nanoseconds.
    var resolution: Int64
    /// What the sink's output takes beyond what the server knows, in nanoseconds.
    var outputLatency: Int64 = 0
    /// The sink's name, for messages.
    var sink = ""

    /// How far ahead of its moment a stimulus is placed for good: nearer, and the sink may have taken those frames;
    /// further, and the sink's clock strays.
    var placement: Int64 { 2 * sinkLatency + 30_000_000 }
  }

  private static let pause: Int64 = 2_000_000
  private static let margin: Int64 = 5_000_000
  private static let reserve: Int64 = 200_000_000
  private static let settling: Int64 = 15_000_000
  private static let enough = 9
  private static let patience = 60
  private static let vagueness: Int64 = 60_000
  /// How long an answer or the end may be overdue before the stimulus is lost, in nanoseconds.
  private static let limit: Int64 = 2_000_000_000

  /// A stimulus of so many frames that is to begin at a moment.
  init(frames: Int, at scheduled: Moment, on station: Station) {
    rate = station.rate
    self.scheduled = scheduled
    self.station = station
    self.frames = 0..<frames
    sink = station.sink
    due = Moment(nanoseconds: scheduled.nanoseconds + Frames(frames).nanoseconds(rate: station.rate))
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
  var deadline: Moment? { phase == .over ? nil : later(asked ?? due, by: Self.limit) }

  /// The deadline has come: without an answer or a working sink, the stimulus is lost.
  mutating func deadlineCame(now: Moment) -> [Step] {
    guard let deadline, deadline <= now else { return [] }
    if asked != nil { return fail("the sound server does not answer") }
    if suspended != nil { return fail("the sink “\(sink)” is suspended") }
    isLooking = true
    asked = now
    return [.ask]
  }

  /// Something happened to the stream.
  mutating func disturbed(_ disturbance: Disturbance, now: Moment) -> [Step] {
    guard phase != .over else { return [] }
    switch disturbance {
    case .suspended: suspended = suspended ?? now
    case .resumed:
      if let since = suspended.take() {
        let whole = later(now, by: station.placement + Frames(frames.count).nanoseconds(rate: rate))
        due = max(due, min(later(due, by: now.nanoseconds - since.nanoseconds), whole))
      }
    case .moved(let sink): self.sink = sink
    case .underrun: break
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
  mutating func answered(_ snapshot: TimingSnapshot, now: Moment) -> [Step] {
    asked = nil
    var steps: [Step] = []
    if isLooking {
      isLooking = false
      guard isWorking(snapshot, now: now) else { return fail("the sink “\(sink)” plays nothing") }
    }
    if let dry = ranDryAt {
      ranDryAt = nil
      steps += gapEnded(from: dry, snapshot)
    }
    if let fade, phase != .pending, phase != .placing {
      self.fade = nil
      return steps + cut(over: fade, snapshot, now: now)
    }
    return steps + measure(snapshot, now: now)
  }

  private mutating func measure(_ snapshot: TimingSnapshot, now: Moment) -> [Step] {
    let wanted: Int
    switch phase {
    case .placing: wanted = isLate(now) ? 1 : Self.enough
    case .adjusting, .measuringOnset, .measuringEnd: wanted = Self.enough
    case .pending, .waiting, .placed, .sounding, .over: return []
    }
    // Asked again at once: threads that have just worked wake sooner, and the bounds are the closer.
    snapshots.append(snapshot)
    guard snapshots.count >= wanted else { return askAgain(now: now) }
    let origin = StreamOrigin(snapshots, resolution: station.resolution)
    let isVague = origin.uncertainty - station.resolution > Self.vagueness
    if isVague, wanted > 1, snapshots.count < Self.patience { return askAgain(now: now) }
    snapshots.removeAll(keepingCapacity: true)
    switch phase {
    case .placing: return place(by: origin, snapshot, now: now)
    case .adjusting: return adjust(by: origin, snapshot)
    case .measuringOnset: return onset(by: origin, now: now)
    default: return end(by: origin, now: now)
    }
  }

  private mutating func askAgain(now: Moment) -> [Step] {
    asked = now
    return [.ask]
  }

  private mutating func place(by origin: StreamOrigin, _ snapshot: TimingSnapshot, now: Moment) -> [Step] {
    let start = max(origin.frame(at: scheduled, rate: rate), earliestFrame(after: snapshot))
    frames = start..<(start + frames.count)
    if fade == nil { due = max(due, origin.moment(of: frames.upperBound, rate: rate)) }
    let adjustment = later(scheduled, by: -station.placement)
    phase = now < adjustment ? .waiting : .placed
    return [.place(at: start), .wait(until: now < adjustment ? adjustment : settled(by: origin))]
  }

  /// Moves the stimulus to where its moment is by now, unless the sink has come too near.
  private mutating func adjust(by origin: StreamOrigin, _ snapshot: TimingSnapshot) -> [Step] {
    phase = .placed
    let start = origin.frame(at: scheduled, rate: rate)
    let isSafe = min(start, frames.lowerBound) >= earliestFrame(after: snapshot)
    guard isSafe, start != frames.lowerBound else { return [.wait(until: settled(by: origin))] }
    frames = start..<(start + frames.count)
    return [.place(at: start), .wait(until: settled(by: origin))]
  }

  /// When the onset can be measured.
  private func settled(by origin: StreamOrigin) -> Moment {
    later(origin.moment(of: frames.lowerBound, rate: rate), by: Self.settling)
  }

  private mutating func onset(by origin: StreamOrigin, now: Moment) -> [Step] {
    let onset = measured(frames.lowerBound, by: origin)
    guard origin.moment(of: frames.lowerBound, rate: rate) <= now else {
      // The sink was suspended meanwhile.
      phase = .placed
      return [.wait(until: settled(by: origin))]
    }
    phase = .sounding
    return [.report(.started(onset)), waitForEnd(by: origin, now: now)]
  }

  private mutating func end(by origin: StreamOrigin, now: Moment) -> [Step] {
    let end = origin.moment(of: frames.upperBound, rate: rate)
    guard end <= now else {
      // The sink was suspended meanwhile.
      phase = .sounding
      return [.wait(until: max(later(end, by: Self.pause), later(now, by: Self.settling)))]
    }
    phase = .over
    let played = max(0, frames.count - lostFrames)
    return [.report(.ended(measured(frames.upperBound, by: origin), frames: played)), .finish]
  }

  private mutating func cut(over fade: Int, _ snapshot: TimingSnapshot, now: Moment) -> [Step] {
    let origin = StreamOrigin([snapshot], resolution: station.resolution)
    let from = min(max(earliestFrame(after: snapshot), frames.lowerBound), frames.upperBound)
    let end = from == frames.lowerBound ? from : min(from + fade, frames.upperBound)
    frames = frames.lowerBound..<end
    snapshots.removeAll(keepingCapacity: true)
    let cut = Step.cut(at: from, over: fade)
    if frames.isEmpty {
      // Nothing of it will sound.
      phase = .over
      return [cut, .report(.ended(measured(end, by: origin), frames: 0)), .finish]
    }
    switch phase {
    case .waiting, .adjusting, .placed, .measuringOnset:
      phase = .placed
      return [cut, .wait(until: settled(by: origin))]
    default:
      phase = .sounding
      return [cut, waitForEnd(by: origin, now: now)]
    }
  }

  private mutating func gapEnded(from dry: Int, _ snapshot: TimingSnapshot) -> [Step] {
    guard phase != .pending, phase != .placing else { return [] }
    let gap = frames.clamped(to: dry..<max(dry, snapshot.readFrame))
    guard !gap.isEmpty else { return [] }
    lostFrames += gap.count
    let origin = StreamOrigin([snapshot], resolution: station.resolution)
    return [.report(.disturbed(.underrun(at: measured(gap.lowerBound, by: origin).moment)))]
  }

  /// Whether there is no time left to look several times.
  private func isLate(_ now: Moment) -> Bool {
    now.nanoseconds > scheduled.nanoseconds - station.placement + 4 * Self.margin
  }

  /// The first frame that the sink has surely not taken when it is told.
  private func earliestFrame(after snapshot: TimingSnapshot) -> Int {
    snapshot.readFrame + Frames(nanoseconds: station.sinkLatency + Self.margin, rate: rate).count
  }

  private func measured(_ frame: Int, by origin: StreamOrigin) -> MeasuredMoment {
    MeasuredMoment(
      moment: origin.moment(of: frame, rate: rate).advanced(by: .nanoseconds(station.outputLatency)),
      uncertainty: .nanoseconds(origin.uncertainty))
  }

  private func waitForEnd(by origin: StreamOrigin, now: Moment) -> Step {
    .wait(until: max(later(origin.moment(of: frames.upperBound, rate: rate), by: Self.pause), now))
  }

  private func later(_ moment: Moment, by nanoseconds: Int64) -> Moment {
    Moment(nanoseconds: moment.nanoseconds + nanoseconds)
  }
}
