package import Basics
package import Quantities

/// Which samples a query is about; all of its conditions have to hold.
package struct SamplePredicate: Hashable, Sendable {
  /// How a sample has to lie in the range, with HealthKit's bits.
  package struct Options: OptionSet, Hashable, Sendable {
    /// HealthKit's number.
    package let rawValue: Int

    /// The options of a number.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The sample starts in the range.
    package static let strictStartDate = Self(rawValue: 1)
    /// The sample ends in the range.
    package static let strictEndDate = Self(rawValue: 2)
  }

  /// Where the range starts; open where it is `nil`.
  package var start: WallTime?
  /// Where the range ends, which is no part of it; open where it is `nil`.
  package var end: WallTime?
  /// How a sample has to lie in the range.
  ///
  /// Without options a sample belongs to it that ends at or after the start and starts before the end, as in HealthKit: one
  /// that ends exactly at the start belongs to it. With an option its start, its end or both lie in `start ..< end`.
  package var options: Options
  /// Only these samples.
  package var uuids: Set<UUID>?
  /// Only samples that one of these wrote, at any version.
  package var sources: Set<Source>?
  /// Only samples that one of these revisions wrote.
  package var sourceRevisions: Set<SourceRevision>?
  /// Only samples that one of these devices measured.
  package var devices: Set<Device>?
  /// What the metadata has to say.
  package var metadata: [MetadataCondition]
  /// What the value has to be.
  package var values: [ValueCondition]

  /// A comparison of a sample's value with a quantity.
  package struct ValueCondition: Hashable, Sendable {
    /// The comparison, with the sample's value on its left.
    package var comparison: Comparison
    /// The quantity on its right, in any unit of the type.
    package var quantity: Quantity

    /// A comparison.
    package init(_ comparison: Comparison, _ quantity: Quantity) {
      self.comparison = comparison
      self.quantity = quantity
    }
  }

  /// Every sample.
  package static let all = SamplePredicate()

  /// Samples for which everything holds that is given.
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

/// What a sample's metadata has to say under a key.
package enum MetadataCondition: Hashable, Sendable {
  /// Anything.
  case exists(String)
  /// One of these values.
  case allowed(String, Set<Metadata.Value>)
  /// A value that compares so with another of its kind; texts are compared by their Unicode scalars.
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

/// How the samples of an answer are sorted; equal ones by start, end and UUID, so that an answer is always the same.
package enum SampleOrder: Hashable, Sendable, CaseIterable {
  /// By their starts, the earliest first.
  case startDate
  /// By their starts, the latest first.
  case startDateDescending
  /// By their ends, the earliest first.
  case endDate
  /// By their ends, the latest first.
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
