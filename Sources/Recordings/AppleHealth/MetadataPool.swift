import Quantities

/// The metadata of the record that is being read; what many records have is made once.
@safe
struct MetadataPool {
  /// Metadata, with what of it tells records apart that are otherwise the same.
  struct Entry {
    var metadata = Metadata()
    var identity = ""
    /// Why some of the record's entries are not in it, each.
    var leftOut: [String] = []

    /// The same in one sentence; `nil` where all are in it.
    var leftOutText: String? { leftOut.isEmpty ? nil : leftOut.joined(separator: "; ") }
  }

  private let plain: Entry
  private let participant: String?
  private var key = ByteKey()
  private var last: (key: ByteKey, entry: Entry)?
  private var pool: [ByteKey: Entry] = [:]
  private var bytes = 0
  private var count = 0
  private var isCut = false

  // Entries of one record, their bytes, different sets of them and the bytes of those, beyond which a file was made to
  // exhaust the memory.
  private static let maxEntries = 256
  private static let maxBytes = 1 << 20
  private static let maxSets = 1024
  private static let maxPoolBytes = 4 << 20

  /// A pool of nothing; every record's metadata say this participant.
  init(participant: String?) {
    self.participant = participant
    plain = Self.entry([], participant)
  }

  /// Takes an entry.
  mutating func add(_ name: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?) {
    let length = unsafe (name?.bytes.count ?? 0) + (value?.bytes.count ?? 0)
    guard count < Self.maxEntries, key.count + length <= Self.maxBytes else {
      isCut = true
      return
    }
    count += 1
    unsafe key.append(name)
    unsafe key.append(value)
  }

  /// Forgets the entries, for the next record.
  mutating func removeAll() {
    isCut = false
    guard count > 0 else { return }
    count = 0
    key.removeAll()
  }

  /// The metadata of the entries taken.
  mutating func take() -> Entry {
    guard !isCut else {
      var entry = Self.entry(key.texts, participant)
      entry.leftOut.append("of its metadata only the first \(count) entries are read")
      return entry
    }
    guard count > 0 else { return plain }
    if let last, last.key == key { return last.entry }
    let entry = pool[key] ?? Self.entry(key.texts, participant)
    if pool[key] == nil {
      bytes += key.count
      if pool.count >= Self.maxSets || bytes > Self.maxPoolBytes { (pool, bytes) = ([:], key.count) }
      pool[key] = entry
    }
    last = (key, entry)
    return entry
  }

  // Names and values by turns. One that HealthKit would not take is left out, and costs no other.
  private static func entry(_ texts: [String?], _ participant: String?) -> Entry {
    var entry = Entry()
    var values: [String: Metadata.Value] = [:]
    var written: [String: String] = [:]
    for index in stride(from: 0, to: texts.count - 1, by: 2) {
      guard let name = texts[index], let text = texts[index + 1] else {
        entry.leftOut.append("a metadata entry without a key or without a value is left out")
        continue
      }
      written[name] = text
      values[name] = value(text, under: name)
    }
    func leaveOut(_ names: [String], _ reason: String) {
      for name in names { values[name] = nil }
      entry.leftOut.append("the metadata entry “\(names.first ?? "")” is left out: \(reason)")
    }
    // A sync identifier and its version stand or fall together.
    let pair = [Metadata.Key.syncIdentifier, Metadata.Key.syncVersion].filter { values[$0] != nil }
    for names in values.keys.filter({ !pair.contains($0) }).sorted().map({ [$0] }) + (pair.isEmpty ? [] : [pair]) {
      do throws(QuantityError) {
        let part = try Metadata(values.filter { names.contains($0.key) })
        if let reason = Storable.problem(with: part) { leaveOut(names, reason) }
      } catch {
        leaveOut(names, "\(error)")
      }
    }
    values[Metadata.Key.participant] = participant.map { .string($0) }
    do throws(QuantityError) {
      entry.metadata = try Metadata(values)
    } catch {
      preconditionFailure("metadata whose parts are sound: \(error)")
    }
    for name in identifying {
      guard let text = written[name] else { continue }
      entry.identity += "\(name)=\(text)\u{0}"
    }
    return entry
  }

  private static let identifying = [
    Metadata.Key.externalUUID, Metadata.Key.syncIdentifier, Metadata.Key.syncVersion, Metadata.Key.foodType,
  ]

  // The export writes every value as a text; those under keys that HealthKit defines become what HealthKit holds.
  private static func value(_ text: String, under name: String) -> Metadata.Value {
    switch name {
    case Metadata.Key.heartRateMotionContext, Metadata.Key.heartRateSensorLocation, Metadata.Key.syncVersion,
      Metadata.Key.algorithmVersion:
      Double(text).map { .number($0) } ?? .string(text)
    case Metadata.Key.wasUserEntered: text == "1" ? .bool(true) : text == "0" ? .bool(false) : .string(text)
    default: .string(text)
    }
  }
}
