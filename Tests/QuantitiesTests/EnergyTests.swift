import Basics
import Testing

@testable import Quantities

@Suite("Energy")
struct EnergyTests {
  static let today = CalendarDate(year: 2026, month: 3, day: 29)

  static func profile(_ sex: BiologicalSex, _ kilograms: Double, _ centimeters: Double) throws -> EnergyProfile {
    try EnergyProfile(
      dateOfBirth: CalendarDate("1996-01-15"), biologicalSex: sex, height: Quantity(centimeters, .centimeter),
      bodyMass: Quantity(kilograms, .kilogram))
  }

  @Test(
    "Resting energy of a day, at thirty years",
    arguments: [
      (.harrisBenedict, .male, 70, 175, 1703), (.harrisBenedict, .female, 60, 165, 1387),
      (.harrisBenedict, .other, 60, 165, 1387), (.mifflinStJeor, .male, 70, 175, 1648.75),
      (.mifflinStJeor, .female, 60, 165, 1320.25), (.mifflinStJeor, .other, 60, 165, 1320.25),
    ] as [(RestingEnergyFormula, BiologicalSex, Double, Double, Double)])
  func whole(formula: RestingEnergyFormula, sex: BiologicalSex, kilograms: Double, centimeters: Double, energy: Double)
    throws
  {
    let today = try #require(Self.today)
    var profile = try Self.profile(sex, kilograms, centimeters)
    #expect(abs(try formula.energyPerDay(of: profile, on: today).value - energy) < 1e-9)
    profile.height = try profile.height?.converted(to: Unit("in"))
    profile.bodyMass = try profile.bodyMass?.converted(to: Unit("lb"))
    let same = try formula.energyPerDay(of: profile, on: today)
    #expect(abs(same.value - energy) < 1e-9)
    #expect(same.unit == .kilocalorie)
  }

