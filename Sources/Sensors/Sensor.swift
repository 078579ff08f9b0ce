package import Quantities

/// A source of samples for the length of a session.
///
/// A sensor connects once and stays connected; a step's recording is a cut through its continuous stream.
package protocol Sensor: Sendable {
  /// The source that its samples are attributed to.
  var source: SensorSource { get }

  /// Connects, and delivers events until the consuming task is cancelled or the source has ended for good.
  ///
  /// Samples come in batches in the order of their arrival. The buffer is bounded: when the consumer is too slow, the
  /// earlier batches are kept; later samples are dropped, counted and reported as ``SensorEvent/overflowed(count:)``.
  func events(on clock: any StationClock) -> AsyncStream<SensorEvent>

  /// The number of samples received so far over all streams, delivered or not; `nil` for a sensor without a buffer.
  var readingsTaken: Int? { get }

  /// How far the reading of its source is behind; `nil` for a sensor that is never held back.
  var backlog: ReadingBacklog? { get }

  /// The channels that it delivers, as far as they are known before it is connected.
  var channels: [Channel] { get }

  /// Whether the sensor replays a recording, so that there is no device to check before a trial.
  var isRecording: Bool { get }

  /// Whether it sends samples only when it is asked to, so that its silence means nothing.
  var isOnDemand: Bool { get }

  /// How long after its connection it sends the first sample of each channel, at the latest, beside the usual.
  var warmUp: Duration { get }

  /// Changes what the participant rates; only the sensor of the station's keys has such a value.
  ///
  /// - Returns: the rating; `nil` where nothing is rated.
  func rate(_ change: RatingChange) -> Int?

  /// Notifies the sensor that a stimulus began or ended; only simulated sensors react to it.
  func stimulusChanged(isSounding: Bool, at moment: Moment)
}

extension Sensor {
  /// `nil`: by default a sensor has no buffer.
  package var readingsTaken: Int? { nil }

  /// `nil`: by default a sensor sends no more than can be read.
  package var backlog: ReadingBacklog? { nil }

  /// None: what a sensor delivers is by default known when it arrives.
  package var channels: [Channel] { [] }

  /// `false`: by default a sensor measures.
  package var isRecording: Bool { false }

  /// `false`: by default a sensor measures all the time.
  package var isOnDemand: Bool { false }

  /// Zero: by default a sensor sends what it measures as soon as it is connected.
  package var warmUp: Duration { .zero }

  /// `nil`: by default nothing is rated.
  package func rate(_ change: RatingChange) -> Int? { nil }

  /// Does nothing: a physical sensor does not need to know about the stimulus.
  package func stimulusChanged(isSounding: Bool, at moment: Moment) {}
}

/// An event in a sensor's stream.
package enum SensorEvent: Hashable, Sendable {
  /// The connection is established; samples may follow.
  indirect case connected(Device?)
  /// Samples in the order of their arrival; never empty.
  case readings([HeartReading])
  /// Frames of a waveform in the order of their arrival; never empty.
  indirect case waveform(WaveformFrames)
  /// A line that could not be parsed and was skipped; lines are numbered from 1.
  case unreadable(line: Int, reason: String)
  /// Further lines that could not be parsed, counted because too many were waiting to be reported singly; the reason is
  /// that of the first one.
  case skipped(count: Int, firstLine: Int, reason: String)
  /// The number of samples that arrived faster than the consumer took them, and were dropped.
  case overflowed(count: Int)
  /// The difference between the sender's clock and this computer's: what is added to the sender's times, and how far that
  /// may be off.
  case clockMeasured(offset: Duration, uncertainty: Duration)
  /// A remark on the sensor for readers of the results, worded as a predicate: `sends too much`.
  case noted(String)
  /// The connection is lost and is being retried; nothing is delivered until ``connected(_:)``.
  case lost(reason: String)
  /// The source has ended and nothing more will come.
  case ended(reason: String)
}

/// How far the reading of a source is behind what it sends.
package struct ReadingBacklog: Hashable, Sendable {
  /// How long the source was held back so far.
  package var heldBack: Duration
  /// About how many samples wait unread.
  package var unread: Int
}

extension SensorEvent {
  /// The remark on a source that is held back.
  static let tooFast = noted("sends more than is read beside a trial, and is held back: what it sends is late")
}

extension SensorEvent {
  /// How many samples it delivers, or says were dropped; a frame of a waveform is one.
  package var samples: Int {
    switch self {
    case .readings(let batch): batch.count
    case .waveform(let frames): frames.count
    case .overflowed(let count): count
    default: 0
    }
  }
}

/// What happens to a continuous rating.
package enum RatingChange: Hashable, Sendable {
  /// A step that is rated begins; the rating is in the middle.
  case begin
  /// A key moves the rating by so many percent.
  case move(Int)
  /// The rating is put here, in percent.
  case set(Int)
  /// The step is over.
  case end
}

/// Why a sensor cannot be used.
package struct SensorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried: `use the sensor`, `replay`.
  let action: String

  /// The sensor or file, as the operator wrote it.
  let subject: String

  /// Why it failed.
  let reason: String

  /// What to do instead, if known.
  let advice: String?

  package init(_ action: String, _ subject: String, _ reason: String, advice: String? = nil) {
    self.action = action
    self.subject = subject
    self.reason = reason
    self.advice = advice
  }

  /// The message for the operator: `cannot use the sensor “simlated”: there is no such kind; did you mean
  /// “simulated”?`.
  package var description: String {
    "cannot \(action) “\(subject)”: \(reason)\(advice.map { "; \($0)" } ?? "")"
  }
}
