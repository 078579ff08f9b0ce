internal import Quantities

/// The metadata of the record that is being read; what many records have is made once.
@safe
struct MetadataPool {
  /// Metadata, with what of it tells records apart that are otherwise the same.
  struct Entry {
    var metadata = Metadata()
    var identity = ""
  }

  private var key = ByteKey()
  private var last: (key: ByteKey, entry: Result<Entry, Refusal>)?
  private var pool: [ByteKey: Result<Entry, Refusal>] = [:]
  private var count = 0

  // Entries of one record, and different sets of them, beyond which a file was made to exhaust the memory.
  private static let mostEntries = 256
  private static let mostSets = 1024

  /// Takes an entry.
  mutating func add(_ name: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?) {
    count += 1
    guard count <= Self.mostEntries else { return }
    unsafe key.append(name)
    unsafe key.append(value)
  }

  /// Forgets the entries, for the next record.
  mutating func removeAll() {
    guard count > 0 else { return }
    count = 0
    key.removeAll()
  }

  /// The metadata of the entries taken.
  mutating func take() throws(Refusal) -> Entry {
    guard count > 0 else { return Entry() }
    guard count <= Self.mostEntries else { throw Refusal(reason: "a record with more than 256 metadata entries") }
    if let last, last.key == key { return try last.entry.get() }
    if let entry = pool[key] {
      last = (key, entry)
      return try entry.get()
    }
    let entry: Result<Entry, Refusal>
    do throws(Refusal) { entry = .success(try Self.entry(key.texts)) } catch { entry = .failure(error) }
    if pool.count >= Self.mostSets { pool = [:] }
    pool[key] = entry
    return try entry.get()
  }

  // Names and values by turns.
  private static func entry(_ texts: [String?]) throws(Refusal) -> Entry {
    var values: [String: Metadata.Value] = [:]
    var written: [String: String] = [:]
    for index in stride(from: 0, to: texts.count - 1, by: 2) {
      guard let name = texts[index], let text = texts[index + 1] else {
        throw Refusal(reason: "a metadata entry without a key or without a value")
      }
      values[name] = value(text, under: name)
      written[name] = text
    }
    var entry = Entry()
    do throws(QuantityError) { entry.metadata = try Metadata(values) } catch { throw Refusal(reason: "\(error)") }
    for name in [Metadata.Key.externalUUID, Metadata.Key.syncIdentifier, Metadata.Key.syncVersion] {
      guard let text = written[name] else { continue }
      entry.identity += "\(name)=\(text)\u{0}"
    }
    return entry
  }

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
