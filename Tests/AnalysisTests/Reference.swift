import Analysis
import Basics
import Foundation
import TestSupport

/// The series beside the tests, and what other programs make of them; Benchmarks/analysis wrote both.
enum Reference {
  static let folder = "\(Repository.root)/Tests/AnalysisTests/Series"

  /// The names of the series that lie there as text.
  static let names = ["generated", "nsr2db-003", "nsrdb-brief", "nsrdb-long", "nsrdb-short"]

  /// Those that faults were put into.
  static let correctedNames = ["generated", "nsr2db-003", "nsrdb-long", "nsrdb-short"]

  /// A series, in milliseconds.
  static func intervals(_ name: String) throws -> [Double] {
    let text = try String(contentsOfFile: "\(folder)/\(name).txt", encoding: .utf8)
    return text.split(separator: "\n").compactMap { Double($0) }
  }

  /// What NumPy and SciPy make of the definitions, on series of their own too.
  static func definitions() throws -> JSONValue { try read("reference") }

  /// What other programs print for a series.
  static func peers(_ name: String) throws -> JSONValue {
    try read("peers").array?.first { $0["name"]?.string == name } ?? .null
  }

  private static func read(_ name: String) throws -> JSONValue {
    try JSONReader.read([UInt8](Data(contentsOf: URL(filePath: "\(folder)/\(name).json")))).value
  }
}

extension JSONValue {
  /// The numbers of an array.
  var numbers: [Double] { array?.compactMap(\.number) ?? [] }
}

/// The difference of two numbers as a share of the second; of values near zero, the difference itself.
func relativeError(_ value: Double?, _ expected: Double) -> Double {
  guard let value else { return .infinity }
  return abs(value - expected) / max(abs(expected), 1e-12)
}
