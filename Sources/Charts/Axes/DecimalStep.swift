import Basics
import Glibc
import Quantities

/// A round step on an axis: 1, 2, 2.5 or 5 times a power of ten.
struct DecimalStep: Hashable, Sendable {
  /// 10, 20, 25 or 50.
  let mantissa: Int
  /// The power of ten by which the mantissa is multiplied.
  let exponent: Int

  /// The smallest round step that is at least a given positive number.
  init(atLeast number: Double) {
    var exponent = Int(log10(number).rounded(.down)) - 1
    // The logarithm may be off by one near a power of ten.
    while power(of: 10, exponent) * 50 < number { exponent += 1 }
    let mantissa = [10, 20, 25, 50].first { Double($0) * power(of: 10, exponent) >= number * (1 - 1e-12) }
    self.mantissa = mantissa ?? 50
    self.exponent = exponent
  }

  private init(mantissa: Int, exponent: Int) {
    self.mantissa = mantissa
    self.exponent = exponent
  }

  /// The next coarser round step.
  var coarser: DecimalStep {
    switch mantissa {
    case 10: DecimalStep(mantissa: 20, exponent: exponent)
    case 20: DecimalStep(mantissa: 25, exponent: exponent)
    case 25: DecimalStep(mantissa: 50, exponent: exponent)
    default: DecimalStep(mantissa: 10, exponent: exponent + 1)
    }
  }

  var value: Double { value(times: 1) }

  /// A multiple of the step, as exact as floating point allows.
  func value(times count: Int) -> Double {
    let product = Double(count) * Double(mantissa)
    return exponent >= 0 ? product * power(of: 10, exponent) : product / power(of: 10, -exponent)
  }

  /// The multiples between two values, as counts of the step.
  func multiples(from low: Double, to high: Double) -> ClosedRange<Int>? {
    let first = Int((low / value - 1e-9).rounded(.up))
    let last = Int((high / value + 1e-9).rounded(.down))
    return first <= last ? first...last : nil
  }

  /// A multiple of the step as a decimal number, with as many decimals as the step needs.
  ///
  /// - Parameters:
  ///   - count: which multiple.
  ///   - shift: the power of ten to leave out, for numbers that are written as 2×10⁶.
  ///   - isGrouped: whether to group digits by thousands, as in 10,000.
  /// - Returns: the number.
  func text(times count: Int, shiftedBy shift: Int = 0, isGrouped: Bool = false) -> String {
    guard count != 0 else { return "0" }
    var (number, exponent) = (count.magnitude * UInt(mantissa), exponent - shift)
    // All multiples have as many decimals as the step itself.
    var factor = mantissa
    while factor % 10 == 0, exponent < 0 {
      factor /= 10
      number /= 10
      exponent += 1
    }
    var digits = String(number)
    if exponent > 0 { digits += String(repeating: "0", count: exponent) }
    var decimals = ""
    if exponent < 0 {
      digits = String(repeating: "0", count: max(0, 1 - exponent - digits.count)) + digits
      decimals = "." + digits.suffix(-exponent)
      digits = String(digits.dropLast(-exponent))
    }
    if isGrouped, digits.count > 3 {
      var grouped = ""
      for (index, digit) in digits.enumerated() {
        if index > 0, (digits.count - index) % 3 == 0 { grouped.append(",") }
        grouped.append(digit)
      }
      digits = grouped
    }
    return (count < 0 ? "−" : "") + digits + decimals
  }
}

/// The labels of several multiples of one step, with a common power of ten if they are very large or small.
func tickTexts(_ counts: [Int], of step: DecimalStep) -> [String] {
  let largest = counts.map { step.value(times: $0).magnitude }.max() ?? 0
  guard largest > 0, largest >= 1e7 || largest < 1e-3 else {
    return counts.map { step.text(times: $0, isGrouped: largest >= 1e4) }
  }
  let power = Int(log10(largest).rounded(.down))
  return counts.map { $0 == 0 ? "0" : step.text(times: $0, shiftedBy: power) + "×10" + raised(power) }
}

private func raised(_ number: Int) -> String {
  String(
    String(number).map { digit -> Character in
      switch digit {
      case "-": "⁻"
      case "1": "¹"
      case "2": "²"
      case "3": "³"
      default: Unicode.Scalar(0x2070 + (UInt32(digit.wholeNumberValue ?? 0))).map(Character.init) ?? digit
      }
    })
}

