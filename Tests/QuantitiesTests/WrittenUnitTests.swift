import Testing

@testable import Quantities

@Suite("A unit as devices write it")
struct WrittenUnitTests {
  private func type(_ name: String) throws -> QuantityType { try #require(QuantityType(channel: name)) }

  @Test(
    "is read whatever its capitals, spaces and words",
    arguments: [
      (
        "heartRate", "count/min",
        [
          "count/min", "Count/min", "COUNT/MIN", "counts/min", "beats per minute", "Beats/min", "beats / minute", "bpm",
          "BPM",
          "1/min", "min-1", "/min", "rpm",
        ]
      ),
      (
        "respiratoryRate", "count/min",
        ["breaths/min", "breaths per minute", "Breaths/Minute", "rpm", "brpm", "cpm", "1/min"]
      ),
      (
        "skinTemperature", "degC",
        ["°C", "C", "c", "celsius", "Celsius", "degC", "deg C", "degrees Celsius", "degree C", "ºC", "℃", "oC", "DEGC"]
      ),
      ("bodyTemperature", "degF", ["°F", "F", "Fahrenheit", "degF", "deg F", "degrees Fahrenheit"]),
      ("skinTemperature", "K", ["K", "kelvin", "k"]),
      ("rrInterval", "ms", ["ms", "MS", "msec", "millisecond", "Milliseconds"]),
      ("rrInterval", "mcs", ["us", "µs", "μs", "usec", "microseconds"]),
      ("rrInterval", "s", ["s", "S", "sec", "Seconds"]),
      ("electrodermalActivity", "mcS", ["uS", "us", "µS", "μS", "microsiemens", "uSiemens", "US", "mcS"]),
      ("electrocardiogram", "mcV", ["uV", "µV", "microvolts", "UV"]),
      ("electrocardiogram", "mV", ["mV", "mv", "millivolt"]),
      ("acceleration", "m/s^2", ["m/s^2", "m/s²", "m/s/s", "M/S^2"]),
      ("oxygenSaturation", "%", ["%", "percent", "Pct"]),
      ("bloodPressureSystolic", "mmHg", ["mmHg", "mmhg", "MMHG", "mm Hg"]),
      ("bodyMass", "kg", ["kg", "KG", "kilograms"]),
    ])
  func read(name: String, symbol: String, texts: [String]) throws {
    let type = try type(name)
    for text in texts { #expect(type.unit(written: text) == (try Unit(symbol)), "\(text)") }
  }

  @Test("of HealthKit is read in small letters for every quantity", arguments: QuantityType.recordable)
  func lower(type: QuantityType) {
    for unit in [type.canonicalUnit, type.defaultUnit] where unit.symbol != "kcal/hr·kg" && unit.symbol != "mL/min·kg" {
      #expect(type.unit(written: unit.symbol) == unit)
      let small = type.unit(written: unit.symbol.lowercased())
      #expect(small.map { $0.convert(1, to: unit) == 1 } == true, "\(unit)")
    }
  }

  @Test(
    "that is unknown, or of another dimension, is none",
    arguments: [
      ("heartRate", "counts"), ("heartRate", "ms"), ("heartRate", "Hz"), ("rrInterval", "1/1024 s"),
      ("rrInterval", "a.u."),
      ("rrInterval", "bpm"), ("skinConductance", "kOhm"), ("skinConductance", "V"), ("skinTemperature", "%"),
      ("skinTemperature", "coulomb"), ("acceleration", "g"), ("electrocardiogram", "adu"), ("heartRate", ""),
      ("dietaryEnergyConsumed", "CAL"), ("rrInterval", "frames"),
    ])
  func other(name: String, text: String) throws { #expect(try type(name).unit(written: text) == nil) }
}
