import Analysis
import Basics

extension Double {
  /// The number with a fixed count of decimals, and a minus sign as wide as a plus; a dash if not finite.
  func decimals(_ digits: Int) -> String { isFinite ? fixed(digits, minus: "−") : "–" }

  /// The number with an explicit sign, for differences.
  func change(_ digits: Int) -> String {
    let text = decimals(digits)
    return self > 0 && text.contains { ("1"..."9").contains($0) } ? "+\(text)" : text
  }
}

extension Measurement {
  /// The number of decimals to print.
  var digits: Int { measure.digits(of: value, unit: unit) }

  /// The unit as printed; empty for a dimensionless number.
  var printedUnit: String { unit.printedUnit }
}

extension String {
  /// A unit as UCUM writes it, as printed; empty for unit 1.
  var printedUnit: String { self == "1" ? "" : self == "ms2" ? "ms²" : self }
}

/// Formats seconds since the trial's zero.
func seconds(_ time: Double, _ digits: Int = 1) -> String { "\(time.decimals(digits)) s" }

extension Double {
  /// The number with as many decimals as it needs, at most three.
  var shortest: String {
    var text = decimals(3)
    guard text.contains(".") else { return text }
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }
}
