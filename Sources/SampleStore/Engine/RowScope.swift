import Quantities

/// The rows that a query selects, in terms that every engine supports.
struct RowScope: Hashable {
  /// The sort order of rows; ties are broken by start, end and UUID.
  enum Order: Hashable {
    case start
    case startDescending
    case end
    case endDescending
  }

  /// A comparison with a value in the type's canonical unit.
  struct ValueCondition: Hashable {
    var comparison: Comparison
    var value: Double
  }

  var type: Int64
  var order = Order.start
  /// The maximum number of rows.
  var limit: Int?

  /// The range in ticks, and how a sample has to lie in it.
  var start: Int64?
  var end: Int64?
  var strictStart = false
  var strictEnd = false
  /// The duration of the type's longest sample, in ticks.
  var longest: Int64

  var uuids: Set<UUID>?
  /// The source revisions to select; `nil` selects all.
  var sources: Set<Int64>?
  var devices: Set<Int64>?
  var values: [ValueCondition] = []

  /// Whether a sample lies in the range, as HealthKit's predicate defines it.
  func containsTime(start from: Int64, end to: Int64) -> Bool {
    func isInside(_ tick: Int64) -> Bool { start.map { tick >= $0 } ?? true && end.map { tick < $0 } ?? true }
    if strictStart || strictEnd { return (!strictStart || isInside(from)) && (!strictEnd || isInside(to)) }
    // A sample that ends exactly at the start matches; one that starts exactly at the end does not.
    return start.map { to >= $0 } ?? true && end.map { from < $0 } ?? true
  }

  /// Whether a row matches the scope.
  func contains(_ row: SampleRow) -> Bool {
    row.type == type && containsTime(start: row.start, end: row.end) && uuids?.contains(row.uuid) ?? true
      && sources?.contains(row.source) ?? true && devices?.contains(row.device) ?? true
      && values.allSatisfy { $0.comparison.holds(row.value, $0.value) }
  }

  /// Whether a deleted sample matched the scope, as far as its tombstone shows.
  func contains(_ tombstone: Tombstone) -> Bool {
    tombstone.type == type && containsTime(start: tombstone.start, end: tombstone.end)
      && uuids?.contains(tombstone.uuid) ?? true && sources?.contains(tombstone.source) ?? true
  }

  /// The range of starts that samples of the scope can have.
  var starts: ClosedRange<Int64>? {
    var lower = Int64.min
    if let start { lower = strictStart ? start : start > .min + longest ? start - longest : .min }
    var upper = Int64.max
    // Whatever the options, no matching sample starts at or after the end.
    if let end { upper = end > .min ? end - 1 : .min }
    return lower <= upper ? lower...upper : nil
  }

  /// Whether a row sorts before another.
  func isOrdered(_ left: SampleRow, _ right: SampleRow) -> Bool {
    let ascending = (left.start, left.end, left.uuid) < (right.start, right.end, right.uuid)
    switch order {
    case .start: return ascending
    case .startDescending: return left.start == right.start ? ascending : left.start > right.start
    case .end: return left.end == right.end ? ascending : left.end < right.end
    case .endDescending: return left.end == right.end ? ascending : left.end > right.end
    }
  }
}
