import Basics
import Quantities
import Synchronization

/// A sensor that samples what the participant rates with the station's own keys or on its page, ten times a second.
///
/// It sends nothing but while a step is rated; see ``rate(_:)``.
final class RatingSensor: Sensor {
  private struct State {
    var value: Int?
    var isRated: Bool { value != nil }
  }

  /// Samples per second.
  static let rate = 10.0
  /// What a rating is: from one anchor to the other, in percent.
  static let scale = 0...100
  /// What a rating begins with.
  static let middle = 50

  /// The source that its samples are attributed to.
  let source: SensorSource
  private let state = Mutex(State())
  private let begun = Bell()

  init(name: String = "keys") {
    source = SensorSource(
      name: name, device: Device(name: "Keys of the station", manufacturer: "station", model: "rating"))
  }

  var channels: [Channel] { [Channel(.continuousRating, rate: Self.rate)] }

  /// `true`: it sends samples when a step is rated.
  var isOnDemand: Bool { true }

  /// Begins or ends a rating, or moves it.
  ///
  /// - Returns: the rating; `nil` where nothing is rated.
  func rate(_ change: RatingChange) -> Int? {
    let value = state.withLock { state in
      switch change {
      case .begin: state.value = Self.middle
      case .move(let distance):
        state.value = state.value.map { min(max($0 + distance, Self.scale.lowerBound), Self.scale.upperBound) }
      case .set(let value):
        if state.isRated { state.value = min(max(value, Self.scale.lowerBound), Self.scale.upperBound) }
      case .end: state.value = nil
      }
      return state.value
    }
    if change == .begin { begun.ring() }
    return value
  }

  /// Delivers the rating every tenth of a second from its beginning to its end.
  func events(on clock: any StationClock) -> AsyncStream<SensorEvent> {
    let next = Mutex<Moment?>(nil)
    let isConnected = Mutex(false)
    let device = source.device
    return AsyncStream { [self] in
      let isFirst = isConnected.withLock { isConnected in
        defer { isConnected = true }
        return !isConnected
      }
      if isFirst { return .connected(device) }
      while !Task.isCancelled {
        guard let value = state.withLock(\.value) else {
          next.withLock { $0 = nil }
          guard await begun.wait() else { return nil }
          continue
        }
        let due = next.withLock { $0 } ?? clock.now
        do { try await clock.sleep(until: due, tolerance: nil) } catch { return nil }
        next.withLock { $0 = due.advanced(by: Duration(seconds: 1 / Self.rate)) }
        let current = state.withLock(\.value) ?? value
        return .readings([
          HeartReading(
            heartRate: nil, happened: due, arrived: due,
            samples: [ChannelSample(.continuousRating, Double(current), happened: due)])
        ])
      }
      return nil
    }
  }
}

extension SensorTransport {
  /// The station's own keys, with which the participant rates.
  static let keys = SensorTransport(
    scheme: "keys", rest: .none, forms: [.init(text: "keys")],
    nicknames: [.init(address: "keys", words: ["keyboard", "key", "rating", "slider"])]
  ) { _, _ throws(SensorError) in (RatingKeys(), .zero, nil) }
}

/// The station's own keys.
struct RatingKeys: SensorKind {
  func sensor(named name: String, latency: Duration, location: Metadata.SensorLocation?) -> any Sensor {
    RatingSensor(name: name)
  }
}
