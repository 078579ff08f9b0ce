/// A unit symbol of HealthKit, including any prefix: `min`, `kg`, `mmHg`.
struct UnitSymbol: Sendable {
  let text: String
  let dimension: Dimension
  /// The symbol's size is `multiplier / divisor` base units (m, s, g, °C, A, cd, rad, count, …).
  ///
  /// Both are integers for most symbols, so that a conversion rounds once or twice instead of in every factor.
  let multiplier: Double
  let divisor: Double
  /// The reading at 0 °C; zero except for temperatures.
  let zero: Double
  /// Whether a molar mass has to follow: `mol<180.1558>`.
  let takesMolarMass: Bool

  /// Every symbol in printing order: lengths, times and masses first, as in HealthKit's `kg/m·s^2`, `m·s` and
  /// `mL/min·kg`.
  static let all: [UnitSymbol] = {
    let symbols = prefixable.flatMap(prefixed) + plain
    let leading = [Dimension.length, .time, .mass]
    return leading.flatMap { dimension in symbols.filter { $0.dimension == dimension } }
      + symbols.filter { !leading.contains($0.dimension) }
  }()

  /// The index in ``all`` of the symbol with these bytes.
  static func index(of key: Key) -> UInt16? { indices[key] }

  /// The bytes of a symbol; no symbol has more than sixteen.
  struct Key: Hashable, Sendable {
    private var bytes: UInt128 = 0
    private(set) var count = 0

    init() {}

    init(_ text: String) { for byte in text.utf8 { append(byte) } }

    mutating func append(_ byte: UInt8) {
      bytes = bytes << 8 | UInt128(byte)
      count += 1
    }

    func hash(into hasher: inout Hasher) { hasher.combine(UInt64(truncatingIfNeeded: bytes ^ bytes >> 64)) }

    /// Whether the key contains all bytes of its text.
    var isWhole: Bool { count <= 16 }
  }

  private static let indices: [Key: UInt16] = {
    var indices = [Key: UInt16](minimumCapacity: all.count + 16)
    for (index, symbol) in all.enumerated() { indices[Key(symbol.text)] = UInt16(index) }
    // Only the litre has both spellings.
    for symbol in all where symbol.text.hasSuffix("L") && symbol.dimension == .volume {
      indices[Key(symbol.text.dropLast() + "l")] = indices[Key(symbol.text)]
    }
    return indices
  }()

  private init(
    _ text: String, _ dimension: Dimension, _ multiplier: Double = 1, per divisor: Double = 1, zero: Double = 0,
    takesMolarMass: Bool = false
  ) {
    self.text = text
    self.dimension = dimension
    self.multiplier = multiplier
    self.divisor = divisor
    self.zero = zero
    self.takesMolarMass = takesMolarMass
  }

  private static func prefixed(_ symbol: UnitSymbol) -> [UnitSymbol] {
    let prefixes: [(String, Double, Double)] = [
      ("", 1, 1), ("da", 10, 1), ("h", 100, 1), ("k", 1e3, 1), ("M", 1e6, 1), ("G", 1e9, 1), ("T", 1e12, 1),
      ("d", 1, 10), ("c", 1, 100), ("m", 1, 1e3), ("mc", 1, 1e6), ("n", 1, 1e9), ("p", 1, 1e12), ("f", 1, 1e15),
    ]
    return prefixes.map { prefix, multiplier, divisor in
      UnitSymbol(
        prefix + symbol.text, symbol.dimension, symbol.multiplier * multiplier, per: symbol.divisor * divisor,
        zero: symbol.zero * divisor / multiplier, takesMolarMass: symbol.takesMolarMass)
    }
  }

  private static let prefixable: [UnitSymbol] = [
    UnitSymbol("m", .length),
    UnitSymbol("s", .time),
    UnitSymbol("g", .mass),
    UnitSymbol("mol", .mass, takesMolarMass: true),
    UnitSymbol("L", .volume, per: 1000),
    UnitSymbol("Pa", .pressure, 1000),
    UnitSymbol("J", .energy, 1000),
    UnitSymbol("W", .power, 1000),
    UnitSymbol("K", .temperature, zero: 273.15),
    UnitSymbol("Hz", .frequency),
    UnitSymbol("S", .conductance, per: 1000),
    UnitSymbol("V", .potential, 1000),
    UnitSymbol("lx", .illuminance),
    UnitSymbol("rad", Dimension([.angle: 1])),
  ]

  // Exact factors, which HealthKit's header gives rounded.
  private static let plain: [UnitSymbol] = [
    UnitSymbol("in", .length, 254, per: 10_000),
    UnitSymbol("ft", .length, 3048, per: 10_000),
    UnitSymbol("yd", .length, 9144, per: 10_000),
    UnitSymbol("mi", .length, 1_609_344, per: 1000),
    UnitSymbol("min", .time, 60),
    UnitSymbol("hr", .time, 3600),
    UnitSymbol("d", .time, 86_400),
    UnitSymbol("oz", .mass, 28.349523125),
    UnitSymbol("lb", .mass, 45_359_237, per: 100_000),
    UnitSymbol("st", .mass, 635_029_318, per: 100_000),
    UnitSymbol("fl_oz_us", .volume, 0.0295735295625, per: 1000),
    UnitSymbol("fl_oz_imp", .volume, 0.0284130625, per: 1000),
    UnitSymbol("pt_us", .volume, 0.473176473, per: 1000),
    UnitSymbol("pt_imp", .volume, 0.56826125, per: 1000),
    UnitSymbol("cup_us", .volume, 0.2365882365, per: 1000),
    UnitSymbol("cup_imp", .volume, 0.284130625, per: 1000),
    // The conventional millimetre of mercury: 13.5951 kg/L under standard gravity.
    UnitSymbol("mmHg", .pressure, 133_322.387415),
    UnitSymbol("cmAq", .pressure, 98_066.5),
    UnitSymbol("atm", .pressure, 101_325_000),
    UnitSymbol("inHg", .pressure, 3_386_388.16),
    UnitSymbol("cal", .energy, 4184),
    UnitSymbol("kcal", .energy, 4_184_000),
    UnitSymbol("Cal", .energy, 4_184_000),
    UnitSymbol("degC", .temperature),
    UnitSymbol("degF", .temperature, 5, per: 9, zero: 32),
    UnitSymbol("deg", Dimension([.angle: 1]), .pi, per: 180),
    UnitSymbol("count", .count),
    // From 0.0 to 1.0, as in HealthKit: “0.98 %” is a saturation of 98 out of 100.
    UnitSymbol("%", .count),
    UnitSymbol("IU", Dimension([.internationalUnit: 1])),
    UnitSymbol("dBASPL", Dimension([.soundPressureLevel: 1])),
    UnitSymbol("dBHL", Dimension([.hearingLevel: 1])),
    // Not HealthKit's: decibels below the largest number of a recording.
    UnitSymbol("dBFS", Dimension([.digitalLevel: 1])),
    UnitSymbol("D", .opticalPower),
    UnitSymbol("pD", Dimension([.prism: 1])),
    UnitSymbol("appleEffortScore", Dimension([.effort: 1])),
  ]
}
