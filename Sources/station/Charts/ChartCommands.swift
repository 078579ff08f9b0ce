import Analysis
import Basics
import Bundles
import Charts
import Quantities
import Recordings
import SampleStore

extension Command {
  static let charts: [Command] = [
    channelChart,
    recordingChart(
      "heartRate", "draws the heart rate over time, with the stimulus, its onset and its offset", { $0.heartRate }),
    recordingChart("tachogram", "draws each interval between beats over time", { $0.tachogram }),
    recordingChart(
      "poincare", "draws each interval between beats against the one before it, with SD1 and SD2", options: [.preset],
      // A size for axes of equal length, with titles above.
      size: CanvasSize(width: 460, height: 520), { $0.poincare }),
    recordingChart(
      "spectrum", "draws the power spectrum of the intervals between beats, with its bands", options: [.preset],
      { $0.spectrum }), rangeChart, responseChart, dailyChart, pieChart,
  ]

  /// A chart of the hearts of one recording, with its options besides those of all such charts.
  private static func recordingChart(
    _ name: String, _ summary: String, options: [Option] = [], size: CanvasSize = .standard,
    _ drawing: @escaping @Sendable (RecordingCharts) -> some AxesChart
  ) -> Command {
    Command(
      "chart \(name)", operands: "FILE", summary,
      options: ChartOutput.options + AxesOptions.options + ChartedTrials.recordingOptions + [.window]
        + RecordingOptions.detection + options + [.resultsOfTrials]
    ) { arguments in
      let (output, axes) = (try ChartOutput(arguments), try AxesOptions(arguments))
      let trials = try ChartedTrials(arguments)
      try output.check()
      return try await output.finish(axes.applied(to: drawing(try trials.only(name))), standardSize: size)
    }
  }

  private static let channelChart = Command(
    "chart recording", operands: "FILE",
    "draws a waveform, or another quantity than the heart's, as a recorder recorded it in a trial, over time",
    options: ChartOutput.options + AxesOptions.options + ChartedTrials.recordingOptions + [.window, .resultsOfTrials]
  ) { arguments in
    let (output, axes) = (try ChartOutput(arguments), try AxesOptions(arguments))
    let trials = try ChartedTrials(arguments)
    try output.check()
    return try await output.finish(axes.applied(to: try trials.channel("recording")))
  }

  /// The lowest and highest heart rates in intervals of one recording, or in several recordings.
  private static let rangeChart = Command(
    "chart range", operands: "FILE…",
    "draws the range of the heart rate in each interval of one recording, or in each of several",
    options: ChartOutput.options + AxesOptions.options + [
      .init("every", value: "SECONDS", "the length of intervals of one recording (default: chosen to fit)"),
      .init("marks", "draw the ends of the ranges as marks instead of bars"),
    ] + ChartedTrials.recordingOptions + [.window] + TrialSelection.options + [.by, .resultsOfTrials]
  ) { arguments in
    let (output, axes) = (try ChartOutput(arguments), try AxesOptions(arguments))
    let trials = try ChartedTrials(arguments)
    let grouping = try arguments.choice("by", TrialGrouping.self)
    let width = try arguments.number("every", 0.1...86_400)
    let everyIsForOne = "--every needs a single bundle; several bundles have one bar each"
    if width != nil, grouping != nil { throw arguments.refusal(everyIsForOne) }
    try output.check()
    let chosen = try trials.chosen()
    var isWhole = chosen.isWhole
    var chart: RangeChart
    if chosen.paths.count == 1, grouping == nil {
      let charts = try trials.charts(of: chosen.paths[0])
      do throws(TooManyIntervals) {
        chart = if let width { try charts.ranges(width: width) } else { charts.ranges }
      } catch {
        throw Failure("\(error)", status: .wrongUsage)
      }
    } else {
      guard width == nil else { throw arguments.refusal(everyIsForOne) }
      var ranges = TrialRanges(
        by: grouping ?? (chosen.hasDesign ? .condition : .clip), of: trials.window ?? .whole,
        leavingOut: trials.selection.omissions)
      isWhole = trials.each(chosen.paths, read: trials.charts) { ranges.add($0) } && isWhole
      for (path, reason) in ranges.leftOut { Console.standard.report("“\(path.visible)” is left out: \(reason)") }
      chart = ranges.chart
    }
    chart.drawsConnectedRanges = !arguments.has("marks")
    let status = try await output.finish(axes.applied(to: chart))
    return isWhole ? status : .failed
  }

