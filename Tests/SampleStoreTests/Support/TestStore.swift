import Basics
import Quantities
import TestSupport
import Testing

@testable import SampleStore

/// The engines that keep the same rules.
enum TestedEngine: String, CaseIterable, CustomTestStringConvertible {
  case memory
  case sqlite
  case postgres

  var testDescription: String { rawValue }

  /// An empty store.
  func make(site: String = "laboratory") async throws -> TestStore {
    // A microsecond passes from one entry of the audit to the next.
    let entries = Counter()
    let now = { @Sendable in WallTime(microseconds: WallTime.noon.microseconds + Int64(entries.add())) }
    switch self {
    case .memory: return TestStore(store: try SampleStore.memory(site: site, now: now), folder: nil)
    case .sqlite:
      let folder = try ScratchFolder()
      return TestStore(
        store: try await SampleStore.sqlite(folder["station.sqlite"], site: site, now: now), folder: folder)
    case .postgres:
      // One database holds the stores of all tests, each as a site of its own.
      let url = try await PostgresServer.shared.url()
      return TestStore(
        store: try await SampleStore.postgres(url, site: "\(site) \(UUID())", now: now), folder: nil)
    }
  }
}

/// A store, and the folder in which it lies for as long as the test uses it.
struct TestStore {
  let store: SampleStore
  let folder: ScratchFolder?
}

extension WallTime {
  /// Noon of the day on which the tests play.
  static let noon = WallTime(milliseconds: 1_795_262_400_000)

  /// That many seconds after noon.
  static func second(_ seconds: Double) -> WallTime { noon.advanced(by: .seconds(seconds)) }

  /// A time in RFC 3339.
  init(at text: String) {
    guard let time = WallTime(text) else { preconditionFailure("\(text) is not a time") }
    self = time
  }
}

extension Source {
  static let strap = Source(name: "Strap", bundleIdentifier: "org.example.strap")
  static let watch = Source(name: "Watch", bundleIdentifier: "org.example.watch")
  static let phone = Source(name: "Phone", bundleIdentifier: "org.example.phone")
}

extension QuantitySample {
  /// A sample in the type's default unit.
  static func make(
    _ type: QuantityType, _ value: Double, from start: WallTime = .noon, to end: WallTime? = nil,
    by source: Source = .strap, uuid: UUID = UUID(), device: Device? = nil, metadata: [String: Metadata.Value] = [:]
  ) throws -> QuantitySample {
    try QuantitySample(
      uuid: uuid, type: type, quantity: Quantity(value, type.defaultUnit), start: start, end: end,
      sourceRevision: SourceRevision(source: source, version: "1.0"), device: device, metadata: Metadata(metadata))
  }

  /// A heart rate in beats a minute.
  static func make(
    _ beats: Double, from start: WallTime = .noon, to end: WallTime? = nil, by source: Source = .strap,
    uuid: UUID = UUID(), device: Device? = nil, metadata: [String: Metadata.Value] = [:]
  ) throws -> QuantitySample {
    try make(.heartRate, beats, from: start, to: end, by: source, uuid: uuid, device: device, metadata: metadata)
  }

  /// The value in the type's default unit, rounded to a millionth.
  var told: Double { (((try? value(in: type.defaultUnit)) ?? .nan) * 1e6).rounded() / 1e6 }
}

extension Quantity {
  /// The value in a unit, rounded to a millionth.
  func told(_ unit: Unit) -> Double { (((try? value(in: unit)) ?? .nan) * 1e6).rounded() / 1e6 }
}

extension UUID {
  /// An identifier by which tests tell samples apart.
  static func number(_ number: UInt64) -> UUID { UUID(high: 0, low: number) }
}

/// The error's text with which something fails; `nil` when it does not.
func refusal(_ body: () async throws -> Void) async -> String? {
  do {
    try await body()
    return nil
  } catch {
    return "\(error)"
  }
}
