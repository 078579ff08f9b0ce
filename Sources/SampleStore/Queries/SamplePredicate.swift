package import Basics
package import Quantities

/// The samples that a query selects; all conditions have to hold.
package struct SamplePredicate: Hashable, Sendable {
  /// How a sample has to lie in the range, with HealthKit's raw values.
  package struct Options: OptionSet, Hashable, Sendable {
    /// HealthKit's raw value.
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The sample starts in the range.
    package static let strictStartDate = Self(rawValue: 1)
    /// The sample ends in the range.
    package static let strictEndDate = Self(rawValue: 2)
  }

  /// The start of the half-open range; `nil` for no lower bound.
  package var start: WallTime?
  /// The excluded end of the range; `nil` for no upper bound.
  package var end: WallTime?
  /// How a sample has to lie in the range.
  ///
  /// Without options a sample matches if it ends at or after the start and starts before the end, as in HealthKit; one
  /// that ends exactly at the start matches. An option requires the sample's start, its end or both to lie in
  /// `start ..< end`.
  var options: Options
  /// Only these samples.
  var uuids: Set<UUID>?
  /// Only samples of these sources, in any version.
  package var sources: Set<Source>?
  /// Whether samples of simulated sensors are selected too.
  package var includesSimulated = true
  /// Only samples of these source revisions.
  var sourceRevisions: Set<SourceRevision>?
  /// Only samples that one of these devices measured.
  package var devices: Set<Device>?
  package var metadata: [MetadataCondition]
  var values: [ValueCondition]

  /// A comparison of a sample's value with a quantity.
  package struct ValueCondition: Hashable, Sendable {
    /// The operator, with the sample's value as its left operand.
    var comparison: Comparison
    /// The right operand, in any unit of the type.
    var quantity: Quantity

    init(_ comparison: Comparison, _ quantity: Quantity) {
      self.comparison = comparison
      self.quantity = quantity
    }
  }

  /// Whether samples are chosen by what the station says of them, such as their trial.
  package var isOfTrials: Bool { !metadata.isEmpty }

  /// Every sample.
  package static let all = SamplePredicate()

  /// Selects the samples that meet all of the given conditions.
  package init(
    start: WallTime? = nil, end: WallTime? = nil, options: Options = [], uuids: Set<UUID>? = nil,
    sources: Set<Source>? = nil, sourceRevisions: Set<SourceRevision>? = nil, devices: Set<Device>? = nil,
    metadata: [MetadataCondition] = [], values: [ValueCondition] = []
  ) {
    self.start = start
    self.end = end
    self.options = options
    self.uuids = uuids
    self.sources = sources
    self.sourceRevisions = sourceRevisions
    self.devices = devices
    self.metadata = metadata
    self.values = values
  }
}

/// A condition on a sample's metadata.
package enum MetadataCondition: Hashable, Sendable {
  /// The key exists, with any value.
  case exists(String)
  /// The value is one of these.
  case allowed(String, Set<Metadata.Value>)
  /// The value has the same kind and compares as given; texts compare by their Unicode scalars.
  case compares(String, Comparison, Metadata.Value)

  func holds(_ metadata: Metadata) -> Bool {
    switch self {
    case .exists(let key): metadata[key] != nil
    case .allowed(let key, let values): metadata[key].map(values.contains) ?? false
    case .compares(let key, let comparison, let value):
      metadata[key].map { Self.compares($0, comparison, value) } ?? false
    }
  }

  private static func compares(_ left: Metadata.Value, _ comparison: Comparison, _ right: Metadata.Value) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): comparison.holds(left, right)
    case (.date(let left), .date(let right)): comparison.holds(left, right)
    case (.bool(let left), .bool(let right)): comparison.holds(left ? 1 : 0, right ? 1 : 0)
    case (.quantity(let left), .quantity(let right)):
      (try? left.compare(right)).map { comparison.holds($0, 0) } ?? false
    case (.string(let left), .string(let right)): comparison.holds(left, right)
    default: false
    }
  }
}

