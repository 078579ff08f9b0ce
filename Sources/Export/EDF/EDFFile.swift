import Basics
import Bundles

/// How many frames a data record has, and how long it lasts.
struct EDFRhythm {
  let frames: Int
  /// In seconds, as the header has it.
  let duration: String

  // A data record should have no more bytes, annotations included.
  private static let maxLength = 61_440

  /// The rhythm of a rate: a whole number of frames in a number of seconds of at most eight characters; `nil` for a
  /// rate that is none.
  init?(rate: Double, channels: Int) {
    guard rate > 0, rate < 1e6 else { return nil }
    let most = max(1, (Self.maxLength - 2048) / (2 * max(1, channels)))
    for seconds in [1, 2, 4, 5, 8, 10, 20, 0.5, 0.25, 0.2, 0.125, 0.1, 0.05, 0.02, 0.01] {
      let count = rate * seconds
      if count >= 1, count <= Double(most), (count - count.rounded()).magnitude < 1e-9 * count {
        (frames, duration) = (Int(count.rounded()), seconds.brief)
        return
      }
    }
    frames = min(most, max(1, Int(rate.rounded())))
    duration = EDFNumber.text(Double(frames) / rate, .toNearestOrEven)
  }
}

/// A number in the eight characters of a header.
enum EDFNumber {
  /// The number with as many decimals as fit.
  static func text(_ number: Double, _ rule: FloatingPointRoundingRule) -> String {
    for decimals in stride(from: 6, through: 0, by: -1) {
      let scale = Decimal.power(UInt(decimals))
      let text = ((number * scale).rounded(rule) / scale).fixed(decimals)
      let short = trimmed(text)
      if short.utf8.count <= 8 { return short }
    }
    return number < 0 ? "-9999999" : "99999999"
  }

  /// The text of a number without zeros behind its decimals.
  static func trimmed(_ text: String) -> String {
    guard text.contains(".") else { return text }
    let digits = text.reversed().drop { $0 == "0" }
    return String((digits.first == "." ? digits.dropFirst() : digits).reversed())
  }
}

/// The values of one channel, with the range that its digital values stand for.
struct EDFSignal {
  let label: String
  let unit: String
  let values: [Double]
  private let minimum: String
  private let maximum: String

  private static let (minValue, maxValue) = (-32_768.0, 32_767.0)
  /// What stands for a missing value.
  static let missing = Int16.min

  /// A signal.
  ///
  /// Whole numbers, as a sensor's converter gives them, are kept exactly: a digital value is the value. Other values
  /// are rounded to one of 65,533 levels between the smallest and the largest.
  ///
  /// - Throws: ``EDFProblem`` for values whose limits have more than eight characters.
  init(label: String, unit: String, values: [Double]) throws(EDFProblem) {
    (self.label, self.unit, self.values) = (label, unit, values)
    var (low, high, areWhole) = (Double.infinity, -Double.infinity, true)
    for value in values where value.isFinite {
      (low, high) = (min(low, value), max(high, value))
      // A unit may have been converted and back.
      if (value - value.rounded()).magnitude > 1e-9 * max(1, value.magnitude) { areWhole = false }
    }
    guard low <= high, !(areWhole && low > Self.minValue && high <= Self.maxValue) else {
      (minimum, maximum) = ("-32768", "32767")
      return
    }
    let step = high > low ? (high - low) / 65_533 : max(1e-3, low.magnitude / 1e5)
    minimum = EDFNumber.text(low - 2 * step, .down)
    maximum = EDFNumber.text(high + step, .up)
    guard let bottom = Double(minimum), let top = Double(maximum), bottom <= low, high <= top, bottom < top else {
      throw .range(label: label)
    }
  }

  /// The digital value of a frame.
  func digital(_ place: Int) -> Int16 {
    guard place < values.count, values[place].isFinite, let low = Double(minimum), let high = Double(maximum) else {
      return Self.missing
    }
    let level = (values[place] - low) / (high - low) * (Self.maxValue - Self.minValue) + Self.minValue
    return Int16(min(max(level.rounded(), Self.minValue + 1), Self.maxValue))
  }

  /// The members of the header, with their widths, without the number of samples.
  var header: [(String, Int)] {
    [
      (EDFFile.plain(label, 16), 16), ("", 80), (EDFFile.plain(unit, 8), 8), (minimum, 8), (maximum, 8),
      ("-32768", 8), ("32767", 8), ("", 80),
    ]
  }
}

/// Something that happened, in seconds since the file's beginning.
struct EDFAnnotation {
  let onset: Double
  let duration: Double?
  let text: String

  /// A time-stamped annotation list.
  var bytes: [UInt8] {
    // The separators must not be in the text.
    Array(EDFFile.time(onset).utf8) + (duration.map { [0x15] + Array(max(0, $0).fixed(6).utf8) } ?? []) + [0x14]
      + Array(text.visible.utf8) + [0x14, 0]
  }
}

