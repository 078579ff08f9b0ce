/// The unit system of displayed energies.
package enum EnergyStyle: String, Hashable, Sendable, CaseIterable {
  /// Kilocalories, and calories below 1 kcal.
  case kilocalories
  /// Kilojoules, and joules below 1 kJ.
  case joules

  fileprivate var units: (large: Unit, small: Unit) {
    switch self {
    case .kilocalories: (.kilocalorie, .calorie)
    case .joules: (.kilojoule, .joule)
    }
  }
}

extension Quantity {
  /// The energy as display text: `1,703 kcal`, `7.5 kJ`, `320 cal`.
  ///
  /// Values below 100 have one decimal; values below 1 use the small unit.
  ///
  /// - Parameters:
  ///   - style: the unit system.
  ///   - isSigned: whether positive values get a plus sign, as a surplus does.
  /// - Returns: the number, a space and the unit.
  /// - Throws: ``QuantityError/incompatible(from:to:)`` for a quantity that is not an energy.
  package func energyText(in style: EnergyStyle, isSigned: Bool = false) throws(QuantityError) -> String {
    let (large, small) = style.units
    let value = try value(in: large)
    // Round to tenths first, so that 99.96 is shown as 100.
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

  // Formats a non-negative integer with commas as thousands separators.
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