  /// The number of trials per clip, verdict, participant ….
  private static let pieChart = Command(
    "chart pie", operands: "FOLDER…", "draws the number of trials per verdict, or per key given with --by",
    options: ChartOutput.options + [.by] + TrialSelection.filters + [.includeSimulated, .resultsOfTrials]
  ) { arguments in
    let output = try ChartOutput(arguments)
    let trials = try ChartedTrials(arguments)
    let grouping = try arguments.choice("by", TrialGrouping.self) ?? .verdict
    _ = try arguments.includesSimulated()
    try output.check()
    let chosen = try trials.chosen()
    let facts = try chosen.paths.map { path in
      guard Folder.isFolder(path) else { throw Failure("“\(path.visible)” is not a bundle; “pie” counts trials") }
      return TrialFacts(try Bundle(path).record)
    }
    // What lies around the trials of a session is no trial.
    let status = try await output.finish(grouping.pie(of: facts.filter { !$0.isAround }))
    return chosen.isWhole ? status : .failed
  }

  /// The heart rate around the onset, of one trial or averaged over several.
  private static let responseChart = Command(
    "chart response", operands: "FILE…",
    "draws the heart rate around the stimulus onset, or another quantity with --recorder, averaged over trials",
    options: ChartOutput.options + AxesOptions.options + ResponseOptions.options + ChartedTrials.recordingOptions
      + TrialSelection.options + [.by, .resultsOfTrials]
  ) { arguments in
    let (output, axes) = (try ChartOutput(arguments), try AxesOptions(arguments))
    let trials = try ChartedTrials(arguments)
    let chosenGrouping = try arguments.choice("by", TrialGrouping.self)
    let response = try ResponseOptions(arguments)
    // Check before reading; longer stimuli add bins.
    _ = try response.settings(longestSound: 0)
    try output.check()
    let (paths, isReadable, hasDesign) = try trials.chosen()
    let grouping = chosenGrouping ?? (hasDesign ? .condition : nil)
    let longest = try response.range == nil ? trials.longestSound(of: paths, by: grouping) : 0
    guard response.range != nil || response.bin <= longest + 20 else {
      throw Failure(
        "a bin of \(response.bin.brief) s exceeds the time around the stimulus; give a shorter "
          + "--bin, or --response FROM:TO",
        status: .wrongUsage)
    }
    let settings = try response.settings(longestSound: longest)
    var responses = TrialResponses(settings, by: grouping, leavingOut: trials.selection.omissions)
    var hasOnset = false
    let isWhole =
      trials.each(paths, read: trials.respondent) { respondent in
        if respondent.hasEvent { hasOnset = true }
        switch respondent {
        case .heart(let analysed): responses.add(analysed)
        case .channels(let channels): responses.add(channels)
        }
      } && isReadable
    for (path, reason) in responses.leftOut { Console.standard.report("“\(path.visible)” is left out: \(reason)") }
    if responses.count == 0, hasOnset, settings.baseline != .none {
      Console.standard.report(
        "there are too few data before the stimulus; --baseline none draws the response without one, and a protocol "
          + "with a rest before the stimulus gives a baseline")
    }
    var chart = responses.chart
    // Omitted trials do not extend the axis.
    if response.range == nil, responses.count > 0 {
      let drawn = try response.settings(longestSound: responses.longestSound)
      chart.horizontal.range = -settings.before...drawn.after
    }
    let status = try await output.finish(axes.applied(to: chart))
    return isWhole ? status : .failed
  }