  @Test(
    "A part of a day takes its share, on days of 23, 24 and 25 hours",
    arguments: [
      // In Amsterdam: the clocks go forward on 2026-03-29 and back on 2026-10-25.
      ("2026-03-28T00:00:00+01:00", "2026-03-28T12:00:00+01:00", 24, 12.0 / 24),
      ("2026-03-29T00:00:00+01:00", "2026-03-29T12:00:00+02:00", 23, 11.0 / 23),
      ("2026-10-25T00:00:00+02:00", "2026-10-25T12:00:00+01:00", 25, 13.0 / 25),
      ("2026-03-28T00:00:00+01:00", "2026-03-28T00:00:00+01:00", 24, 0),
      ("2026-03-28T00:00:00+01:00", "2026-03-27T12:00:00+01:00", 24, 0),
      ("2026-03-28T00:00:00+01:00", "2026-03-30T12:00:00+02:00", 24, 1),
    ] as [(String, String, Int, Double)])
  func share(midnight: String, now: String, hours: Int, share: Double) throws {
    let (today, start, now) = try (#require(Self.today), #require(WallTime(midnight)), #require(WallTime(now)))
    let day = start..<start.advanced(by: .seconds(hours * 3600))
    for (profile, whole) in [(try Self.profile(.male, 70, 175), 1703.0), (try Self.profile(.other, 60, 165), 1387)] {
      let energy = try RestingEnergyFormula.harrisBenedict.energy(of: profile, on: today, within: day, until: now)
      #expect(abs(energy.value - whole * share) < 1e-9)
    }
  }

  @Test("What is not known is said by name, and is never zero")
  func missing() throws {
    let today = try #require(Self.today)
    func text(_ change: (inout EnergyProfile) -> Void) throws -> String? {
      var profile = try Self.profile(.female, 60, 165)
      change(&profile)
      let error = #expect(throws: QuantityError.self) {
        try RestingEnergyFormula.mifflinStJeor.energyPerDay(of: profile, on: today)
      }
      return error?.description
    }
    let one = "is not known: set it in the profile"
    #expect(try text { $0.dateOfBirth = nil } == "resting energy needs the date of birth, which \(one)")
    #expect(try text { $0.biologicalSex = .notSet } == "resting energy needs the biological sex, which \(one)")
    #expect(try text { $0.height = nil } == "resting energy needs the height, which \(one)")
    #expect(try text { $0.bodyMass = nil } == "resting energy needs the body mass, which \(one)")
    #expect(
      try text { $0 = EnergyProfile() } == "resting energy needs the date of birth, biological sex, height and "
        + "body mass, which are not known: set them in the profile")
  }

  @Test("A profile of nobody is refused")
  func implausible() throws {
    let today = try #require(Self.today)
    var unborn = try Self.profile(.male, 70, 175)
    unborn.dateOfBirth = CalendarDate("2026-03-30")
    var ancient = try Self.profile(.male, 5, 50)
    ancient.dateOfBirth = CalendarDate("1900-01-01")
    for profile in [unborn, ancient, try Self.profile(.male, 0, 175), try Self.profile(.male, 70, -1)] {
      #expect(throws: QuantityError.self) {
        try RestingEnergyFormula.harrisBenedict.energyPerDay(of: profile, on: today)
      }
    }
    var confused = try Self.profile(.male, 70, 175)
    confused.height = try Quantity(70, .kilogram)
    #expect(throws: QuantityError.incompatible(from: .kilogram, to: .centimeter)) {
      try RestingEnergyFormula.harrisBenedict.energyPerDay(of: confused, on: today)
    }
  }

  @Test("A surplus is above zero, and what was not recorded is zero")
  func balance() throws {
    let balance = try EnergyBalance(
      consumed: Quantity(8368, .kilojoule), active: Quantity(300, .kilocalorie), resting: Quantity(1600, .kilocalorie))
    #expect(balance.net == (try Quantity(100, .kilocalorie)))
    let fasting = try EnergyBalance(consumed: nil, active: nil, resting: Quantity(851.5, .kilocalorie))
    #expect(fasting.net == (try Quantity(-851.5, .kilocalorie)))
    #expect(throws: QuantityError.incompatible(from: .second, to: .kilocalorie)) {
      try EnergyBalance(consumed: Quantity(1, .second), active: nil, resting: Quantity(1, .kilocalorie))
    }
  }

  @Test(
    "Energies are told in units that people read",
    arguments: [
      (1703, "kcal", "1,703 kcal", "7,125 kJ"), (250, "kcal", "250 kcal", "1,046 kJ"),
      (7.46, "kcal", "7.5 kcal", "31.2 kJ"), (99.94, "kcal", "99.9 kcal", "418 kJ"),
      (99.96, "kcal", "100 kcal", "418 kJ"), (0.32, "kcal", "320 cal", "1.3 kJ"), (0, "kcal", "0 kcal", "0 kJ"),
      (-851.5, "kcal", "−852 kcal", "−3,563 kJ"), (0.0001, "J", "0 kcal", "0 kJ"), (-0.0001, "J", "0 kcal", "0 kJ"),
      (999.6, "cal", "1 kcal", "4.2 kJ"), (1e9, "kcal", "1,000,000,000 kcal", "4,184,000,000 kJ"),
      (100, "J", "24 cal", "100 J"), (5, "kJ", "1.2 kcal", "5 kJ"),
    ] as [(Double, String, String, String)])
  func text(value: Double, unit: String, kilocalories: String, joules: String) throws {
    let energy = try Quantity(value, Unit(unit))
    #expect(try energy.energyText(in: .kilocalories) == kilocalories)
    #expect(try energy.energyText(in: .joules) == joules)
    let sign = kilocalories.hasPrefix("−") || kilocalories.hasPrefix("0") ? "" : "+"
    #expect(try energy.energyText(in: .kilocalories, isSigned: true) == sign + kilocalories)
    #expect(throws: QuantityError.self) { try Quantity(1, .second).energyText(in: .joules) }
  }

  @Test(
    "Birthdays are counted in whole years",
    arguments: [
      ("1996-01-15", "2026-01-14", 29), ("1996-01-15", "2026-01-15", 30), ("1996-01-15", "1996-01-15", 0),
      ("2000-02-29", "2001-02-28", 0), ("2000-02-29", "2001-03-01", 1), ("2000-02-29", "2004-02-29", 4),
      ("2026-01-02", "2026-01-01", -1), ("0001-01-01", "9999-12-31", 9998),
    ])
  func years(birth: String, later: String, years: Int) throws {
    let (birth, later) = try (#require(CalendarDate(birth)), #require(CalendarDate(later)))
    #expect(birth.years(until: later) == years)
    #expect((birth < later) == (years > 0 || years == 0 && birth != later))
  }

  @Test(
    "What is not a day is refused",
    arguments: [
      "", "1990-2-28", "1990-02-29", "1990-02-30", "1990-13-01", "1990-00-01", "1990-01-00", "0000-01-01",
      "1990/02/28", "1990-02-28 ", "+990-02-28",
    ])
  func noDay(text: String) { #expect(CalendarDate(text) == nil) }

  @Test("Days are printed as they are read", arguments: ["1990-02-28", "2000-02-29", "0001-01-01", "9999-12-31"])
  func day(text: String) { #expect(CalendarDate(text)?.description == text) }
}
