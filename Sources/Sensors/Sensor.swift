package import Quantities

/// Something that delivers heart readings for as long as a session lasts.
///
/// A sensor connects once and stays connected; what a step records is a cut through its continuous stream.
package protocol Sensor: Sendable {
  /// Where its readings come from.
  var source: SensorSource { get }

  /// Connects, and delivers what happens until the consuming task is cancelled or the source has ended for good.
  ///
  /// Readings come in batches in the order of their arrival. The buffer is bounded: when the consumer is late, the
  /// earlier batches are kept, later ones are counted and reported as ``SensorEvent/overflowed(count:)``.
  func events(on clock: any StationClock) -> AsyncStream<SensorEvent>

  /// How many readings it has taken in so far, over all streams, whether or not they were delivered; `nil` for a sensor
  /// that keeps none waiting.
  var readingsTaken: Int? { get }

  /// Whether it repeats a recording, so that there is no device to check before a trial.
  var isRecording: Bool { get }

  /// Tells the sensor that a stimulus began or ended, for sensors that only pretend to have a listener.
  func stimulusChanged(isSounding: Bool, at moment: Moment)
}

extension Sensor {
  /// A sensor that delivers at once keeps none waiting.
  package var readingsTaken: Int? { nil }

  /// A real sensor measures.
  package var isRecording: Bool { false }

  /// A real sensor does not care.
  package func stimulusChanged(isSounding: Bool, at moment: Moment) {}
}

/// What a sensor has to say.
package enum SensorEvent: Hashable, Sendable {
  /// The connection stands; readings may follow.
  case connected(Device?)
  /// Readings in the order of their arrival; never empty.
  case readings([HeartReading])
  /// A line, numbered from 1, that could not be read and was skipped.
  case unreadable(line: Int, reason: String)
  /// So many further lines could not be read, more than could be told one by one; the reason is the first one's.
  case skipped(count: Int, firstLine: Int, reason: String)
  /// So many readings arrived faster than they could be taken, and were dropped.
  case overflowed(count: Int)
  /// Something about the sensor that a reader of the results should know, as what is said of it: `sends too much`.
  case noted(String)
  /// The connection is lost and is being tried again; nothing is delivered until ``connected(_:)``.
  case lost(reason: String)
  /// The source has ended and nothing more will come.
  case ended(reason: String)
}
