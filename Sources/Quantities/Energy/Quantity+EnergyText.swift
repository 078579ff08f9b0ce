/// In which units people are told an energy.
package enum EnergyStyle: String, Hashable, Sendable, CaseIterable {
  /// In kilocalories, and calories below one of them.
  case kilocalories
  /// In kilojoules, and joules below one of them.
  case joules

  fileprivate var units: (large: Unit, small: Unit) {
    switch self {
    case .kilocalories: (.kilocalorie, .calorie)
    case .joules: (.kilojoule, .joule)
    }
  }
}

extension Quantity {
  /// An energy for people: `1,703 kcal`, `7.5 kJ`, `320 cal`.
  ///
  /// Tenths are told below a hundred of the unit, and the small unit below one of the large.
  ///
  /// - Parameters:
  ///   - style: in which units.
  ///   - isSigned: whether what is above zero gets a plus, as a surplus does.
  /// - Returns: the number, a space and the unit.
  /// - Throws: ``QuantityError/incompatible(from:to:)`` for what is no energy.
  package func energyText(in style: EnergyStyle, isSigned: Bool = false) throws(QuantityError) -> String {
    let (large, small) = style.units
    let value = try value(in: large)
    // Tenths below a hundred, so that 99.96 is told as 100.
    let tenths = (value * 10).rounded()
    var number: String
    let unit: Unit
    if value != 0, (value * 1000).rounded().magnitude < 1000 {
      (number, unit) = (Self.grouped((value * 1000).rounded().magnitude), small)
    } else if tenths.magnitude < 1000 {
      number = Self.grouped((tenths.magnitude / 10).rounded(.down))
      if tenths.magnitude.truncatingRemainder(dividingBy: 10) != 0 {
        number += ".\(Int(tenths.magnitude.truncatingRemainder(dividingBy: 10)))"
      }
      unit = large
    } else {
      (number, unit) = (Self.grouped(value.rounded().magnitude), large)
    }
    let sign = number == "0" ? "" : value < 0 ? "−" : isSigned ? "+" : ""
    return "\(sign)\(number) \(number == "0" ? large : unit)"
  }

  // A whole number that is not negative, with a comma before each three digits.
  private static func grouped(_ whole: Double) -> String {
    guard whole < 1e15 else { return "\(whole)" }
    var text = ""
    for (index, digit) in String(Int64(whole)).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }
}