  /// The statistics of each day in the sample store.
  private static let dailyChart = Command(
    "chart daily", "draws the statistics of each day in the sample store",
    options: ChartOutput.options + AxesOptions.options + [
      .init("type", value: "TYPE", "the quantity type (default: heartRate)"), .unit,
    ] + SampleSelection.options + [.includeSimulatedSamples] + StoreLocation.options
  ) { arguments in
    let (output, axes) = (try ChartOutput(arguments), try AxesOptions(arguments))
    let location = StoreLocation(arguments)
    let selection = try SampleSelection(arguments["type"] ?? QuantityType.heartRate.identifier, arguments)
    let unit = try arguments.unit()
    try output.check()
    let store = try await location.open()
    guard case .quantity(let type) = try await selection.type(in: store) else {
      throw Failure("there are no statistics of “\(selection.name)”, which is not a quantity", status: .wrongUsage)
    }
    return try await output.finish(
      axes.applied(to: try await Self.chart(of: type, selection, try type.checkedUnit(unit), store)))
  }

  /// The chart from the first to the last day with samples.
  private static func chart(
    of type: QuantityType, _ selection: SampleSelection, _ unit: Unit, _ store: SampleStore
  ) async throws -> DailyChart {
    let (predicate, simulated) = try await selection.statisticsPredicate(for: .quantity(type), in: store)
    let isCumulative = type.aggregationStyle.isCumulative
    let zone = selection.zone
    let collection = try await store.statisticsCollection(
      of: type, matching: predicate,
      options: isCumulative ? .cumulativeSum : [.discreteAverage, .discreteMin, .discreteMax],
      anchor: zone.startOfDay(containing: WallTime(milliseconds: 0)), every: .day, in: zone)
    let days = try collection.statistics.map { one in
      let values = one.overall
      func number(_ quantity: Quantity?) throws -> Double { try quantity?.value(in: unit) ?? .nan }
      let range =
        isCumulative
        ? ValueRange(0, try number(values.sum)) : ValueRange(try number(values.minimum), try number(values.maximum))
      // The day's number in the time zone's calendar.
      let local = one.start.advanced(by: zone.offset(at: one.start))
      let day = Int((Double(local.microseconds) / 86_400e6).rounded(.down))
      return DailyChart.Day(number: day, range: range, average: try number(values.average))
    }
    let name = words(type.identifier)
    let method =
      isCumulative
      ? "sum of each day" : Statistics.averageMethod(of: type.aggregationStyle, ofTrials: predicate.isOfTrials)
    return DailyChart(
      Heading(
        title: "\(name) by day", subtitle: (method.map { "\($0); " } ?? "") + "days of \(zone)",
        noDataText: "The store has no matching samples of \(type)", isSimulated: simulated > 0),
      days: days, vertical: Axis("\(name) (\(unit))"), startsAtZero: isCumulative)
  }

  /// An identifier as words: `Heart rate` for `heartRate`.
  private static func words(_ identifier: String) -> String {
    let spaced = identifier.reduce(into: "") { text, letter in
      text += letter.isUppercase ? " " + letter.lowercased() : String(letter)
    }
    return (spaced.first?.uppercased() ?? "") + spaced.dropFirst()
  }
}

extension ChartedTrials {
  /// The options for which heart data are drawn, and how they are read.
  static let recordingOptions = RecordingOptions.options.filter {
    ![Option.window.name, Option.preset.name].contains($0.name)
  }

  /// The trials and files that the operands and options name.
  init(_ arguments: Arguments) throws {
    let paths = try arguments.trialOperands()
    let recorded = try RecordingOptions(arguments)
    self.init(
      paths, recorded.choice, recorded.settings, window: recorded.window,
      selection: try TrialSelection(arguments),
      report: Console.standard.report)
  }
}
