import Quantities
import Sensors

/// Waits before a trial until every recorder's sensor has sent a sample that can be true.
///
/// A recording that is replayed is only asked to be there: it has no skin to touch.
package struct SensorCheck: Sendable {
  /// What a recorder needs of its sensor.
  struct Need: Hashable, Sendable {
    /// The recorder's identifier.
    let recorder: String
    /// The name of its sensor's source.
    let sensor: String
    let quantity: QuantityType
  }

  /// A recorder whose sensor has not sent what it needs.
  package struct Shortfall: Hashable, Sendable, CustomStringConvertible {
    let need: Need
    /// What is known of the sensor.
    let cause: Cause

    /// Why nothing came that could be recorded.
    enum Cause: Hashable, Sendable {
      /// It has not answered.
      case unanswered
      /// Its connection is lost.
      case lost(String)
      case ended(String)
      /// It is connected and has sent nothing.
      case silent
      /// It sees no pulse.
      case noPulse(SignalProblem)
      /// It does not touch the skin.
      case offSkin
      /// Only lines came that could not be read: how many, and the first.
      case unreadable(Int, SensorSigns.Fault)
      /// Only implausible values came, such as this one.
      case implausible(Double)
      /// It sends other quantities.
      case otherQuantities
    }

    /// `sensor “strap” (recorder “hr”): no skin contact`.
    package var description: String { "sensor “\(need.sensor)” (recorder “\(need.recorder)”): \(reason)" }

    /// The cause in words.
    var reason: String {
      switch cause {
      case .unanswered: "no answer; \(SensorAddress.remedy(of: need.sensor))"
      case .lost(let reason): "connection lost: \(reason); \(SensorAddress.remedy(of: need.sensor))"
      case .ended(let reason): "it has ended: \(reason); \(SensorAddress.remedy(of: need.sensor))"
      case .silent: "connected, but no data received"
      case .noPulse(let problem): "\(problem.words); \(problem.advice)"
      case .offSkin: "no skin contact"
      case .unreadable(1, let fault): "\(fault)"
      case .unreadable(let count, let fault):
        "\(count) lines could not be read; line \(fault.line): \(fault.reason)"
      case .implausible(let number): "implausible value \(number)"
      case .otherQuantities:
        switch need.quantity {
        case .heartRate: "it sends data, but no heart rate"
        case .rrInterval: "it sends data, but no RR intervals"
        default: "it sends data, but no \(need.quantity.channelName)"
        }
      }
    }
  }

  private let needs: [Need]
  private let limit: Duration

  /// A check of the sensors behind some recorders.
  ///
  /// - Parameters:
  ///   - needs: what each recorder needs.
  ///   - limit: how long to wait, beside the time that a sensor takes to find what it measures.
  init(_ needs: [Need], within limit: Duration) {
    self.needs = needs
    self.limit = limit
  }

  /// Waits for plausible samples; less than the limit as soon as all are there, or a sensor that is missing has ended.
  ///
  /// - Returns: the recorders without any.
  func run(_ hub: SensorHub) async -> [Shortfall] {
    await hub.awaitSigns(needs, within: limit + hub.warmUp(of: needs.map(\.sensor)))
    return needs.compactMap { need in
      Self.cause(need, hub.connection(of: need.sensor), hub.signs(of: need.sensor), hub.isRecording(need.sensor)).map {
        Shortfall(need: need, cause: $0)
      }
    }
  }

  /// Why a sensor falls short; `nil` for one that does not.
  static func cause(
    _ need: Need, _ connection: SensorHub.Connection, _ signs: SensorSigns, _ isRecording: Bool
  ) -> Shortfall.Cause? {
    switch connection {
    case .unanswered: return .unanswered
    case .lost(let reason): return .lost(reason)
    case .ended(let reason): return .ended(reason)
    case .connected: break
    }
    if isRecording || signs.shows(need.quantity) { return nil }
    if let problem = signs.problem { return .noPulse(problem) }
    if signs.isOffSkin { return .offSkin }
    if let fault = signs.firstUnreadable, signs.readings == 0 { return .unreadable(signs.unreadable, fault) }
    if let number = signs.implausible { return .implausible(number) }
    return signs.readings == 0 ? .silent : .otherQuantities
  }
}

/// What a sensor has shown of itself since it connected.
struct SensorSigns: Hashable, Sendable {
  /// A line that could not be read.
  struct Fault: Hashable, Sendable, CustomStringConvertible {
    /// Its number, from 1.
    let line: Int
    let reason: String

    /// `line 1 could not be read: “hello” is not a number`.
    var description: String { "line \(line) could not be read: \(reason)" }
  }

  /// Whether it sent a heart rate that can be true, with contact where it tells that.
  private(set) var hasHeartRate = false
  /// Whether it sent an interval between beats that can be true, with contact where it tells that.
  private(set) var hasInterval = false
  /// The quantities of other channels of which it sent a value that can be true, with contact where it tells that.
  private(set) var quantities: Set<QuantityType> = []
  /// How many readings it sent.
  private(set) var readings = 0
  /// Whether its last reading said that it does not touch the skin.
  private(set) var isOffSkin = false
  /// Why its last reading had no pulse; `nil` if it had one, or the sensor does not look for one.
  private(set) var problem: SignalProblem?
  /// The last number that no heart has.
  private(set) var implausible: Double?
  /// How many lines could not be read.
  private(set) var unreadable = 0
  private(set) var firstUnreadable: Fault?

  init() {}

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
  func shows(_ quantity: QuantityType) -> Bool {
    switch quantity {
    case .heartRate: hasHeartRate
    case .rrInterval: hasInterval
    default: quantities.contains(quantity)
    }
  }
}
