import Basics
import Quantities

/// The beats from which a heart-rate variability was computed, as the export lists them.
///
///     <InstantaneousBeatsPerMinute bpm="64" time="10:04:06.61 PM"/>
///
/// The time is that of a beat, in the phone's local time and language: with a comma, with points, with other digits, with
/// a narrow blank before the half of the day. The rate is that of the interval before it. Which hour it is follows from
/// the record's own times, because local times differ from UTC by whole quarters of an hour.
struct AppleBeats {
  private var entries: [(rate: Double, time: Int64)] = []
  private var refusal: String?
  private(set) var isEmpty = true

  // A reading for SDNN takes a minute. A file with so many was made to exhaust the memory.
  private static let maxCount = 20_000
  private static let second: Int64 = 1_000_000
  private static let quarter = 900 * second
  private static let halfDay = 43_200 * second

  /// Takes an entry.
  mutating func add(bpm: UnsafePointer<CChar>?, time: UnsafePointer<CChar>?) {
    isEmpty = false
    guard refusal == nil else { return }
    guard entries.count < Self.maxCount else {
      refusal = "it has more than \(Self.maxCount) beats"
      return
    }
    guard let bpm = unsafe bpm, let rate = unsafe Decimal.number(bpm.bytes.span), rate > 0.5, rate < 1000 else {
      refusal = unsafe "the rate “\(bpm.map { unsafe String(cString: $0) } ?? "")” of a beat is not one"
      return
    }
    guard let time = unsafe time, let moment = unsafe Self.timeOfDay(String(cString: time)) else {
      refusal = unsafe "the time “\(time.map { unsafe String(cString: $0) } ?? "")” of a beat cannot be read"
      return
    }
    entries.append((rate, moment))
  }

  /// The series of the beats that belong to a sample.
  func series(of sample: QuantitySample, _ identity: Identity) throws(Refusal) -> HeartbeatSeries {
    if let refusal { throw Refusal(reason: refusal) }
    guard let first = entries.first else { throw Refusal(reason: "there are none") }
    let before = Self.interval(first.rate)
    let start = try self.start(first.time, of: sample).advanced(by: .microseconds(-before))
    var beats = [HeartbeatSeries.Beat(timeSinceStart: .microseconds(before))]
    var elapsed = before
    for (last, next) in zip(entries, entries.dropFirst()) {
      let interval = Self.interval(from: last.time, to: next.time, within: sample)
      guard let interval else {
        throw Refusal(reason: "beat \(beats.count + 1) does not come after the one before it")
      }
      elapsed += interval
      guard .microseconds(elapsed) <= Storable.maxSample else {
        throw Refusal(reason: "they last longer than the four days of the longest sample that is kept")
      }
      beats.append(.init(timeSinceStart: .microseconds(elapsed), isPrecededByGap: Self.isGap(interval, next.rate)))
    }
    var identity = identity
    identity.append("beats")
    do throws(QuantityError) {
      return try HeartbeatSeries(
        uuid: identity.uuid(at: start), start: start, beats: beats, sourceRevision: sample.sourceRevision,
        device: sample.device,
        metadata: sample.metadata)
    } catch {
      throw Refusal(reason: "\(error)")
    }
  }

  // The time from one beat to the next; `nil` where the next does not come after it.
  //
  // Where clocks change between the two, local times differ by whole half hours more or less; then the record, which lasts
  // a minute, has no room for any other length.
  private static func interval(from last: Int64, to next: Int64, within sample: QuantitySample) -> Int64? {
    let shown = remainder(next - last, halfDay)
    if shown > 0, shown < quarter { return shown }
    let rest = remainder(shown, 2 * quarter)
    let longest = min(sample.end.microseconds - sample.start.microseconds, 60 * second) + 2 * second
    return rest > 0 && rest <= longest ? rest : nil
  }

  // The instant of the first beat: the time within the record's with that minute of its quarter and that second.
  private func start(_ time: Int64, of sample: QuantitySample) throws(Refusal) -> WallTime {
    let start = Self.remainder(sample.start.microseconds, Self.quarter)
    var delay = Self.remainder(time - start, Self.quarter)
    if delay > Self.quarter / 2 { delay -= Self.quarter }
    let length = sample.end.microseconds - sample.start.microseconds
    guard (-2 * Self.second...length + 2 * Self.second).contains(delay) else {
      throw Refusal(reason: "the first beat does not lie within the record's own times")
    }
    return sample.start.advanced(by: .microseconds(delay))
  }

  private static func interval(_ rate: Double) -> Int64 { Int64((60e6 / rate).rounded()) }

  // Rates are written as whole numbers, times to the hundredth of a second.
  private static func isGap(_ interval: Int64, _ rate: Double) -> Bool {
    Double(interval) > 60e6 / (rate - 0.5) + 11_000
  }

  private static func remainder(_ number: Int64, _ divisor: Int64) -> Int64 {
    let rest = number % divisor
    return rest < 0 ? rest + divisor : rest
  }

  /// Microseconds since the beginning of a half of the day or of the day; `nil` for what is no time.
  static func timeOfDay(_ text: String) -> Int64? {
    var groups: [(value: Int64, digits: Int)] = []
    var isInGroup = false
    for scalar in text.unicodeScalars {
      guard let digit = digit(scalar) else {
        isInGroup = false
        continue
      }
      if !isInGroup { groups.append((0, 0)) }
      isInGroup = true
      let last = groups.count - 1
      guard last < 4, groups[last].digits < (last == 3 ? 6 : 2) else { return nil }
      groups[last] = (groups[last].value * 10 + digit, groups[last].digits + 1)
    }
    guard groups.count >= 3, groups[0].value < 25, groups[1].value < 60, groups[2].value <= 60 else { return nil }
    var fraction = groups.count > 3 ? groups[3].value : 0
    for _ in (groups.count > 3 ? groups[3].digits : 6)..<6 { fraction *= 10 }
    return ((groups[0].value * 60 + groups[1].value) * 60 + groups[2].value) * second + fraction
  }

  private static func digit(_ scalar: Unicode.Scalar) -> Int64? {
    if scalar.isASCII { return ("0"..."9").contains(scalar) ? Int64(scalar.value - 48) : nil }
    guard scalar.properties.numericType == .decimal else { return nil }
    return scalar.properties.numericValue.map { Int64($0) }
  }
}
