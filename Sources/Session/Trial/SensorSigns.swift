package import Quantities
import Sensors

/// What a sensor has shown of itself since it connected.
package struct SensorSigns: Hashable, Sendable {
  /// A line that could not be read.
  package struct Fault: Hashable, Sendable, CustomStringConvertible {
    /// Its number, from 1.
    package let line: Int
    /// Why.
    package let reason: String

    /// `line 1 could not be read: “hello” is not a number`.
    package var description: String { "line \(line) could not be read: \(reason)" }
  }

  /// Whether it sent a heart rate that can be true, with contact where it tells that.
  package private(set) var hasHeartRate = false
  /// Whether it sent an interval between beats that can be true, with contact where it tells that.
  package private(set) var hasInterval = false
  /// The quantities of other channels of which it sent a value that can be true, with contact where it tells that.
  package private(set) var quantities: Set<QuantityType> = []
  /// How many readings it sent.
  package private(set) var readings = 0
  /// Whether its last reading said that it does not touch the skin.
  package private(set) var isOffSkin = false
  /// Why its last reading had no pulse; `nil` if it had one, or the sensor does not look for one.
  package private(set) var problem: SignalProblem?
  /// The last number that no heart has.
  package private(set) var implausible: Double?
  /// How many lines could not be read.
  package private(set) var unreadable = 0
  /// The first of them.
  package private(set) var firstUnreadable: Fault?

  /// Of a sensor that has sent nothing.
  package init() {}

  /// What one event shows.
  init(_ event: SensorEvent) {
    switch event {
    case .readings(let batch):
      readings = batch.count
      isOffSkin = batch.last?.contact == false
      problem = batch.last?.problem
      for reading in batch where reading.contact != false {
        if let rate = reading.heartRate {
          if QuantityType.heartRate.isPlausible(rate, in: .countPerMinute) {
            hasHeartRate = true
          } else {
            implausible = rate
          }
        }
        for interval in reading.rrIntervals {
          if QuantityType.rrInterval.isPlausible(interval, in: .millisecond) {
            hasInterval = true
          } else {
            implausible = interval
          }
        }
        for sample in reading.samples {
          if sample.isPlausible { quantities.insert(sample.type) } else { implausible = sample.value }
        }
        // A flood has shown enough.
        if hasHeartRate && hasInterval && reading.samples.isEmpty { break }
      }
    case .waveform(let frames):
      readings = frames.count
      if frames.values.contains(where: \.isFinite) { quantities.insert(frames.format.type) }
    case .unreadable(let line, let reason):
      unreadable = 1
      firstUnreadable = Fault(line: line, reason: reason)
    case .skipped(let count, let line, let reason):
      unreadable = count
      firstUnreadable = Fault(line: line, reason: reason)
    case .connected, .overflowed, .clockMeasured, .noted, .lost, .ended: break
    }
  }

  /// Adds what came later.
  mutating func add(_ later: SensorSigns) {
    hasHeartRate = hasHeartRate || later.hasHeartRate
    hasInterval = hasInterval || later.hasInterval
    if !later.quantities.isSubset(of: quantities) { quantities.formUnion(later.quantities) }
    if later.readings > 0 { (isOffSkin, problem) = (later.isOffSkin, later.problem) }
    readings += later.readings
    implausible = later.implausible ?? implausible
    unreadable += later.unreadable
    firstUnreadable = firstUnreadable ?? later.firstUnreadable
  }

  /// The end of a sensor or of its connection, with the line that could not be read where it sent nothing else.
  func explaining(_ end: SensorEvent) -> SensorEvent {
    guard readings == 0, let firstUnreadable else { return end }
    return switch end {
    case .lost(let reason): .lost(reason: "\(reason); \(firstUnreadable)")
    case .ended(let reason): .ended(reason: "\(reason); \(firstUnreadable)")
    default: end
    }
  }

  /// Whether it sent what such a recorder records.
  package func shows(_ quantity: QuantityType) -> Bool {
    switch quantity {
    case .heartRate: hasHeartRate
    case .rrInterval: hasInterval
    default: quantities.contains(quantity)
    }
  }
}