/// The sort order of samples; ties are broken by start, end and UUID, which makes results reproducible.
package enum SampleOrder: Hashable, Sendable, CaseIterable {
  /// By start, earliest first.
  case startDate
  /// By start, latest first.
  case startDateDescending
  /// By end, earliest first.
  case endDate
  /// By end, latest first.
  case endDateDescending

  var rows: RowScope.Order {
    switch self {
    case .startDate: .start
    case .startDateDescending: .startDescending
    case .endDate: .end
    case .endDateDescending: .endDescending
    }
  }
}

/// The type of a sample: a quantity type, or series of heartbeats.
package enum SampleType: Hashable, Sendable, CustomStringConvertible {
  case quantity(QuantityType)
  /// Series of single heartbeats.
  case heartbeatSeries

  /// HealthKit's identifier.
  package var healthKitIdentifier: String {
    switch self {
    case .quantity(let type): type.healthKitIdentifier
    case .heartbeatSeries: HeartbeatSeries.healthKitIdentifier
    }
  }

  /// The name that commands use: `heartRate`, `heartbeatSeries`.
  package var description: String {
    switch self {
    case .quantity(let type): type.identifier
    case .heartbeatSeries: "heartbeatSeries"
    }
  }

  /// The number that represents it in rows.
  var number: Int64 { Name.number(of: healthKitIdentifier) }
}

/// The position of an anchored query in the store's changes; opaque, and kept by the caller.
///
/// Save it only after its changes have been processed: changes before an anchor are never returned again.
package struct QueryAnchor: Hashable, Sendable, CustomStringConvertible {
  let store: UUID
  let change: Int64

  init(store: UUID, change: Int64) {
    self.store = store
    self.change = change
  }

  /// Parses the output of ``description``; `nil` for any other text.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "anchor1", let store = UUID(String(parts[1])), let change = Int64(parts[2]),
      change >= 0
    else { return nil }
    self.init(store: store, change: change)
  }

  /// A text that `init` parses.
  package var description: String { "anchor1:\(store):\(change)" }
}

/// The changes since an anchor.
package struct SampleChanges<Sample: Hashable & Sendable>: Hashable, Sendable {
  /// The new samples, without those that have since been deleted.
  package let added: [Sample]
  /// The samples that were deleted or replaced, including some that were never delivered.
  package let deleted: [UUID]
  /// The anchor for the next query; save it once these changes have been processed.
  package let anchor: QueryAnchor
  /// Whether the limit cut off further changes, so that the caller should query again immediately.
  package let hasMore: Bool
}

/// The limits that apply in every engine.
enum SampleRules {
  static func check(_ name: String, _ what: String, mayBeEmpty: Bool = false) throws(StoreError) {
    try refuse(Storable.problem(with: name, what, mayBeEmpty: mayBeEmpty))
  }

  static func check(_ time: WallTime, _ what: String) throws(StoreError) {
    guard !(WallTime.earliest...WallTime.latest).contains(time) else { return }
    try refuse("\(what) is \(time.precise), outside of the years 1 to 9999")
  }

  static func check(_ revision: SourceRevision) throws(StoreError) { try refuse(Storable.problem(with: revision)) }

  static func check(_ device: Device?) throws(StoreError) { try refuse(Storable.problem(with: device)) }

  static func check(_ metadata: Metadata) throws(StoreError) { try refuse(Storable.problem(with: metadata)) }

  static func check(_ sample: QuantitySample) throws(StoreError) {
    // Compares integers, because samples come by the million.
    guard sample.end.microseconds - sample.start.microseconds > maxSample else { return }
    try refuse(Storable.problem(with: sample.type, from: sample.start, to: sample.end))
  }

  static func check(_ series: HeartbeatSeries) throws(StoreError) { try refuse(Storable.problem(with: series)) }

  private static let maxSample = EpochMicroseconds.perSecond * Storable.maxSample.components.seconds

  private static func refuse(_ reason: String?) throws(StoreError) {
    if let reason { throw StoreError(.invalidArgument, reason) }
  }
}

/// The samples that a store holds of one type.
struct StoreContents: Hashable, Sendable {
  /// The number of samples.
  let count: Int
  /// The start of the first sample.
  let first: WallTime
  /// The start of the last sample.
  let last: WallTime
}
