import Basics

/// Reads the text files of Polar's older programs: heart rates at a fixed interval, or intervals between beats.
struct PolarHRMReader: DeviceReader {
  var samples = DeviceSamples()

  private var splitter = LineSplitter(endsAtCR: true)
  private var section: String?
  private var parameters: [String: String] = [:]
  private var content = Content.unknown
  // How long the samples are together, in microseconds.
  private var length: Int64 = 0

  /// What the lines below `[HRData]` hold.
  private enum Content {
    case unknown
    /// Heart rates, so many microseconds apart.
    case rates(step: Int64)
    case intervals
  }

  init() { samples.noun = "row" }

  mutating func take(_ bytes: [UInt8], isLast: Bool) throws(DeviceFault) {
    var fault: DeviceFault?
    var reader = self
    var splitter = splitter
    func take(_ number: Int, _ line: Span<UInt8>?) {
      guard fault == nil, let line else { return }
      let bytes = line.indices.map { line[$0] }
      do throws(DeviceFault) { try reader.read(bytes, number) } catch { fault = error }
    }
    splitter.take(bytes.span, each: take)
    if isLast { splitter.end(each: take) }
    self = reader
    self.splitter = splitter
    if let fault { throw fault }
    if isLast, case .unknown = content {
      throw DeviceFault(place: .line(splitter.count), reason: "the file ends before its samples, which follow [HRData]")
    }
    if isLast { try checkLength() }
  }

  /// Reports a file whose samples end before its line “Length” says.
  private func checkLength() throws(DeviceFault) {
    guard let text = parameters["Length"], let announced = ClockTime.microseconds(text) else { return }
    // The last sample may be one interval early, and intervals between beats may be missing.
    let slack: Int64 = if case .rates(let step) = content { step + 1_000_000 } else { max(5_000_000, announced / 20) }
    guard announced - length > slack else { return }
    let (found_s, announced_s) = (Double(length) / 1e6, Double(announced) / 1e6)
    throw DeviceFault(
      place: .line(splitter.count),
      reason: "the samples end after \(found_s.fixed(1)) s, and the line “Length” announces \(announced_s.fixed(1)) s",
      isCut: true)
  }

  private mutating func read(_ bytes: [UInt8], _ line: Int) throws(DeviceFault) {
    // Notes may be in an old encoding; nothing of them is read.
    let text = String(decoding: bytes.afterByteOrderMark, as: UTF8.self)
    if text.first == "[", let end = text.firstIndex(of: "]") {
      section = String(text[text.index(after: text.startIndex)..<end])
      if section == "HRData" { try begin(line) }
      return
    }
    switch section {
    case "Params":
      guard let sign = text.firstIndex(of: "=") else { return }
      parameters[String(text[..<sign])] = String(text[text.index(after: sign)...].filter { !$0.isWhitespace })
    case "HRData": row(text, line)
    default: return
    }
  }

  private mutating func begin(_ line: Int) throws(DeviceFault) {
    guard let text = parameters["Interval"], let interval = Int64(text) else {
      throw DeviceFault(place: .line(line), reason: "the file has no line “Interval”, so that its rows have no times")
    }
    switch interval {
    case 238: content = .intervals
    case 204:
      throw DeviceFault(
        place: .line(line), reason: "the file holds intermediate times only, and no course of heart rates")
    case 1...3600: content = .rates(step: interval * 1_000_000)
    default:
      throw DeviceFault(
        place: .line(line),
        reason: "the recording interval \(text.prefix(12).visible) is none of Polar's: expected 1 to 3600 s, or 238")
    }
    if let start { samples.clock = .elapsed(since: start) }
  }

  // The local time of `Date=20261120` and `StartTime=10:00:00.0`; nil if one of them is missing or is none.
  private var start: String? {
    guard let date = parameters["Date"], date.utf8.count == 8, let time = parameters["StartTime"] else { return nil }
    let clock = time.prefix(2).contains(":") ? "0\(time)" : time
    let text = "\(date.prefix(4))-\(date.dropFirst(4).prefix(2))-\(date.dropFirst(6))T\(clock)"
    return TimeZone.utc.time(text) == nil ? nil : text
  }

  private mutating func row(_ text: String, _ line: Int) {
    let field = text.split(whereSeparator: { $0 == "\t" || $0 == " " || $0 == "," }).first
    guard let field else { return }
    samples.entries += 1
    if case .rates(let step) = content { length += step }
    guard let number = Decimal.number(String(field).utf8.span), number >= 0 else {
      samples.faults.note(line, "“\(field.prefix(24).visible)” is not a number")
      if case .intervals = content { samples.take(following: .nan) }
      return
    }
    switch content {
    case .rates(let step): samples.take(rate: number, at: Int64(samples.entries - 1) * step)
    case .intervals:
      samples.take(following: number > 0 ? number : .nan)
      length += Int64(min(number, 1e9) * 1000)
    case .unknown: return
    }
  }
}
