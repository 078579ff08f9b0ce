import Basics

extension Unit {
  /// HealthKit's unit string, which parses to the same unit: `count/min`, `mL/min·kg`, `1/s`, `()`.
  package var symbol: String {
    let powers = factors.all.map { factor in
      let symbol = UnitSymbol.all[Int(factor.symbol)]
      let name = symbol.takesMolarMass ? "\(symbol.text)<\(Self.text(factor.molarMass))>" : symbol.text
      return (name: name, power: Int(factor.exponent))
    }
    return powers.isEmpty ? "()" : Self.product(of: powers)
  }

  /// The symbol.
  package var description: String { symbol }

  /// Formats names with their powers, the negative ones after one slash.
  static func product(of powers: [(name: String, power: Int)]) -> String {
    func joined(_ powers: some Sequence<(name: String, power: Int)>) -> String {
      powers.map { $0.power.magnitude == 1 ? $0.name : "\($0.name)^\($0.power.magnitude)" }.joined(separator: "·")
    }
    let above = joined(powers.lazy.filter { $0.power > 0 })
    let below = joined(powers.lazy.filter { $0.power < 0 })
    return below.isEmpty ? above : "\(above.isEmpty ? "1" : above)/\(below)"
  }

  private static func text(_ number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension Unit {
  /// A value with the unit as people read it: `2.31 mcS`, and of the fraction 0.95 in the unit `%`, `95 %`.
  package func text(of value: Double) -> String { "\((self == .percent ? value * 100 : value).brief) \(self)" }
}
