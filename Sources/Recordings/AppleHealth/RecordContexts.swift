import Quantities

/// What is the same in many records: what was measured, in which unit, by whom and with what.
final class RecordContext {
  /// The type and the unit in which the value is written; or why there is none.
  let kind: Result<(type: QuantityType, unit: Unit), Refusal>
  /// The name under which records that are no quantities are counted.
  let leftOut: String?
  let sourceRevision: SourceRevision
  let device: Device?
  /// The part of the records' identity that they share.
  let identity: [UInt8]

  init(type: String?, source: String?, version: String?, device: String?, unit: String?, participant: String?) {
    sourceRevision = SourceRevision(
      source: Source(name: source ?? "", bundleIdentifier: "apple-health:\(source ?? "")"), version: version)
    self.device = device.map { Device(healthKit: $0) }
    var identity = Identity("apple-health/2")
    for text in [type, source, version] { identity.append(text) }
    identity.append(self.device)
    identity.append(participant: participant)
    self.identity = identity.digest
    let (kind, leftOut) = Self.kind(type, source, unit)
    let reason = Storable.problem(with: sourceRevision) ?? Storable.problem(with: self.device)
    self.kind = leftOut == nil ? reason.map { .failure(Refusal(reason: $0)) } ?? kind : kind
    self.leftOut = leftOut
  }

  private static func kind(_ name: String?, _ source: String?, _ unit: String?) -> (
    Result<(type: QuantityType, unit: Unit), Refusal>, leftOut: String?
  ) {
    func refuse(_ reason: String) -> (Result<(type: QuantityType, unit: Unit), Refusal>, leftOut: String?) {
      (.failure(Refusal(reason: reason)), nil)
    }
    guard let name, !name.isEmpty else { return refuse("a record without a type") }
    guard let type = QuantityType(healthKit: name) else {
      return (.failure(Refusal(reason: "“\(name)” is not a known quantity")), name)
    }
    guard let source, !source.isEmpty else { return refuse("a record without a source") }
    guard let unit else { return refuse("\(type) without a unit") }
    do throws(QuantityError) {
      let unit = try Unit(unit)
      guard unit.isCompatible(with: type.canonicalUnit) else {
        throw .wrongUnit(type, unit, measured: "HKQuantitySample")
      }
      return (.success((type, unit)), nil)
    } catch {
      return refuse("\(error)")
    }
  }
}

/// The contexts of a file's records, each made once.
@safe
struct RecordContexts {
  private var contexts: [ByteKey: RecordContext] = [:]
  private var key = ByteKey()
  private var last: (key: ByteKey, context: RecordContext)?
  private var bytes = 0
  private let participant: String?

  // A file with more, or with longer ones, was made to exhaust the memory; it only gets slow.
  private static let maxCount = 4096
  private static let maxBytes = 4 << 20

  init(participant: String?) { self.participant = participant }

  /// The context of a record with these attributes.
  mutating func context(
    type: UnsafePointer<CChar>?, source: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?,
    device: UnsafePointer<CChar>?, unit: UnsafePointer<CChar>?
  ) -> RecordContext {
    key.removeAll()
    unsafe key.append(type)
    unsafe key.append(source)
    unsafe key.append(version)
    unsafe key.append(device.map { unsafe Device.withoutAddress($0) })
    unsafe key.append(unit)
    if let last, last.key == key { return last.context }
    if let context = contexts[key] {
      last = (key, context)
      return context
    }
    func text(_ pointer: UnsafePointer<CChar>?) -> String? { unsafe pointer.map { unsafe String(cString: $0) } }
    let context = unsafe RecordContext(
      type: text(type), source: text(source), version: text(version), device: text(device), unit: text(unit),
      participant: participant)
    bytes += key.count
    if contexts.count >= Self.maxCount || bytes > Self.maxBytes { (contexts, bytes) = ([:], key.count) }
    contexts[key] = context
    return context
  }
}
