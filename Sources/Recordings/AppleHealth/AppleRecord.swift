import Basics
import Glibc
import Quantities

/// A record between its start and its end.
struct AppleRecord {
  let context: RecordContext
  let line: Int
  var beats = AppleBeats()
  private var start: WallTime?
  private var end: WallTime?
  private var created: WallTime?
  private var value = 0.0
  // The first thing that is wrong with its attributes.
  private var refusal: String?

  init(_ attributes: XMLAttributes, line: Int, _ contexts: inout RecordContexts, _ times: inout AppleTimes) {
    self.line = line
    var texts = unsafe RecordTexts()
    unsafe attributes.forEach { name, value in unsafe texts.take(name, value) }
    unsafe context = contexts.context(
      type: texts.type, source: texts.source, version: texts.version, device: texts.device, unit: texts.unit)
    guard context.leftOut == nil else { return }
    func report(_ what: String, _ text: UnsafePointer<CChar>?, _ wanted: String) -> String {
      unsafe text.map { unsafe "the \(what) “\(String(cString: $0).prefix(40))” is not \(wanted)" }
        ?? "a record without a \(what)"
    }
    start = unsafe texts.start.flatMap { unsafe times.read($0) }
    end = unsafe texts.end.flatMap { unsafe times.read($0) }
    created = unsafe texts.created.flatMap { unsafe times.read($0) }
    let time = "a time such as “2026-11-20 11:08:31 +0100”"
    if start == nil {
      refusal = unsafe report("startDate", texts.start, time)
    } else if end == nil {
      refusal = unsafe report("endDate", texts.end, time)
    } else if created == nil, unsafe texts.created != nil {
      refusal = unsafe report("creationDate", texts.created, time)
    } else if let number = unsafe texts.value.flatMap({ unsafe Decimal.number($0.bytes.span) }) {
      value = number
    } else {
      refusal = unsafe report("value", texts.value, "a number")
    }
  }

  /// The sample, and what its identity is made of.
  func sample(_ metadata: MetadataPool.Entry) throws(Refusal) -> (QuantitySample, Identity) {
    let kind = try context.kind.get()
    guard refusal == nil, let start, let end else { throw Refusal(reason: refusal ?? "a record without times") }
    let sample: QuantitySample
    var identity = Identity(beginning: context.identity)
    do throws(QuantityError) {
      let value = try Quantity(value, kind.unit).value(in: kind.type.canonicalUnit)
      identity.append(start)
      identity.append(end)
      identity.append(created)
      identity.append(value)
      if !metadata.identity.isEmpty { identity.append(metadata.identity) }
      sample = try QuantitySample(
        uuid: identity.uuid(at: start), type: kind.type, quantity: Quantity(value, kind.type.canonicalUnit),
        start: start,
        end: end, sourceRevision: context.sourceRevision, device: context.device, metadata: metadata.metadata)
    } catch {
      throw Refusal(reason: "\(error)")
    }
    // Its source, device and metadata were looked at when the first record had them.
    if let reason = Storable.problem(with: kind.type, from: start, to: end) { throw Refusal(reason: reason) }
    return (sample, identity)
  }
}

/// The texts of a record's attributes.
@unsafe
private struct RecordTexts {
  var type: UnsafePointer<CChar>?
  var source: UnsafePointer<CChar>?
  var version: UnsafePointer<CChar>?
  var device: UnsafePointer<CChar>?
  var unit: UnsafePointer<CChar>?
  var created: UnsafePointer<CChar>?
  var start: UnsafePointer<CChar>?
  var end: UnsafePointer<CChar>?
  var value: UnsafePointer<CChar>?

  mutating func take(_ name: UnsafePointer<CChar>, _ text: UnsafePointer<CChar>) {
    if unsafe name == "type" {
      unsafe type = text
    } else if unsafe name == "sourceName" {
      unsafe source = text
    } else if unsafe name == "sourceVersion" {
      unsafe version = text
    } else if unsafe name == "device" {
      unsafe device = text
    } else if unsafe name == "unit" {
      unsafe unit = text
    } else if unsafe name == "creationDate" {
      unsafe created = text
    } else if unsafe name == "startDate" {
      unsafe start = text
    } else if unsafe name == "endDate" {
      unsafe end = text
    } else if unsafe name == "value" {
      unsafe value = text
    }
  }
}

extension XMLAttributes {
  /// The value of the attribute with this name.
  subscript(name: StaticString) -> UnsafePointer<CChar>? {
    var found: UnsafePointer<CChar>?
    unsafe forEach { other, value in
      if unsafe other == name { unsafe found = value }
    }
    return unsafe found
  }

  /// Calls a closure with each name and value.
  @inline(__always)
  func forEach(_ body: (_ name: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>) -> Void) {
    var position = 0
    while let name = unsafe list[position], let value = unsafe list[position + 1] {
      unsafe body(name, value)
      position += 2
    }
  }
}

extension UnsafePointer<CChar> {
  /// Whether the text that ends with a zero is this one.
  @inline(__always)
  static func == (text: UnsafePointer<CChar>, wanted: StaticString) -> Bool {
    let start = unsafe wanted.utf8Start
    for index in 0...wanted.utf8CodeUnitCount {
      // A static string ends with a zero too.
      guard unsafe UInt8(bitPattern: text[index]) == start[index] else { return false }
    }
    return true
  }

  /// The bytes before the zero at its end.
  var bytes: UnsafeBufferPointer<UInt8> {
    unsafe UnsafeRawBufferPointer(start: self, count: strlen(self)).assumingMemoryBound(to: UInt8.self)
  }
}

/// Texts one after another, quick to hash and to compare.
@safe
struct ByteKey: Hashable {
  private var bytes: [UInt8] = []

  // Bytes that are in no text of an XML file.
  private static let text: UInt8 = 0
  private static let nothing: UInt8 = 1

  /// How many bytes it takes.
  var count: Int { bytes.count }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Takes a text, or that there is none.
  mutating func append(_ text: UnsafePointer<CChar>?) {
    guard let text = unsafe text else { return bytes.append(Self.nothing) }
    bytes.append(Self.text)
    unsafe bytes.append(contentsOf: text.bytes)
  }

  /// The texts taken.
  var texts: [String?] {
    var texts: [[UInt8]?] = []
    for byte in bytes {
      switch byte {
      case Self.text: texts.append([])
      case Self.nothing: texts.append(nil)
      default: texts[texts.count - 1]?.append(byte)
      }
    }
    return texts.map { $0.map { String(decoding: $0, as: UTF8.self) } }
  }

  static func == (left: ByteKey, right: ByteKey) -> Bool {
    let count = left.bytes.count
    guard count == right.bytes.count else { return false }
    return unsafe left.bytes.withUnsafeBytes { left in
      unsafe right.bytes.withUnsafeBytes { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return true }
        return unsafe memcmp(left, right, count) == 0
      }
    }
  }

  func hash(into hasher: inout Hasher) {
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }
}
