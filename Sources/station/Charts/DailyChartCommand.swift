import Basics
import Charts
import Quantities
import SampleStore

/// `station chart daily`: the statistics of each day in the sample store.
struct DailyChartCommand: Command {
  static let syntax = CommandSyntax(
    "chart daily", "draws the statistics of each day in the sample store",
    options: ChartOutput.options + AxesOptions.options + [
      .init("type", value: "TYPE", "the quantity type (default: heartRate)"), UnitOption.option,
    ] + SampleSelection.options + [SampleSelection.include] + StoreLocation.options)

  private let output: ChartOutput
  private let axes: AxesOptions
  private let location: StoreLocation
  private let selection: SampleSelection
  private let unit: Unit?

  init(_ arguments: Arguments) throws {
    output = try ChartOutput(arguments)
    axes = try AxesOptions(arguments)
    location = StoreLocation(arguments)
    selection = try SampleSelection(arguments["type"] ?? QuantityType.heartRate.identifier, arguments)
    unit = try arguments.unit()
  }

  func run() async throws -> ExitStatus {
    try output.check()
    return try await output.finish(axes.applied(to: try await chart()))
  }

  /// The chart from the first to the last day with samples.
  private func chart() async throws -> DailyChart {
    let store = try await location.open()
    guard case .quantity(let type) = try await selection.type(in: store) else {
      throw Failure("there are no statistics of “\(selection.name)”, which is not a quantity", status: .wrongUsage)
    }
    let unit = try UnitOption.checked(unit, for: type)
    let (predicate, simulated) = try await selection.statisticsPredicate(for: .quantity(type), in: store)
    let isCumulative = type.aggregationStyle.isCumulative
    let collection = try await store.statisticsCollection(
      of: type, matching: predicate,
      options: isCumulative ? .cumulativeSum : [.discreteAverage, .discreteMin, .discreteMax],
      anchor: selection.zone.startOfDay(containing: WallTime(milliseconds: 0)), every: .day, in: selection.zone)
    let days = try collection.statistics.map { one in
      let values = one.overall
      func number(_ quantity: Quantity?) throws -> Double { try quantity?.value(in: unit) ?? .nan }
      let range =
        isCumulative
        ? ValueRange(0, try number(values.sum)) : ValueRange(try number(values.minimum), try number(values.maximum))
      return DailyChart.Day(number: day(of: one.start), range: range, average: try number(values.average))
    }
    let name = Self.words(type.identifier)
    return DailyChart(
      Heading(
        title: "\(name) by day",
        subtitle: (isCumulative
          ? "sum of each day" : Statistics.averageMethod(of: type.aggregationStyle, ofTrials: predicate.isOfTrials))
          .map { "\($0); days of \(selection.zone)" } ?? "days of \(selection.zone)",
        noDataText: "The store has no matching samples of \(type)", isSimulated: simulated > 0),
      days: days, vertical: Axis("\(name) (\(unit))"), startsAtZero: isCumulative)
  }

  /// The day's number in the time zone's calendar.
  private func day(of start: WallTime) -> Int {
    let local = start.advanced(by: selection.zone.offset(at: start))
    return Int((Double(local.microseconds) / 86_400e6).rounded(.down))
  }

  /// An identifier as words: `Heart rate` for `heartRate`.
  private static func words(_ identifier: String) -> String {
    let spaced = identifier.reduce(into: "") { text, letter in
      text += letter.isUppercase ? " " + letter.lowercased() : String(letter)
    }
    return (spaced.first?.uppercased() ?? "") + spaced.dropFirst()
  }
}
