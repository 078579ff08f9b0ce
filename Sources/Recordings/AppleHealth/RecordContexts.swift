import Basics
import Glibc
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

extension Device {
  /// Reads HealthKit's description of a device.
  ///
  ///     <<HKDevice: 0x2818c8a50>, name:Apple Watch, manufacturer:Apple Inc., hardware:Watch6,2, software:10.3.1>
  ///
  /// The address, which differs in every export, and the day on which the phone first saw the device are left out. A
  /// text of another form is the device's name.
  init(healthKit description: String) {
    guard description.hasPrefix("<<HKDevice:"), let start = description.firstRange(of: ">, ")?.upperBound else {
      self.init(name: description)
      return
    }
    self.init()
    var rest = description[start...]
    if rest.hasSuffix(">") { rest = rest.dropLast() }
    // A value may hold commas; it goes on until the next key that is known.
    var fields: [(key: String, value: String)] = []
    for part in rest.split(separator: ", ", omittingEmptySubsequences: false) {
      let words = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      if words.count == 2, Self.keys.contains(String(words[0])) {
        fields.append((String(words[0]), String(words[1])))
      } else if !fields.isEmpty {
        fields[fields.count - 1].value += ", " + part
      }
    }
    for field in fields {
      switch field.key {
      case "name": name = field.value
      case "manufacturer": manufacturer = field.value
      case "model": model = field.value
      case "hardware": hardwareVersion = field.value
      case "firmware": firmwareVersion = field.value
      case "software": softwareVersion = field.value
      case "localIdentifier": localIdentifier = field.value
      case "UDIDeviceIdentifier": udiDeviceIdentifier = field.value
      default: break
      }
    }
  }

  private static let keys = [
    "name", "manufacturer", "model", "hardware", "firmware", "software", "localIdentifier", "UDIDeviceIdentifier",
    "creation date",
  ]

  /// What follows the address in HealthKit's description of a device; all of any other text.
  static func withoutAddress(_ description: UnsafePointer<CChar>) -> UnsafePointer<CChar> {
    let beginning: StaticString = "<<HKDevice:"
    for index in 0..<beginning.utf8CodeUnitCount {
      guard unsafe UInt8(bitPattern: description[index]) == beginning.utf8Start[index] else {
        return unsafe description
      }
    }
    return unsafe strchr(description, Int32(UInt8(ascii: ","))).map { unsafe UnsafePointer($0) } ?? description
  }
}

extension Person {
  /// Reads the export's `Me`, whose attributes are HealthKit's characteristics.
  ///
  /// - Parameters:
  ///   - attributes: the attributes.
  ///   - problem: called with each one that cannot be read; an empty one means that nothing was set.
  init(_ attributes: XMLAttributes, _ problem: (String) -> Void) {
    self.init()
    func text(_ name: StaticString) -> String? { unsafe attributes[name].map { unsafe String(cString: $0) } }
    if let date = text("HKCharacteristicTypeIdentifierDateOfBirth"), !date.isEmpty {
      dateOfBirth = CalendarDate(date)
      if dateOfBirth == nil { problem("the date of birth “\(date.prefix(40))” is not a date such as 1990-05-31") }
    }
    guard let name = text("HKCharacteristicTypeIdentifierBiologicalSex"), !name.isEmpty else { return }
    switch name {
    case "HKBiologicalSexFemale": sex = .female
    case "HKBiologicalSexMale": sex = .male
    case "HKBiologicalSexOther": sex = .other
    case "HKBiologicalSexNotSet": sex = .notSet
    default: problem("the biological sex “\(name.prefix(40))” is none that HealthKit has")
    }
  }
}