/// A continuous EDF+ file.
struct EDFFile {
  /// The participant's code; nothing else is said of a person.
  let patient: String
  /// The second in which it begins.
  let start: WallTime
  /// Whether the trial is simulated, which the additional subfields of person and recording say.
  var isSimulated = false
  /// Whether its date is the true one; otherwise it has none, since EDF has no dates before 1985.
  let isDated: Bool
  /// How much later the first frame is, in seconds.
  let fraction: Double
  let rhythm: EDFRhythm
  let signals: [EDFSignal]
  let annotations: [EDFAnnotation]

  private var records: Int {
    let frames = signals.map(\.values.count).max() ?? 0
    return (frames + rhythm.frames - 1) / rhythm.frames
  }

  /// `+12.5`.
  static func time(_ seconds: Double) -> String {
    let text = EDFNumber.trimmed(seconds.fixed(6))
    return text.hasPrefix("-") ? text : "+\(text)"
  }

  /// The text in printable ASCII, cut to a width.
  static func plain(_ text: String, _ width: Int) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Character in
      // The micro sign and the Greek letter mu.
      if scalar.value == 0xB5 || scalar.value == 0x3BC { return "u" }
      return (0x20...0x7E).contains(scalar.value) ? Character(scalar) : "_"
    }
    return String(scalars.prefix(width))
  }

  /// The whole file.
  var bytes: [UInt8] {
    let lists = lists
    let size = ((lists.map(\.count).max() ?? 2) + 1) / 2
    var bytes = header(annotationSize: size)
    bytes.reserveCapacity(bytes.count + records * 2 * (signals.count * rhythm.frames + size))
    for (record, list) in lists.enumerated() {
      for signal in signals {
        for place in (record * rhythm.frames)..<((record + 1) * rhythm.frames) {
          let value = UInt16(bitPattern: signal.digital(place))
          bytes.append(UInt8(truncatingIfNeeded: value))
          bytes.append(UInt8(value >> 8))
        }
      }
      bytes += list
      bytes += repeatElement(0, count: 2 * size - list.count)
    }
    return bytes
  }

  /// The annotations of each record, behind the time of the record itself; as evenly long as they can be.
  private var lists: [[UInt8]] {
    let duration = Double(rhythm.duration) ?? 1
    var lists = (0..<records).map { record in
      Array(Self.time(fraction + Double(record) * duration).utf8) + [0x14, 0x14, 0]
    }
    let texts = annotations.map(\.bytes)
    guard !lists.isEmpty, let longest = texts.map(\.count).max() else { return lists }
    let even = (texts.reduce(0) { $0 + $1.count } + records - 1) / records
    let room = (lists.map(\.count).max() ?? 0) + longest + even
    var record = 0
    for text in texts {
      while lists[record].count + text.count > room, record < records - 1 { record += 1 }
      lists[record] += text
    }
    return lists
  }

  private func header(annotationSize size: Int) -> [UInt8] {
    let day = WallTime.date(ofDay: start.microseconds / 86_400_000_000)
    let months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let isDated = isDated && (1985...2084).contains(day.year)
    let date = isDated ? "\(two(day.day)).\(two(day.month)).\(two(day.year % 100))" : "01.01.85"
    let clock = start.description.dropFirst(11).prefix(8).map { $0 == ":" ? "." : $0 }
    let startDate = isDated ? "\(two(day.day))-\(months[Int(day.month) - 1])-\(day.year)" : "X"
    let code = Self.plain(patient, 60).map { $0 == " " ? "_" : $0 }
    let count = signals.count + 1
    let mark = isSimulated ? " \(TrialSimulation.mark.replacing(" ", with: "_"))" : ""
    let whole: [(String, Int)] = [
      ("0", 8), ("\(String(code)) X X X\(mark)", 80), ("Startdate \(startDate) X X station\(mark)", 80),
      (date, 8), (String(clock), 8), ("\(256 * (count + 1))", 8), ("EDF+C", 44), ("\(records)", 8),
      (rhythm.duration, 8),
      ("\(count)", 4),
    ]
    let annotations: [(String, Int)] = [
      ("EDF Annotations", 16), ("", 80), ("", 8), ("-1", 8), ("1", 8), ("-32768", 8), ("32767", 8), ("", 80),
    ]
    let columns =
      signals.map { $0.header + [("\(rhythm.frames)", 8), ("", 32)] } + [annotations + [("\(size)", 8), ("", 32)]]
    // Of the signals' members first all labels are written, then all transducers, and so on.
    let members = whole + columns[0].indices.flatMap { member in columns.map { $0[member] } }
    return members.flatMap { text, width in
      Array(text.utf8.prefix(width)) + [UInt8](repeating: 0x20, count: max(0, width - text.utf8.count))
    }
  }
}
