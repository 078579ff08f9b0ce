import Basics
import Glibc
import Quantities
import TestSupport
import Testing

/// The reference is Pint, whose registry has definitions of its own.
@Suite("Units, at random")
struct UnitPropertyTests {
  /// Our symbols by Pint's names for them; without `inHg`, which HealthKit's header rounds otherwise.
  private static let names: [(ours: String, pint: String)] = {
    let prefixes = [
      "": "", "da": "deca", "h": "hecto", "k": "kilo", "M": "mega", "G": "giga", "T": "tera", "d": "deci", "c": "centi",
      "m": "milli", "mc": "micro", "n": "nano", "p": "pico", "f": "femto",
    ]
    let prefixable = [
      ("m", "meter"), ("s", "second"), ("g", "gram"), ("L", "liter"), ("Pa", "pascal"), ("J", "joule"), ("W", "watt"),
      ("K", "kelvin"), ("Hz", "hertz"), ("S", "siemens"), ("V", "volt"),
    ]
    let plain = [
      ("in", "inch"), ("ft", "foot"), ("yd", "yard"), ("mi", "mile"), ("min", "minute"), ("hr", "hour"), ("d", "day"),
      ("oz", "ounce"), ("lb", "pound"), ("st", "stone"), ("fl_oz_us", "US_fluid_ounce"),
      ("fl_oz_imp", "imperial_fluid_ounce"), ("pt_us", "US_pint"), ("pt_imp", "imperial_pint"), ("cup_us", "cup"),
      ("cup_imp", "imperial_cup"), ("mmHg", "mmHg"), ("cmAq", "cmH2O"), ("atm", "atm"), ("cal", "calorie"),
      ("kcal", "kilocalorie"), ("Cal", "kilocalorie"),
    ]
    return prefixable.flatMap { unit in
      prefixes.sorted { $0.key < $1.key }.map { (ours: $0.key + unit.0, pint: $0.value + unit.1) }
    } + plain.map { (ours: $0.0, pint: $0.1) }
  }()

  private struct Draw {
    private var generator: Xoshiro256StarStar

    init(seed: UInt64) { generator = Xoshiro256StarStar(seed: seed) }

    mutating func number(below bound: Int) -> Int { Int(generator.next(below: UInt64(bound))) }

    mutating func powers() -> [(index: Int, power: Int)] {
      (0...number(below: 5)).map { _ in (number(below: names.count), [-3, -2, -1, 1, 1, 1, 2, 3][number(below: 8)]) }
    }
  }

  private static let kept = "Tests/QuantitiesTests/pint.txt"

  @Test("Pint still gives the base units and factors that are kept", .enabled(if: Peers.areAsked, "\(Peers.reason)"))
  func peer() throws {
    let script = """
      import sys, pint
      registry = pint.UnitRegistry()
      for name in sys.stdin.read().split():
          quantity = registry.Quantity(1, name).to_root_units()
          powers = dict(quantity.unit_items())
          bases = ["meter", "second", "gram", "kelvin", "ampere"]
          print(name, repr(quantity.magnitude), *(int(powers.get(base, 0)) for base in bases))
      """
    let names = Set(Self.names.map(\.pint)).sorted().joined(separator: "\n")
    let run = try Program.run(Repository.python, ["-c", script], input: names)
    try #require(run.status == 0, "\(run.error)")
    try Golden.compare(run.output, with: Self.kept)
  }

