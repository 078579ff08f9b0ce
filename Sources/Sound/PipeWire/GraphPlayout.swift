import Basics
import Quantities
import Study

/// The progress of one stimulus on a graph, free of I/O: takes what the engine reports, and gives the events of the playback
/// when they are due.
struct GraphPlayout: Sendable {
  /// The number of the stimulus's own frames.
  var frames: Int
  private let ownRate: Int
  private let rate: Int
  private let outputLatency: OutputLatency
  /// How long the graph may have no cycle before the stimulus counts as lost.
  static let patience = Duration.seconds(2)
  private let limit: Duration
  private var began: Moment
  private var onset: MeasuredMoment?
  private var isOnsetTold = false
  private var offset: (MeasuredMoment, frames: Int)?
  private var lossEnd: Moment?
  /// Disturbances before the onset is told, which is told first.
  private var waiting: [PlaybackEvent] = []
  private var programs: Set<String> = []
  private(set) var isOver = false

  init(
    _ format: SoundFormat, frames: Int, rate: Int, outputLatency: OutputLatency, limit: Duration = patience,
    now: Moment
  ) {
    self.frames = frames
    ownRate = format.sampleRate
    self.rate = rate
    self.outputLatency = outputLatency
    self.limit = limit
    began = now
  }

  mutating func take(_ event: CycleEngine.Event) -> [PlaybackEvent] {
    switch event {
    case .started(let moment): onset = later(moment)
    case .ended(let moment, let played): offset = (later(moment), own(played))
    case .lost(let moment, let count):
      // Frames that are lost cycle after cycle are one underrun.
      let isNew = lossEnd.map { $0.advanced(by: .milliseconds(1)) < moment } ?? true
      lossEnd = moment.advanced(by: SoundFormat(sampleRate: rate, channels: 1).duration(of: count))
      if isNew { return disturbed(.underrun(at: moment.advanced(by: outputLatency.latency))) }
    case .shifted(let slip): return disturbed(.shifted(by: slip))
    case .driverChanged: break
    case .rateChanged(let other):
      return fail("the graph of PipeWire changed its rate from \(rate) to \(other) Hz during the sound")
    }
    return []
  }

  /// The events that are due by now, if the graph's last cycle was done when it `worked`.
  mutating func due(now: Moment, worked: Moment?, sink: String) -> [PlaybackEvent] {
    guard !isOver else { return [] }
    var events: [PlaybackEvent] = []
    if let onset, !isOnsetTold, onset.moment <= now {
      isOnsetTold = true
      events.append(.started(onset))
      events += waiting
      waiting = []
    }
    if let (moment, played) = offset, moment.moment <= now {
      isOver = true
      return events + waiting + [.ended(moment, frames: played)]
    }
    let idle = max(worked ?? began, began).duration(to: now)
    if offset == nil, idle > limit {
      return events + fail("the sink “\(sink)” plays nothing: no cycle of the graph for \(idle.seconds.fixed(1)) s")
    }
    return events
  }

  /// Reports a disturbance, once the onset has been told.
  mutating func disturbed(_ disturbance: Disturbance<Moment>) -> [PlaybackEvent] {
    guard !isOver else { return [] }
    if isOnsetTold { return [.disturbed(disturbance)] }
    waiting.append(.disturbed(disturbance))
    return []
  }

  /// Reports the other programs on the sink, each once while the stimulus sounds.
  mutating func others(_ names: [String]) -> [PlaybackEvent] {
    guard isOnsetTold, !isOver else { return [] }
    return names.filter { programs.insert($0).inserted }.map { .disturbed(.otherProgram($0)) }
  }

  mutating func fail(_ reason: String) -> [PlaybackEvent] {
    guard !isOver else { return [] }
    isOver = true
    return waiting + [.failed(reason: reason)]
  }

  private func later(_ moment: MeasuredMoment) -> MeasuredMoment {
    MeasuredMoment(
      moment: moment.moment.advanced(by: outputLatency.latency),
      uncertainty: moment.uncertainty + outputLatency.uncertainty)
  }

  /// The number of the stimulus's own frames that were played.
  private func own(_ played: Int) -> Int {
    let all = SampleFeed.frames(frames, from: ownRate, to: rate)
    return played >= all ? frames : min(frames, SampleFeed.frames(played, from: rate, to: ownRate))
  }
}
