import Spelling

/// The kinds of chart that `station chart` draws, and which options each has.
enum ChartKind: String, CaseIterable, Sendable {
  case heartRate
  case range
  case tachogram
  case poincare
  case spectrum
  case response
  case daily
  case pie

  /// Reads a kind's name.
  init(_ name: String, _ syntax: CommandSyntax) throws {
    guard let kind = ChartKind(rawValue: name) else {
      let advice = Spelling.advice(for: name, among: Self.allCases.map(\.rawValue))
      throw UsageError(command: syntax, reason: "there is no chart “\(name)”; \(advice)")
    }
    self = kind
  }

  /// How many bundles it shows.
  var bundleCount: ClosedRange<Int> {
    switch self {
    case .heartRate, .tachogram, .poincare, .spectrum: 1...1
    case .range, .response, .pie: 1...Int.max
    case .daily: 0...0
    }
  }

  /// The options that choose what it shows, beside those of the output.
  var options: Set<String> {
    switch self {
    case .heartRate, .tachogram: Self.ofRecordings.union(["step"])
    case .poincare, .spectrum: Self.ofRecordings.union(["step", "preset"])
    case .range: Self.ofRecordings.union(["step", "every", "by"])
    case .response: Self.ofRecordings.union(["by", "before", "after", "bin", "baseline"])
    case .pie: ["by"]
    case .daily: Set((SampleSelection.options + StoreLocation.options).map(\.name)).union(["type", "unit"])
    }
  }

  /// What says which heart data are drawn, and how they are read.
  private static let ofRecordings: Set = ["sensor", "uncorrected", "unit", "time-unit"]

  /// Refuses options that the kind does not have.
  func check(_ arguments: Arguments, _ syntax: CommandSyntax) throws {
    let general = Set(ChartOutput.options.map(\.name))
    for option in syntax.options.map(\.name) where arguments.has(option) {
      guard options.contains(option) || general.contains(option) else {
        let kinds = Self.allCases.filter { $0.options.contains(option) }.map { "“\($0.rawValue)”" }
        throw UsageError(
          command: syntax,
          reason: "--\(option) says nothing to “\(rawValue)”; it is for \(kinds.joined(separator: ", "))")
      }
    }
    let bundles = arguments.operands.count - 1
    guard !bundleCount.contains(bundles) else { return }
    let reason =
      bundles < bundleCount.lowerBound
      ? "“\(rawValue)” needs a bundle or a file; “station list” lists bundles"
      : bundleCount == 0...0
        ? "“\(rawValue)” is made from the sample store, not from bundles; --store and --type say what of"
        : "“\(rawValue)” shows one bundle, and “range” and “response” several"
    throw UsageError(command: syntax, reason: reason)
  }
}
