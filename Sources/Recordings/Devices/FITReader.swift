/// Reads FIT files: heart rates of `record` messages, and the intervals between beats of `hrv` messages.
///
/// A FIT file is one part or several; a part has a header, messages in forms that are defined among them, and a CRC.
/// Fields of developers and all other messages are skipped; so are places, which a `record` may hold.
struct FITReader: DeviceReader {
  var samples = DeviceSamples()

  private var bytes: [UInt8] = []
  private var timestamp: UInt32?
  private var pending: [Double] = []
  // The end of the last delivery in microseconds, by the intervals that it had.
  private var lastEnd: Int64?

  // FIT's times are seconds since 1989-12-31T00:00:00Z; smaller numbers count from when the device was switched on.
  private static let epoch: Int64 = 631_065_600
  private static let minDate: UInt32 = 0x1000_0000

  init() { samples.noun = "record" }

  mutating func take(_ piece: [UInt8], isLast: Bool) throws(DeviceFault) {
    bytes += piece
    guard isLast else { return }
    var position = 0
    while position < bytes.count { position = try readPart(at: position) }
    deliverRest()
  }

  private static func fault(_ byte: Int, _ reason: String) -> DeviceFault {
    DeviceFault(place: .byte(byte), reason: reason)
  }

  private func number(_ position: Int, _ count: Int, isBigEndian: Bool = false) -> UInt64 {
    (0..<count).reduce(0) { number, index in
      let shift = isBigEndian ? count - 1 - index : index
      return number | UInt64(bytes[position + index]) << (8 * shift)
    }
  }

  // Returns the position behind the part.
  private mutating func readPart(at start: Int) throws(DeviceFault) -> Int {
    let size = Int(bytes[start])
    guard size >= 12, start + size <= bytes.count, bytes[(start + 8)...].starts(with: ".FIT".utf8) else {
      throw Self.fault(start, "expected the header of a FIT file; the file is damaged")
    }
    guard bytes[start + 1] >> 4 <= 2 else {
      throw Self.fault(
        start + 1, "the file is of version \(bytes[start + 1] >> 4) of the FIT protocol; versions 1 and 2 are read")
    }
    if size >= 14, case let sum = number(start + 12, 2), sum != 0, UInt64(CRC16.of(bytes[start..<(start + 12)])) != sum
    {
      throw Self.fault(start, "the checksum of the header is wrong; the file is damaged")
    }
    let length = Int(number(start + 4, 4))
    let (from, end) = (start + size, start + size + length)
    // A device whose battery went flat leaves the length at zero, or the file short.
    guard length > 0, end + 2 <= bytes.count else {
      let there = min(length > 0 ? end : bytes.count, bytes.count)
      // What the last bytes begin is not there.
      do { try readMessages(from, there) } catch {}
      deliverRest()
      var fault = Self.fault(
        bytes.count, "the file ends in the middle; copy it from the device again, or repair it with the maker's program"
      )
      fault.isCut = true
      throw fault
    }
    guard UInt64(CRC16.of(bytes[start..<end])) == number(end, 2) else {
      throw Self.fault(end, "the checksum is wrong; the file is damaged, copy it from the device again")
    }
    try readMessages(from, end)
    return end + 2
  }

  private mutating func readMessages(_ from: Int, _ end: Int) throws(DeviceFault) {
    var forms: [UInt8: FITForm] = [:]
    var position = from
    while position < end {
      let header = bytes[position]
      let isCompressed = header & 0x80 != 0
      let local = isCompressed ? header >> 5 & 0x03 : header & 0x0F
      if !isCompressed, header & 0x40 != 0 {
        guard let form = FITForm(bytes, at: position + 1, end, hasDeveloperFields: header & 0x20 != 0) else {
          throw Self.fault(position, "the definition of a message goes beyond the end; the file is damaged")
        }
        forms[local] = form
        position += 1 + form.definitionSize
        continue
      }
      guard let form = forms[local] else {
        throw Self.fault(position, "a message of the kind \(local), which is not defined; the file is damaged")
      }
      guard position + 1 + form.size <= end else {
        throw Self.fault(position, "a message goes beyond the end; the file is damaged")
      }
      if isCompressed { advance(header & 0x1F) }
      read(form, at: position + 1)
      position += 1 + form.size
    }
  }

  // The lowest five bits of a time that is at most 31 s after the last one.
  private mutating func advance(_ offset: UInt8) {
    guard let last = timestamp else { return }
    timestamp = last &+ (UInt32(offset) &- last) & 0x1F
  }

