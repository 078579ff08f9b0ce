import Basics
import Recordings
import Testing

@testable import Analysis

@Suite("Measures by definition, beside NumPy and SciPy")
struct DefinitionsTests {
  /// Every series of the reference, with its intervals.
  private func entries() throws -> [(name: String, intervals: [Double], entry: JSONValue)] {
    let series = try #require(try Reference.definitions()["series"]?.array)
    return try series.map { entry in
      let name = try #require(entry["name"]?.string)
      let written = entry["intervals"]?.numbers ?? []
      return (name, written.isEmpty ? try Reference.intervals(name) : written, entry)
    }
  }

  @Test("statistics, geometry, entropy and scaling agree to 1e-9, and are missing where NumPy has none")
  func statistics() throws {
    let entries = try entries()
    #expect(Set(entries.map(\.name)).isSuperset(of: Reference.names) && entries.count == Reference.names.count + 6)
    for (name, intervals, entry) in entries {
      let analysis = HeartAnalysis(IntervalSeries(intervals))
      let expected = try #require(entry["measures"]?.object)
      for measurement in analysis.measurements() where measurement.measure.domain != .frequency {
        let key = measurement.measure.rawValue
        if let number = expected[key]?.number {
          #expect(relativeError(measurement.value, number) < 1e-9, "\(key) of \(name)")
        } else {
          #expect(measurement.value == nil, "\(key) of \(name)")
        }
      }
    }
  }

  @Test("powers of bands agree to 1e-6", arguments: [("welch", AnalysisPreset.station), ("lombScargle", .lombScargle)])
  func powers(method: String, preset: AnalysisPreset) throws {
    for (name, intervals, entry) in try entries() {
      let analysis = HeartAnalysis(IntervalSeries(intervals), preset: preset)
      let expected = try #require(entry[method]?.object)
      for measurement in analysis.measurements() where measurement.measure.domain == .frequency {
        let key = measurement.measure.rawValue
        if let number = expected[key]?.number {
          #expect(relativeError(measurement.value, number) < 1e-6, "\(method) \(key) of \(name)")
        } else {
          #expect(measurement.value == nil, "\(method) \(key) of \(name)")
        }
      }
    }
  }

  @Test(
    "splines agree with SciPy's to 1e-12",
    arguments: [
      ("linear", Interpolation.linear), ("quadratic", .quadratic), ("naturalCubic", .naturalCubic),
      ("notAKnotCubic", .notAKnotCubic),
    ])
  func splines(name: String, interpolation: Interpolation) throws {
    let reference = try #require(try Reference.definitions()["splines"])
    let x = try #require(reference["x"]).numbers
    let y = try #require(reference["y"]).numbers
    let expected = try #require(reference["values"]?[name]).numbers
    let values = interpolation.values(at: try #require(reference["places"]).numbers, x: x, y: y)
    #expect(values.count == expected.count && values.count == 50)
    for (value, number) in zip(values, expected) { #expect(relativeError(value, number) < 1e-12) }
  }

  @Test("transforms of every length agree with NumPy's, those with large prime factors too")
  func transforms() throws {
    let transforms = try #require(try Reference.definitions()["transforms"]?.array)
    #expect(transforms.count == 9)
    for transform in transforms {
      let signal = try #require(transform["signal"]).numbers
      let expected = try #require(transform["powers"]).numbers
      let fourier = FourierTransform(count: signal.count)
      let powers = fourier.powers(of: signal)
      #expect(powers.count == expected.count)
      let scale = expected.max() ?? 1
      for (power, number) in zip(powers, expected) { #expect(abs(power - number) < 1e-12 * scale) }
    }
  }
}