/// An integer power, as exact as floating point allows.
private func power(of base: Double, _ exponent: Int) -> Double { pow(base, Double(exponent)) }

/// A step on an axis of days: days, weeks from Monday, or the first days of months and years.
enum CalendarStep: Hashable, Sendable {
  case days(Int)
  case weeks(Int)
  case months(Int)
  case years(Int)

  /// All steps, from the finest to the coarsest; the number of months divides a year.
  static let all: [CalendarStep] =
    [.days(1), .days(2), .weeks(1), .weeks(2), .months(1), .months(2), .months(3), .months(6)]
    + [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map { .years($0) }

  /// The approximate length in days; never more than the actual length.
  var leastDays: Double {
    switch self {
    case .days(let count): Double(count)
    case .weeks(let count): Double(7 * count)
    case .months(let count): Double(28 * count)
    case .years(let count): Double(365 * count)
    }
  }

  /// The days of the step's ticks between two positions, counted from 1970-01-01.
  func days(from low: Double, to high: Double) -> [Int] {
    switch self {
    case .days(let count): Self.multiples(of: count, from: low, to: high)
    // 1970-01-05 was a Monday.
    case .weeks(let count): Self.multiples(of: 7 * count, from: low - 4, to: high - 4).map { $0 + 4 }
    case .months(let count): Self.firsts(every: count, from: low, to: high)
    case .years(let count): Self.firsts(every: 12 * count, from: low, to: high)
    }
  }

  /// The label of a tick: `12 Nov`, `Nov` or `2026`, with the year if the preceding label does not imply it.
  func text(of day: Int, after previous: Int?) -> String {
    let date = WallTime.date(ofDay: Int64(day))
    let isSameYear = previous.map { WallTime.date(ofDay: Int64($0)).year == date.year } ?? false
    let month = Self.months[Int(date.month) - 1]
    let text =
      switch self {
      case .days, .weeks: "\(date.day) \(month)"
      case .months: month
      case .years: ""
      }
    return text.isEmpty ? "\(date.year)" : isSameYear ? text : "\(text) \(date.year)"
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static func multiples(of step: Int, from low: Double, to high: Double) -> [Int] {
    let first = Int((low / Double(step)).rounded(.up)) * step
    return Array(stride(from: first, through: Int(high.rounded(.down)), by: step))
  }

  /// The first days of every nth month, counted from January of the year 0.
  private static func firsts(every months: Int, from low: Double, to high: Double) -> [Int] {
    let date = WallTime.date(ofDay: Int64(low.rounded(.down)))
    let month = Int(date.year) * 12 + Int(date.month) - 1
    var next = Int((Double(month) / Double(months)).rounded(.down)) * months
    var firsts: [Int] = []
    while true {
      let year = Int((Double(next) / 12).rounded(.down))
      let day = Int(WallTime.day(ofYear: Int64(year), month: Int64(next - year * 12 + 1), day: 1))
      if Double(day) > high { return firsts }
      if Double(day) >= low { firsts.append(day) }
      next += months
    }
  }
}

/// A step on a time axis, with the format of its labels.
struct TimeStep: Sendable {
  let seconds: Double

  /// Steps since a zero time.
  static let elapsed =
    ([1, 2, 5, 10, 15, 30] + [1, 2, 5, 10, 15, 30].map { $0 * 60 } + [1, 2, 3, 4, 6, 12, 24, 48].map { $0 * 3600 }
    + [5, 10, 25, 50, 100, 250, 500, 1000, 10_000, 100_000, 1_000_000].map { $0 * 86_400 }).map(TimeStep.init)

  /// A time since zero: `30 s`, `5 min`, `1:30 min`, `2 h`, `1:30 h`.
  func elapsedText(at time: Double, until last: Double) -> String {
    let whole = Int(time.magnitude.rounded())
    let sign = time < 0 ? "−" : ""
    if seconds >= 3600 { return "\(sign)\(whole / 3600) h" }
    if seconds >= 60 {
      return last <= 5400 ? "\(sign)\(whole / 60) min" : "\(sign)\(whole / 3600):\((whole / 60 % 60).twoDigits) h"
    }
    return last <= 180 ? "\(sign)\(whole) s" : "\(sign)\(whole / 60):\((whole % 60).twoDigits) min"
  }
}
