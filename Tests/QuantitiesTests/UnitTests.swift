import Quantities
import Testing

@Suite("Units")
struct UnitTests {
  @Test(
    "Values convert as the definitions say",
    arguments: [
      (72, "count/min", 1.2, "count/s"), (72, "bpm", 1.2, "count/s"), (1.2, "count/s", 72, "count/min"),
      (800, "ms", 0.8, "s"), (0.8, "s", 800, "ms"), (61.3, "count/min", 61.3, "count/min"),
      (1, "kcal", 4184, "J"), (1, "kcal", 1, "Cal"), (1000, "cal", 1, "kcal"), (4.184, "kJ", 1, "kcal"),
      (187, "cm", 1.87, "m"), (1, "mi", 1609.344, "m"), (1, "ft", 12, "in"), (1, "yd", 3, "ft"),
      (27, "degC", 80.6, "degF"), (98.6, "degF", 37, "degC"), (0, "K", -273.15, "degC"), (-40, "degC", -40, "degF"),
      (300_000, "mK", 26.85, "degC"), (0.98, "%", 0.98, "count"), (1, "m^3", 1000, "L"), (1, "cm^3", 1, "mL"),
      (1, "lb", 16, "oz"), (1, "st", 14, "lb"), (70, "kg", 70_000, "g"), (1, "mg", 1000, "mcg"),
      (100, "mg/dL", 5.55075107, "mmol<180.1558>/L"), (2, "mol<90>", 180, "g"), (1, "mol<12>", 6, "mol<2>"),
      (1, "mmHg", 133.322387415, "Pa"), (1, "atm", 101_325, "Pa"), (1, "kg/m.s^2", 1, "Pa"),
      (1, "W", 1, "J/s"), (1, "V^2.S", 1, "W"), (1, "Hz", 60, "1/min"), (180, "deg", 3.141592653589793, "rad"),
      (2, "D", 0.002, "1/mm"), (35, "mL/min·kg", 35, "mL/(kg.min)"), (3.5, "kcal/(kg*hr)", 4.06777778, "W/kg"),
      (1, "pt_us", 2, "cup_us"), (1, "pt_imp", 20, "fl_oz_imp"), (24, "hr", 1, "d"), (1, "kg.m^2/s^2", 1, "J"),
      (9, "degF^2", 2.77777778, "degC^2"), (18, "J/degF", 32.4, "J/degC"),
    ])
  func conversion(value: Double, from: String, expected: Double, to: String) throws {
    let converted = try Quantity(value, Unit(from)).value(in: Unit(to))
    #expect(abs(converted - expected) <= abs(expected) * 1e-8 + 1e-12)
    let back = try Quantity(converted, Unit(to)).value(in: Unit(from))
    #expect(abs(back - value) <= abs(value) * 1e-12 + 1e-9)
  }

  @Test(
    "What is exact in decimals stays exact",
    arguments: [
      (72, "count/min", 1.2, "count/s"), (812, "ms", 0.812, "s"), (187, "cm", 1.87, "m"), (250, "kcal", 1046, "kJ"),
      (70.3, "kg", 70_300, "g"), (27, "degC", 80.6, "degF"), (1.1, "m", 1100, "mm"), (3, "ft", 0.9144, "m"),
    ])
  func exact(value: Double, from: String, expected: Double, to: String) throws {
    #expect(try Quantity(value, Unit(from)).value(in: Unit(to)) == expected)
  }

  @Test(
    "Units are printed as HealthKit prints them, and read back",
    arguments: [
      ("count/min", "count/min"), ("beats/min", "count/min"), ("bpm", "count/min"), ("count.min^-1", "count/min"),
      ("kg/m.s^2", "kg/m·s^2"), ("kg.m^-1.s^-2", "kg/m·s^2"), ("kg/(s^2*m)", "kg/m·s^2"), ("s.m", "m·s"),
      ("mL/(kg*min)", "mL/min·kg"), ("ml/kg·min", "mL/min·kg"), ("kcal/(kg*hr)", "kcal/hr·kg"), ("s^-1", "1/s"),
      ("1/L", "1/L"), ("()", "()"), ("1", "()"), ("kg/kg", "()"), ("m^0", "()"), ("(m/s)^2", "m^2/s^2"),
      ("(m/s^2)^-1", "s^2/m"), ("m.m.m", "m^3"), ("((m))", "m"), ("mmol<180.1558>/L", "mmol<180.1558>/L"),
      ("mol<18.0>", "mol<18>"), ("mol<1.8e1>", "mol<18>"), ("%", "%"), ("dBASPL", "dBASPL"), ("mcg", "mcg"),
      ("appleEffortScore", "appleEffortScore"), ("fl_oz_imp", "fl_oz_imp"), ("m^99", "m^99"),
      ("kg.m.s.K.V.lx/J.W^2", "m·s·kg·K·V·lx/J·W^2"), ("m·s·g·L·K/(m·s·L)", "g·K"), ("mol<2>.mol<3>", "mol<2>·mol<3>"),
    ])
  func printing(text: String, symbol: String) throws {
    let unit = try Unit(text)
    #expect(unit.symbol == symbol)
    #expect(unit.description == symbol)
    #expect(try Unit(symbol) == unit)
  }

  @Test(
    "Units of one size but of other symbols are not equal, and convert", arguments: [("kcal", "Cal"), ("%", "count")])
  func equality(left: String, right: String) throws {
    let (left, right) = (try Unit(left), try Unit(right))
    #expect(left != right)
    #expect(left.isCompatible(with: right))
    #expect(left.convert(3.5, to: right) == 3.5)
  }

