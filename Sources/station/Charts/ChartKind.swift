import Recordings

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

  /// Reads the kind's name, and refuses options that it does not have.
  init(_ arguments: Arguments) throws(UsageError) {
    self = try arguments.choice(operand: arguments.operands[0], ChartKind.self, called: "chart")
    try check(arguments)
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
    case .pie: ownOptions
    default: ownOptions.union(AxesOptions.options.map(\.name))
    }
  }

  private var ownOptions: Set<String> {
    switch self {
    case .heartRate, .tachogram: Self.ofRecordings.union(["window"])
    case .poincare, .spectrum: Self.ofRecordings.union(["window", "preset"])
    case .range: Self.ofRecordings.union(["window", "every", "marks"]).union(Self.ofTrials)
    case .response: Self.ofRecordings.union(ResponseOptions.options.map(\.name)).union(Self.ofTrials)
    case .pie: Self.ofTrials
    case .daily:
      Set((SampleSelection.options + StoreLocation.options).map(\.name)).union(["type", UnitOption.option.name])
    }
  }

  /// What says which heart data are drawn, and how they are read.
  private static let ofRecordings = Set(RecordingOptions.options.map(\.name)).subtracting(["window", "preset"])

  /// What says which trials are put together, and how.
  private static let ofTrials = Set((TrialOptions.options + [TrialGrouping.option]).map(\.name))

  /// Refuses options that the kind does not have.
  private func check(_ arguments: Arguments) throws(UsageError) {
    let general = Set(ChartOutput.options.map(\.name))
    for option in arguments.syntax.options.map(\.name) where arguments.has(option) {
      guard options.contains(option) || general.contains(option) else {
        let kinds = Self.allCases.filter { $0.options.contains(option) }.map { "“\($0.rawValue)”" }
        throw arguments.refusal(
          "--\(option) says nothing to “\(rawValue)”; it is for \(kinds.joined(separator: ", "))")
      }
    }
    let bundles = arguments.operands.count - 1
    guard !bundleCount.contains(bundles) else { return }
    let reason =
      bundles < bundleCount.lowerBound
      ? "“\(rawValue)” needs a bundle\(self == .pie ? "" : " or a file"); “station list” lists bundles"
      : bundleCount == 0...0
        ? "“\(rawValue)” is made from the sample store, not from bundles; --store and --type say what of"
        : "“\(rawValue)” shows one bundle, and “range”, “response” and “pie” several"
    throw arguments.refusal(reason)
  }
}
