package import Quantities
import Sensors

/// Waits before a trial until every recorder's sensor has sent a sample that can be true.
///
/// A recording that is replayed is only asked to be there: it has no skin to touch.
package struct SensorCheck: Sendable {
  /// What a recorder needs of its sensor.
  package struct Need: Hashable, Sendable {
    /// The recorder's identifier.
    package let recorder: String
    /// The name of its sensor's source.
    package let sensor: String
    /// What it records.
    package let quantity: QuantityType

    /// A need.
    package init(recorder: String, sensor: String, quantity: QuantityType) {
      self.recorder = recorder
      self.sensor = sensor
      self.quantity = quantity
    }
  }

  /// A recorder whose sensor has not sent what it needs.
  package struct Shortfall: Hashable, Sendable, CustomStringConvertible {
    /// What was needed.
    package let need: Need
    /// What is known of the sensor.
    package let cause: Cause

    /// Why nothing came that could be recorded.
    package enum Cause: Hashable, Sendable {
      /// It has not answered.
      case unanswered
      /// Its connection is lost.
      case lost(String)
      /// It has ended.
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
    package var reason: String {
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
  package init(_ needs: [Need], within limit: Duration) {
    self.needs = needs
    self.limit = limit
  }

  /// Waits for plausible samples; less than the limit as soon as all are there, or a sensor that is missing has ended.
  ///
  /// - Returns: the recorders without any.
  package func run(_ hub: SensorHub) async -> [Shortfall] {
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