  @Test(
    "What is not a unit is refused with HealthKit's text, the reason and often the remedy",
    arguments: [
      ("", "it is empty; the unit of what has none is “()”"),
      ("count/hour", "there is no unit “hour”; did you mean “hr”?"),
      ("mL/kg/min", "it has more than one “/”; put everything below it into one product, as in “mL/min·kg”"),
      ("Count/min", "there is no unit “Count”; did you mean “count”?"),
      ("Ms/S/K", nil), ("KG", "there is no unit “KG”; did you mean “kg”?"),
      ("ug", "there is no unit “ug”; did you mean “mcg”?"),
      ("kWh", "there is no unit “kWh”; did you mean “kW”?"), ("kmin", nil), ("mcount", nil), ("klb", nil),
      ("count /min", "“ ” cannot stand at character 6"), ("count/min ", "“ ” cannot stand at character 10"),
      ("μg", "“μ” cannot stand at character 1"), ("m·", "a unit is missing at its end"),
      ("m/", "a unit is missing at its end"), ("/s", "“/” cannot stand at character 1"),
      ("(m", "a “)” is missing"), ("m)", "“)” cannot stand at character 2"), ("(m]", "“]” cannot stand at character 3"),
      ("m^", "a whole number is missing after “^”"), ("m^2.5", "“5” cannot stand at character 5"),
      ("m^--2", "a whole number is missing after “^”"), ("m^100", "an exponent is beyond ±99"),
      ("m^99.m", "an exponent is beyond ±99"), ("(m^50)^2", "an exponent is beyond ±99"),
      ("m^99999999999999999999", "an exponent is beyond ±99"), ("10/s", "“0” cannot stand at character 2"),
      ("mol", "“mol” takes the grams of a mole, as in “mol<180.1558>”"),
      ("mmol<>", "“mmol” takes the grams of a mole, as in “mmol<180.1558>”"),
      ("mol<-1>", "“mol” takes the grams of a mole, as in “mol<180.1558>”"),
      ("mol<nan>", "“mol” takes the grams of a mole, as in “mol<180.1558>”"),
      ("mol<0x10>", "“mol” takes the grams of a mole, as in “mol<180.1558>”"),
      ("mol<1", "“mol” takes the grams of a mole, as in “mol<180.1558>”"),
      ("Tm^99", "it is too large or too small for a number to hold"),
      ("m\u{0}", nil), ("\u{0}m", nil), ("appleEffortScores", nil),
    ] as [(String, String?)])
  func refused(text: String, reason: String?) {
    let error = #expect(throws: QuantityError.self) { try Unit(text) }
    let expected = "Unable to parse factorization string \(text): "
    #expect(error?.description.hasPrefix(expected) == true)
    if let reason { #expect(error?.description == expected + reason) }
  }

  @Test("A text that never ends is refused at once, however deep")
  func long() {
    for text in [
      String(repeating: "(", count: 100_000), String(repeating: "m.", count: 100_000),
      String(repeating: "m", count: 513),
    ] {
      #expect(throws: QuantityError.notAUnit(text, reason: "it is longer than 512 bytes")) { try Unit(text) }
    }
    let nested = String(repeating: "(", count: 127) + "m" + String(repeating: ")", count: 127)
    #expect((try? Unit(nested))?.symbol == "m")
  }

  @Test("However long a unit is that is read, what it prints is read again", arguments: [".", "·", "*"], [1, 99])
  func printedAgain(sign: String, power: Int) throws {
    var (read, refused) = (0, 0)
    for count in 1...80 {
      let factors = (1...count).map { "mol<\($0)>" }.joined(separator: sign)
      guard let unit = try? Unit(power == 1 ? factors : "(\(factors))^\(power)") else {
        refused += 1
        continue
      }
      read += 1
      #expect(try Unit(unit.symbol) == unit)
    }
    // Forty factors are some 280 bytes as they are written, and more as they are printed.
    #expect(refused > 0 && read >= (power == 1 ? 50 : 1), "\(read) read")
  }

  @Test(
    "A conversion between what does not measure the same is refused with HealthKit's text",
    arguments: [
      ("count/s", "count"), ("kg", "m"), ("Hz", "count/s"), ("IU", "count"), ("dBASPL", "Pa"), ("()", "count"),
      ("rad", "count"), ("K", "degC^2"), ("J", "W"),
    ])
  func incompatible(from: String, to: String) throws {
    let quantity = try Quantity(1, Unit(from))
    let target = try Unit(to)
    #expect(!quantity.isCompatible(with: target))
    let error = #expect(throws: QuantityError.self) { try quantity.value(in: target) }
    #expect(error?.description == "Attempt to convert incompatible units: \(from), \(to)")
  }

  @Test(
    "Dimensions have HealthKit's names",
    arguments: [
      ("count/min", "Count/Time"), ("kcal", "Energy"), ("J/s", "Power"), ("kg", "Mass"), ("cm", "Length"),
      ("%", "Count"), ("mmHg", "Pressure"), ("m^3", "Volume"), ("1/s", "Frequency"), ("degF", "Temperature"),
      ("()", "Null"), ("kg.m/s", "Length·Mass/Time"), ("dBASPL", "Sound Pressure Level"), ("mg/dL", "Mass/Length^3"),
    ])
  func dimensions(unit: String, name: String) throws { #expect(try Unit(unit).dimension.description == name) }
}
