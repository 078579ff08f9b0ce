import Basics
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
