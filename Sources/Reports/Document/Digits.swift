import Analysis
import Basics

extension Double {
  /// The number with so many digits after the point, and a minus sign that is as wide as a plus; a dash for none.
  func decimals(_ digits: Int) -> String { isFinite ? fixed(digits, minus: "−") : "–" }

  /// The number with a sign even above zero, for differences.
  func change(_ digits: Int) -> String {
    let text = decimals(digits)
    return self > 0 && text.contains { ("1"..."9").contains($0) } ? "+\(text)" : text
  }
}

extension Measurement {
  /// How many digits after the point are printed of the number.
  var digits: Int { measure.digits(of: value, unit: unit) }

  /// The unit as print has it; empty for a number without one.
  var printedUnit: String {
    switch unit {
    case "1": ""
    case "ms2": "ms²"
    default: unit
    }
  }
}

/// Seconds since the trial's zero.
func seconds(_ time: Double, _ digits: Int = 1) -> String { "\(time.decimals(digits)) s" }

extension Double {
  /// The number with as many digits after the point as it has, three at most.
  var shortest: String {
    var text = decimals(3)
    guard text.contains(".") else { return text }
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }
}
