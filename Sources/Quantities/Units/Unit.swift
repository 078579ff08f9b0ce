import Basics

/// A unit of measurement in HealthKit's grammar: `count/min`, `kcal/(kg*hr)`, `mmol<180.1558>/L`.
///
/// Units are equal if they are the same powers of the same symbols, however they were written: `kg/m.s^2` and
/// `kg.m^-1.s^-2`, but not `kcal` and `Cal`.
package struct Unit: Hashable, Sendable, CustomStringConvertible {
  /// The powers of symbols in printing order.
  let factors: Product

  /// The dimension; units convert only within one dimension.
  package private(set) var dimension = Dimension.none

  // The unit equals `multiplier / divisor` base units.
  private(set) var multiplier = 1.0
  private(set) var divisor = 1.0
  // The reading at 0 °C; powers and products of temperature units measure differences.
  private var zero = 0.0

  /// The dimensionless unit: `()`.
  package static let null = Unit(Product())

  /// Whether values can be converted to another unit.
  package func isCompatible(with other: Unit) -> Bool { dimension == other.dimension }

  /// Converts a value to another unit of the same dimension; not finite on overflow.
  ///
  /// - Precondition: both units have the same dimension.
  package func convert(_ value: Double, to other: Unit) -> Double {
    precondition(isCompatible(with: other), "Attempt to convert incompatible units: \(self), \(other)")
    guard self != other else { return value }
    return (value - zero) * (multiplier * other.divisor) / (divisor * other.multiplier) + other.zero
  }

  /// Whether the unit's size is representable as a normal floating-point number.
  var isMeasurable: Bool { multiplier.isNormal && divisor.isNormal && (multiplier / divisor).isNormal }

  /// Creates a unit from a product of symbols.
  init(_ product: Product) {
    factors = product
    for factor in product.all {
      let symbol = UnitSymbol.all[Int(factor.symbol)]
      dimension.multiply(by: symbol.dimension, raisedTo: factor.exponent)
      let size = symbol.takesMolarMass ? symbol.multiplier * factor.molarMass : symbol.multiplier
      for _ in 0..<factor.exponent.magnitude {
        multiplier *= factor.exponent > 0 ? size : symbol.divisor
        divisor *= factor.exponent > 0 ? symbol.divisor : size
      }
    }
    if product.count == 1, let factor = product.all.first, factor.exponent == 1 {
      zero = UnitSymbol.all[Int(factor.symbol)].zero
    }
  }

  /// Whether both are the same powers of the same symbols.
  package static func == (left: Unit, right: Unit) -> Bool { left.factors == right.factors }

  /// Hashes its factors.
  package func hash(into hasher: inout Hasher) { hasher.combine(factors) }
}

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
