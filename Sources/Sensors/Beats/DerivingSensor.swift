import Quantities
import Synchronization

/// A sensor whose electrocardiogram or pulse wave becomes beats as well, beside what it sends itself.
///
/// Every sensor that may send waveforms is wrapped in one (``SensorAddress/sensor()``). The kind of a channel is its quantity:
/// beats are found in an electrocardiogram and a photoplethysmogram, and in nothing else. A sensor that sends beats of its
/// own keeps those: nothing is derived from then on.
struct DerivingSensor: Sensor {
  let base: any Sensor

  private let derived = SampleTally()

  init(_ base: any Sensor) { self.base = base }

  /// The sensor's source.
  var source: SensorSource { base.source }

  /// The number of samples received and derived.
  var readingsTaken: Int? { base.readingsTaken.map { $0 + derived.count } }

  /// How far the reading of the sensor behind it is behind.
  var backlog: ReadingBacklog? { base.backlog }

  /// The sensor's channels, with those of a heart if they are derived.
  var channels: [Channel] {
    derives ? base.channels + Channel.ofHeartbeats + [Channel(.signalQuality, rate: 1)] : base.channels
  }

  /// Whether the sensor replays a recording.
  var isRecording: Bool { base.isRecording }

  /// Whether it sends samples only when it is asked to.
  var isOnDemand: Bool { base.isOnDemand }

  /// The sensor's, and the time in which the heights of beats are learned.
  var warmUp: Duration { base.warmUp + (derives ? WaveformBeats.warmUp : .zero) }

  /// Whether it is known before it is connected that beats are derived.
  private var derives: Bool {
    let types = base.channels.map(\.type)
    return types.contains { WaveformBeats.kind(of: $0) != nil }
      && !types.contains { QuantityType.ofHeartbeats.contains($0) }
  }

  /// Changes what the participant rates.
  func rate(_ change: RatingChange) -> Int? { base.rate(change) }

  /// Notifies the sensor that a stimulus began or ended.
  func stimulusChanged(isSounding: Bool, at moment: Moment) {
    base.stimulusChanged(isSounding: isSounding, at: moment)
  }

  /// The sensor's events, each followed by the beats that it completes.
  func events(on clock: any StationClock) -> AsyncStream<SensorEvent> {
    let derivation = Derivation(base.events(on: clock), latency: source.latency, tally: derived)
    return AsyncStream { await derivation.next() }
  }

  /// One stream's position.
  private actor Derivation {
    private var events: AsyncStream<SensorEvent>.Iterator
    private var beats: WaveformBeats
    private var waiting: [SensorEvent] = []
    private let tally: SampleTally

    init(_ events: AsyncStream<SensorEvent>, latency: Duration, tally: SampleTally) {
      self.events = events.makeAsyncIterator()
      beats = WaveformBeats(latency: latency)
      self.tally = tally
    }

    func next() async -> SensorEvent? {
      if !waiting.isEmpty { return waiting.removeFirst() }
      var events = events
      let event = await events.next(isolation: self)
      self.events = events
      guard let event else { return nil }
      let news = beats.take(event)
      let note = beats.takeNote().map { [SensorEvent.noted($0)] } ?? []
      guard !news.isEmpty else {
        waiting = note
        return event
      }
      tally.add(news.count)
      // What ends a stream comes after the last beats.
      switch event {
      case .lost, .ended:
        waiting = note + [event]
        return .readings(news)
      default:
        waiting = note + [.readings(news)]
        return event
      }
    }
  }
}
