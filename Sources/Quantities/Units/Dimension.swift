/// The dimension of a unit, as powers of base dimensions; units convert only within one dimension.
package struct Dimension: Hashable, Sendable, CustomStringConvertible {
  /// The base dimensions.
  enum Base: Int, CaseIterable {
    case length, time, mass, temperature, current, luminousIntensity, angle, count, internationalUnit
    case soundPressureLevel, hearingLevel, prism, effort, digitalLevel

    /// HealthKit's name, as in its messages.
    var name: String {
      switch self {
      case .length: "Length"
      case .time: "Time"
      case .mass: "Mass"
      case .temperature: "Temperature"
      case .current: "Electric Current"
      case .luminousIntensity: "Luminous Intensity"
      case .angle: "Angle"
      case .count: "Count"
      case .internationalUnit: "International Unit"
      case .soundPressureLevel: "Sound Pressure Level"
      case .hearingLevel: "Hearing Level"
      case .prism: "Prism"
      case .effort: "Effort"
      case .digitalLevel: "Digital Sound Level"
      }
    }
  }

  // One exponent per base; they always fit into sixteen bits: see ``Unit/Factor``.
  private(set) var exponents = SIMD16<Int16>()

  /// The dimension of dimensionless units: `()`.
  static let none = Dimension()

  init() {}

  init(_ powers: [Base: Int16]) {
    for (base, power) in powers { exponents[base.rawValue] = power }
  }

  mutating func multiply(by other: Dimension, raisedTo power: Int16) {
    exponents &+= other.exponents &* SIMD16(repeating: power)
  }

  /// HealthKit's notation: `Energy`, `Count/Time`, `Length^2·Mass/Time^2`.
  package var description: String {
    if let name = Self.named.first(where: { $0.dimension == self })?.name { return name }
    let powers = Base.allCases.compactMap { base in
      let power = Int(exponents[base.rawValue])
      return power == 0 ? nil : (name: base.name, power: power)
    }
    return powers.isEmpty ? "Null" : Unit.product(of: powers)
  }

  private static let named: [(dimension: Dimension, name: String)] = [
    (.energy, "Energy"), (.power, "Power"), (.pressure, "Pressure"), (.volume, "Volume"), (.frequency, "Frequency"),
    (.conductance, "Electrical Conductance"), (.potential, "Electric Potential Difference"),
    (.illuminance, "Illuminance"), (.opticalPower, "Vergence"),
  ]

  static let length = Dimension([.length: 1])
  static let time = Dimension([.time: 1])
  static let mass = Dimension([.mass: 1])
  static let temperature = Dimension([.temperature: 1])
  static let count = Dimension([.count: 1])
  static let volume = Dimension([.length: 3])
  static let energy = Dimension([.mass: 1, .length: 2, .time: -2])
  static let power = Dimension([.mass: 1, .length: 2, .time: -3])
  static let pressure = Dimension([.mass: 1, .length: -1, .time: -2])
  static let frequency = Dimension([.time: -1])
  static let conductance = Dimension([.mass: -1, .length: -2, .time: 3, .current: 2])
  static let potential = Dimension([.mass: 1, .length: 2, .time: -3, .current: -1])
  static let illuminance = Dimension([.luminousIntensity: 1, .length: -2])
  static let opticalPower = Dimension([.length: -1])
}
