import Basics
import Quantities

extension StoreCore {
  /// The number of rows added at a time, so that saving a million samples takes the memory of some thousand.
  private static let batch = 16_384

  func save(
    _ samples: [QuantitySample], _ series: [HeartbeatSeries], receipt: String?, whenPresent policy: PresentPolicy,
    client: String?
  ) throws -> SaveReport {
    // A receipt blocks later saves under its name, so that clients may not give one.
    guard client == nil || receipt == nil else { throw StoreError.denied }
    if let receipt { try SampleRules.check(receipt, "the receipt") }
    try check(samples, series)
    let types = Set(samples.lazy.map { SampleType.quantity($0.type) } + (series.isEmpty ? [] : [.heartbeatSeries]))
    return try writing(as: client, .save, { types }) {
      if let client {
        try requireOwn(samples, series, client)
        registry.forgetSourceNumbers()
      }
      var saving = Saving(policy)
      guard try take(receipt, &saving) else { return saving.report }
      try take(samples, series, &saving)
      return try finish(&saving)
    }
  }

  /// Saves the pieces that a source delivers, with no more than one piece in memory.
  func save(
    receipt: String?, whenPresent policy: PresentPolicy, from open: () throws -> SampleSource
  ) throws -> SaveReport {
    if let receipt { try SampleRules.check(receipt, "the receipt") }
    return try writing {
      var saving = Saving(policy)
      guard try take(receipt, &saving) else { return saving.report }
      // When the engine retries, the source starts from its first piece.
      let next = try open()
      while let piece = try next() {
        try Task.checkCancellation()
        try check(piece.samples, piece.series)
        try take(piece.samples, piece.series, &saving)
      }
      return try finish(&saving)
    }
  }

  /// The state of a save in progress.
  private struct Saving {
    let policy: PresentPolicy
    var report = SaveReport()
    var rows: [SampleRow] = []
    /// The longest duration of each type's samples.
    var longest: [Int64: Int64] = [:]

    init(_ policy: PresentPolicy) { self.policy = policy }
  }

  /// Records a receipt; returns whether it is new.
  private func take(_ receipt: String?, _ saving: inout Saving) throws -> Bool {
    guard let receipt else { return true }
    guard try !engine.hasReceipt(receipt) else {
      saving.report.wasTaken = true
      return false
    }
    try engine.addReceipt(receipt)
    return true
  }

  private func take(
    _ samples: [QuantitySample], _ series: [HeartbeatSeries], _ saving: inout Saving
  ) throws {
    for sample in samples {
      try take(row(sample), sample.metadata, sample.sourceRevision.source.bundleIdentifier, &saving)
    }
    for run in series { try take(row(run), run.metadata, run.sourceRevision.source.bundleIdentifier, &saving) }
  }

  private func take(_ row: SampleRow, _ metadata: Metadata, _ owner: String, _ saving: inout Saving) throws {
    saving.longest[row.type] = max(saving.longest[row.type] ?? -1, row.lasting)
    guard let sync = metadata.sync else {
      saving.rows.append(row)
      if saving.rows.count == Self.batch { try add(&saving.rows, saving.policy, &saving.report) }
      return
    }
    try add(&saving.rows, saving.policy, &saving.report)
    // A program may number the samples of each participant separately.
    let owner = metadata.participant.map { "\(owner)\n\($0)" } ?? owner
    let key = SyncKey(type: row.type, owner: Name.number(of: owner), identifier: sync.identifier)
    try synchronize(row, key, version: sync.version, saving.policy, &saving.report)
  }

  private func finish(_ saving: inout Saving) throws -> SaveReport {
    try add(&saving.rows, saving.policy, &saving.report)
    for (type, lasting) in saving.longest { try engine.extend(type, to: lasting) }
    return saving.report
  }

  /// Refuses a client's samples that name another source.
  private func requireOwn(_ samples: [QuantitySample], _ series: [HeartbeatSeries], _ client: String) throws {
    let sources = [samples.lazy.map(\.sourceRevision.source), series.lazy.map(\.sourceRevision.source)]
    for source in sources.joined() where !source.bundleIdentifier.isSame(as: client) {
      throw StoreError(
        .invalidArgument,
        "“\(client)” saves samples of its own; this one says that “\(source.bundleIdentifier)” wrote it")
    }
  }

  private func check(_ samples: [QuantitySample], _ series: [HeartbeatSeries]) throws {
    var (revision, device): (SourceRevision?, Device?) = (nil, nil)
    func check(_ newRevision: SourceRevision, _ newDevice: Device?, _ metadata: Metadata) throws {
      if newRevision != revision { try SampleRules.check(newRevision) }
      if newDevice != device { try SampleRules.check(newDevice) }
      (revision, device) = (newRevision, newDevice)
      try SampleRules.check(metadata)
    }
    for sample in samples {
      try SampleRules.check(sample)
      try check(sample.sourceRevision, sample.device, sample.metadata)
    }
    for run in series {
      try SampleRules.check(run)
      try check(run.sourceRevision, run.device, run.metadata)
    }
  }

