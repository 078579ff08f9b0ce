package import Basics
package import Quantities

/// The samples that a query selects; all conditions have to hold.
package struct SamplePredicate: Hashable, Sendable {
  /// How a sample has to lie in the range, with HealthKit's raw values.
  package struct Options: OptionSet, Hashable, Sendable {
    /// HealthKit's raw value.
    package let rawValue: Int

    /// Creates options from a raw value.
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
  package var options: Options
  /// Only these samples.
  package var uuids: Set<UUID>?
  /// Only samples of these sources, in any version.
  package var sources: Set<Source>?
  /// Whether samples of simulated sensors are selected too.
  package var includesSimulated = true
  /// Only samples of these source revisions.
  package var sourceRevisions: Set<SourceRevision>?
  /// Only samples that one of these devices measured.
  package var devices: Set<Device>?
  /// Conditions on the metadata.
  package var metadata: [MetadataCondition]
  /// Conditions on the value.
  package var values: [ValueCondition]

  /// A comparison of a sample's value with a quantity.
  package struct ValueCondition: Hashable, Sendable {
    /// The operator, with the sample's value as its left operand.
    package var comparison: Comparison
    /// The right operand, in any unit of the type.
    package var quantity: Quantity

    /// Creates a condition.
    package init(_ comparison: Comparison, _ quantity: Quantity) {
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
