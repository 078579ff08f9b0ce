import Quantities

/// A sample as engines keep it: what repeats from sample to sample is a number that a name stands for.
struct SampleRow: Hashable {
  var uuid: UUID
  /// The name of the quantity type, or of heartbeat series.
  var type: Int64
  /// When it starts, in ticks.
  var start: Int64
  /// How long it lasts, in ticks; never below zero.
  var lasting: Int64
  /// In the type's canonical unit; a heartbeat series has the number of its beats.
  var value: Double
  /// The name of the source revision.
  var source: Int64
  /// The name of the device; 0 for none.
  var device: Int64
  /// The metadata's canonical JSON; `nil` for none.
  var metadata: String?
  /// A heartbeat series' beats.
  var beats: [UInt8]?

  var end: Int64 { start + lasting }
}

/// What is left of a sample that was deleted: enough to tell those about it who knew it.
struct Tombstone: Hashable {
  var uuid: UUID
  var type: Int64
  var start: Int64
  var lasting: Int64
  var source: Int64

  var end: Int64 { start + lasting }
}

/// What happened to a sample.
enum RowChange {
  case added(SampleRow)
  case deleted(Tombstone)
}

/// Which version of a sample with a sync identifier is kept.
struct SyncKey: Hashable {
  var type: Int64
  /// The name of the source's bundle identifier: two sources may use the same identifiers.
  var owner: Int64
  var identifier: String
}

/// What a name stands for.
enum NameKind: Int64, CaseIterable {
  case type = 1
  case source = 2
  case device = 3
  case owner = 4
  /// A type that a client has asked for and that is not defined.
  case askedType = 5
  /// A secret of the store, as number 1; it hides change numbers in clients' anchors.
  case secret = 6
}