  private func row(_ sample: QuantitySample) throws -> SampleRow {
    SampleRow(
      uuid: sample.uuid, type: try registry.number(of: sample.type, engine), start: sample.start.microseconds,
      lasting: sample.end.microseconds - sample.start.microseconds, value: sample.value,
      source: try registry.number(of: sample.sourceRevision, engine),
      device: try registry.number(of: sample.device, engine), metadata: Coding.text(sample.metadata), beats: nil)
  }

  private func row(_ series: HeartbeatSeries) throws -> SampleRow {
    SampleRow(
      uuid: series.uuid, type: SampleType.heartbeatSeries.number, start: series.start.microseconds,
      lasting: series.end.microseconds - series.start.microseconds, value: Double(series.beats.count),
      source: try registry.number(of: series.sourceRevision, engine),
      device: try registry.number(of: series.device, engine), metadata: Coding.text(series.metadata),
      beats: Coding.bytes(series.beats))
  }

  /// Adds rows; identical rows may exist already.
  private func add(_ rows: inout [SampleRow], _ policy: PresentPolicy, _ report: inout SaveReport) throws {
    guard !rows.isEmpty else { return }
    let present = try engine.add(rows, after: try engine.takeChanges(rows.count))
    var different = 0
    for place in present where try engine.row(rows[place].uuid) != rows[place] {
      guard policy == .keep else {
        throw StoreError(
          .invalidArgument, "the store holds another sample with the UUID \(rows[place].uuid); give this one its own")
      }
      different += 1
    }
    report.added += rows.count - present.count
    report.unchanged += present.count - different
    report.different += different
    rows.removeAll(keepingCapacity: true)
  }

  /// Adds a sample in place of its earlier version, unless the store holds this version or a later one.
  private func synchronize(
    _ row: SampleRow, _ key: SyncKey, version: Double, _ policy: PresentPolicy, _ report: inout SaveReport
  ) throws {
    let kept = try engine.sync(key)
    if let kept, kept.version >= version {
      report.unchanged += 1
      return
    }
    if policy == .keep, kept?.uuid != row.uuid, try engine.row(row.uuid) != nil {
      report.different += 1
      return
    }
    if let kept, let old = try engine.row(kept.uuid) {
      try engine.removeSync(of: kept.uuid)
      try engine.remove(old, change: try engine.takeChanges(1) + 1, isErased: false)
      report.replaced += 1
    }
    var rows = [row]
    let added = report.added
    try add(&rows, policy, &report)
    guard report.added > added else {
      throw StoreError(.invalidArgument, "a new version of a sample needs a UUID of its own, not \(row.uuid)")
    }
    try engine.setSync(key, version: version, uuid: row.uuid)
  }
}

extension StoreCore {
  /// Deletes samples by UUID and removes receipts, atomically.
  func delete(_ uuids: Set<UUID>, forgetting receipts: Set<String>, client: String?) throws {
    guard client == nil || receipts.isEmpty else { throw StoreError.denied }
    try writing(as: client, .delete) {
      // To a client the samples of others do not exist, whatever it may share.
      Set(try uuids.compactMap { try engine.row($0) }.filter { try isOwn($0, client) }.map { try type($0.type) })
    } _: {
      for uuid in uuids.sorted() {
        guard let row = try engine.row(uuid), try isOwn(row, client) else {
          throw StoreError(.invalidArgument, "Failed to find some objects for deletion.")
        }
        try remove(row)
      }
      for receipt in receipts.sorted() { try engine.removeReceipt(receipt) }
    }
  }

  /// Deletes the matching samples; for a client, only its own.
  func delete(_ type: SampleType, _ predicate: SamplePredicate, client: String?) throws -> Int {
    try writing(as: client, .delete, { [type] }) {
      let query = try query(type, predicate, ownedBy: client)
      var rows: [SampleRow] = []
      try each(query) { row, _ in
        rows.append(row)
        return true
      }
      for row in rows { try remove(row) }
      return rows.count
    }
  }

  /// Deletes a row; the tombstone of an erased one does not say when it was.
  func remove(_ row: SampleRow, isErased: Bool = false) throws {
    try engine.removeSync(of: row.uuid)
    try engine.remove(row, change: try engine.takeChanges(1) + 1, isErased: isErased)
  }

  private func isOwn(_ row: SampleRow, _ client: String?) throws -> Bool {
    guard let client else { return true }
    return try registry.source(row.source, engine).source.bundleIdentifier.isSame(as: client)
  }

  /// The type of a row's number.
  func type(_ number: Int64) throws -> SampleType {
    if number == SampleType.heartbeatSeries.number { return .heartbeatSeries }
    if registry.types[number] == nil { try registry.refresh(.type, engine) }
    guard let type = registry.types[number] else {
      throw StoreError(.databaseInaccessible, "the store lacks the type \(number) that a sample has; rebuild it")
    }
    return .quantity(type)
  }
}