  @Test("Pint's base units and factors are ours, for every symbol and for products of powers")
  func pint() throws {
    var draw = Draw(seed: 1)
    let products = Self.names.indices.map { [(index: $0, power: 1)] } + (0..<2000).map { _ in draw.powers() }
    let text = String(decoding: try File.contents(of: "\(Repository.root)/\(Self.kept)"), as: UTF8.self)
    let kept = Dictionary(
      uniqueKeysWithValues: text.split(separator: "\n").map { line in
        let words = line.split(separator: " ")
        return (String(words[0]), words.dropFirst().compactMap { Double($0) })
      })
    var wrong: [String] = []
    for powers in products {
      var (factor, exponents) = (1.0, [0, 0, 0, 0, 0])
      for (index, power) in powers {
        let unit = try #require(kept[Self.names[index].pint])
        factor *= pow(unit[0], Double(power))
        for base in exponents.indices { exponents[base] += Int(unit[base + 1]) * power }
      }
      // Beside a count, no temperature counts from a zero of its own.
      let text = "count." + powers.map { "\(Self.names[$0.index].ours)^\($0.power)" }.joined(separator: ".")
      // A volt times a siemens is an ampere.
      let base = zip(["m", "s", "g", "K", "V.S"], exponents).map { "(\($0))^\($1)" }
      let ours = try Quantity(1, Unit(text)).value(in: Unit("count." + base.joined(separator: ".")))
      if abs(ours - factor) > abs(factor) * 1e-12 { wrong.append("\(text): \(ours), not \(factor)") }
    }
    #expect(wrong.isEmpty, "\(wrong.count) of \(products.count), such as \(wrong.prefix(3))")
  }

  @Test("A unit's factors may stand in any order, above or below the stroke, and it prints so that it reads back")
  func orders() throws {
    var draw = Draw(seed: 2)
    for _ in 0..<5000 {
      var powers = draw.powers().map { (symbol: Self.names[$0.index].ours, power: $0.power) }
      let unit = try Unit(powers.map { "\($0.symbol)^\($0.power)" }.joined(separator: "·"))
      for index in powers.indices.reversed() { powers.swapAt(index, draw.number(below: index + 1)) }
      let above = powers.filter { $0.power > 0 }.map { "\($0.symbol)^\($0.power)" }
      let below = powers.filter { $0.power < 0 }.map { "\($0.symbol)^\(-$0.power)" }
      let stroked = (above.isEmpty ? "1" : above.joined(separator: "*")) + (below.isEmpty ? "" : "/")
      let other = try Unit(stroked + below.joined(separator: "."))
      guard other == unit, other.hashValue == unit.hashValue, other.symbol == unit.symbol,
        try Unit(unit.symbol) == unit, other.isCompatible(with: unit)
      else {
        Issue.record("\(unit) is not \(other)")
        return
      }
    }
  }

  @Test("A value that is converted there and back is what it was")
  func thereAndBack() throws {
    var draw = Draw(seed: 3)
    let units = try Self.names.map { try Unit($0.ours) }
    var pairs = 0
    for _ in 0..<20_000 {
      let (from, to) = (units[draw.number(below: units.count)], units[draw.number(below: units.count)])
      // Small temperatures lose the digits that 273.15 takes.
      guard from.isCompatible(with: to), from.dimension.description != "Temperature" else { continue }
      pairs += 1
      let value = Double(draw.number(below: 2_000_001) - 1_000_000) / 1000
      let there = from.convert(value, to: to)
      let back = to.convert(there, to: from)
      guard abs(back - value) <= abs(value) * 1e-14 else {
        Issue.record("\(value) \(from) is \(there) \(to), which is \(back) \(from)")
        return
      }
    }
    #expect(pairs > 1000)
  }

  @Test("No text makes the reader fail otherwise than by an error of its own")
  func noise() {
    let characters = "m s g L Pa mol<1> ( ) / . * · ^ - 1 2 99 count % min < > µ \u{0} é bpm _".split(separator: " ")
    var draw = Draw(seed: 4)
    var units = 0
    for _ in 0..<5000 {
      let text = (0...draw.number(below: 8)).map { _ in characters[draw.number(below: characters.count)] }.joined()
      do {
        let unit = try Unit(text)
        units += 1
        guard try Unit(unit.symbol) == unit else {
          Issue.record("“\(text)” prints as \(unit)")
          return
        }
      } catch {
        guard "\(error)".hasPrefix("Unable to parse factorization string \(text): ") else {
          Issue.record("“\(text)”: \(error)")
          return
        }
      }
    }
    #expect(units > 50)
  }
}
