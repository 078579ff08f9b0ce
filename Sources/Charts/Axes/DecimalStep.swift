import Glibc

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
