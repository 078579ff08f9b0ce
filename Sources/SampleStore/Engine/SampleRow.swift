import Quantities

/// A sample as engines store it: text that repeats from sample to sample is replaced with the number of a `Name`.
package struct SampleRow: Hashable {
  var uuid: UUID
  /// The number of the quantity type, or of heartbeat series.
  var type: Int64
  /// The start in ticks.
  var start: Int64
  /// The duration in ticks; never negative.
  var lasting: Int64
  /// The value in the type's canonical unit; of a heartbeat series, the number of beats.
  var value: Double
  /// The number of the source revision.
  var source: Int64
  /// The number of the device; 0 for none.
  var device: Int64
  /// The metadata's canonical JSON; `nil` for none.
  var metadata: String?
  /// The encoded beats of a heartbeat series.
  var beats: [UInt8]?

  var end: Int64 { start + lasting }
}

extension SampleRow {
  /// The columns of a row, in the order in which `SQLRow.sample` reads them.
  static let columns = "uuid, type, started, lasting, value, source, device, metadata, beats"
}

extension SQLRow {
  package var sample: SampleRow {
    SampleRow(
      uuid: uuid(0), type: integer(1), start: integer(2), lasting: integer(3), value: double(4), source: integer(5),
      device: integer(6), metadata: text(7), beats: bytes(8))
  }
}

/// The remains of a deleted sample, from which change queries report the deletion.
struct Tombstone: Hashable {
  var uuid: UUID
  var type: Int64
  var start: Int64
  var lasting: Int64
  var source: Int64

  var end: Int64 { start + lasting }
}

/// A change of a sample.
enum RowChange {
  case added(SampleRow)
  case deleted(Tombstone)
}

/// Identifies the kept version of a sample that has a sync identifier.
struct SyncKey: Hashable {
  var type: Int64
  /// The number of the source's bundle identifier: two sources may use the same sync identifiers.
  var owner: Int64
  var identifier: String
}

/// The kinds of text that have numbers.
enum NameKind: Int64, CaseIterable {
  case type = 1
  case source = 2
  case device = 3
  case owner = 4
  /// An undefined type that a client has requested.
  case askedType = 5
}

/// The permissions of one client for one type.
struct Grant: Hashable {
  var share: Int64
  var read: Int64
}

/// An entry of the audit.
struct AuditRow: Hashable {
  var uuid: UUID
  /// The time in ticks.
  var time: Int64
  var client: String
  var action: String
  var type: Int64
  var outcome: String
}