  private mutating func read(_ form: FITForm, at position: Int) {
    func value(_ number: UInt8) -> UInt64? {
      guard let field = form.fields[number], let size = field.elementSize, field.size >= size else { return nil }
      let value = self.number(position + field.offset, size, isBigEndian: form.isBigEndian)
      return value == field.invalid ? nil : value
    }
    if let time = value(253), time <= UInt64(UInt32.max) { timestamp = UInt32(time) }
    switch form.message {
    case .record:
      samples.entries += 1
      guard let timestamp else { return samples.faults.note(samples.entries, "a record without a time") }
      let time = time(timestamp)
      deliver(before: time)
      if let rate = value(3) { samples.take(rate: Double(rate), at: time) }
    case .hrv:
      guard let field = form.fields[0], let size = field.elementSize else { return }
      for offset in stride(from: 0, to: field.size - size + 1, by: size) {
        let interval = number(position + field.offset + offset, size, isBigEndian: form.isBigEndian)
        if interval != field.invalid, interval > 0 { pending.append(Double(interval)) }
      }
    case .fileIdentifier:
      if samples.device == nil, let field = form.fields[8] {
        samples.device = text(position + field.offset, field.size)
      }
    case .heartRateEvents: samples.leftOut["messages “hr”", default: 0] += 1
    case .monitoring: samples.leftOut["messages “monitoring”", default: 0] += 1
    case nil: return
    }
  }

  private func text(_ position: Int, _ size: Int) -> String? {
    let text = String(decoding: bytes[position..<(position + size)].prefix { $0 != 0 }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }

  private mutating func time(_ timestamp: UInt32) -> Int64 {
    let isDate = timestamp >= Self.minDate
    if isDate { samples.clock = .utc }
    return (Int64(timestamp) + (isDate ? Self.epoch : 0)) * 1_000_000
  }

  // The beats of an `hrv` message happened before the record that follows it.
  private mutating func deliver(before time: Int64) {
    guard !pending.isEmpty else { return }
    samples.take(intervals: pending, before: time)
    lastEnd = time
    pending = []
  }

  // Behind the last record no time is known: the intervals follow those before.
  private mutating func deliverRest() {
    guard !pending.isEmpty else { return }
    let start = lastEnd ?? timestamp.map { time($0) } ?? 0
    deliver(before: start + Int64(pending.reduce(0, +) * 1000))
  }
}

/// The form of a kind of messages.
private struct FITForm {
  /// The messages that are read.
  enum Message: UInt16 {
    case fileIdentifier = 0
    case record = 20
    case monitoring = 55
    case hrv = 78
    case heartRateEvents = 132
  }

  struct Field {
    let offset: Int
    let size: Int
    let type: UInt8

    /// The size of an unsigned number; `nil` for other types.
    var elementSize: Int? {
      switch type & 0x1F {
      case 0, 2, 10, 13: 1
      case 4, 11: 2
      case 6, 12: 4
      default: nil
      }
    }

    /// The number that means that there is none.
    var invalid: UInt64 {
      switch type & 0x1F {
      case 10, 11, 12: 0
      case 4: 0xFFFF
      case 6: 0xFFFF_FFFF
      default: 0xFF
      }
    }
  }

  let message: Message?
  let isBigEndian: Bool
  /// By their numbers; those of developers are left out.
  let fields: [UInt8: Field]
  /// The bytes of a message without its header.
  let size: Int
  let definitionSize: Int

  /// Reads a definition behind its header; `nil` if it goes beyond the end.
  init?(_ bytes: [UInt8], at start: Int, _ end: Int, hasDeveloperFields: Bool) {
    guard start + 5 <= end else { return nil }
    isBigEndian = bytes[start + 1] == 1
    let (first, second) = (UInt16(bytes[start + 2]), UInt16(bytes[start + 3]))
    message = Message(rawValue: isBigEndian ? first << 8 | second : second << 8 | first)
    var position = start + 5
    let count = Int(bytes[start + 4])
    guard position + 3 * count <= end else { return nil }
    var fields: [UInt8: Field] = [:]
    var size = 0
    for _ in 0..<count {
      let field = Field(offset: size, size: Int(bytes[position + 1]), type: bytes[position + 2])
      fields[bytes[position]] = field
      size += field.size
      position += 3
    }
    if hasDeveloperFields {
      guard position < end, case let count = Int(bytes[position]), position + 1 + 3 * count <= end else { return nil }
      position += 1
      for _ in 0..<count {
        size += Int(bytes[position + 1])
        position += 3
      }
    }
    self.fields = fields
    self.size = size
    definitionSize = position - start
  }
}

/// The checksum of FIT files: CRC-16/ARC.
enum CRC16 {
  private static let table: [UInt16] = (0..<256).map { byte in
    (0..<8).reduce(UInt16(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xA001 : sum >> 1 }
  }

  /// The checksum of bytes.
  static func of(_ bytes: some Sequence<UInt8>) -> UInt16 {
    bytes.reduce(0) { sum, byte in sum >> 8 ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] }
  }
}
