internal import Analysis
internal import Decimals

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
  /// The number with as many digits as its kind of quantity is worth.
  var digits: Int {
    guard let value else { return 0 }
    switch unit {
    case "/min", "%": return 1
    case "ms": return 1
    case "ms2": return value.magnitude < 100 ? 1 : 0
    default: return measure == .nn50 ? 0 : 2
    }
  }

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
