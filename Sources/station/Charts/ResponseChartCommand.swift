import Analysis
import Basics
import Charts
import Recordings

/// `station chart response FILE…`: the heart rate around the onset, of one trial or averaged over several.
struct ResponseChartCommand: Command {
  static let syntax = CommandSyntax(
    "chart response", operands: "FILE…", count: 1...1_000_000,
    "draws the heart rate around the stimulus onset, or another quantity with --recorder, averaged over trials",
    options: ChartOutput.options + AxesOptions.options + ResponseOptions.options + ChartedTrials.recordingOptions
      + TrialOptions.options + [TrialGrouping.option, StoreLocation.trialsOption])

  private let output: ChartOutput
  private let axes: AxesOptions
  private let trials: ChartedTrials
  private let grouping: TrialGrouping?
  private let response: ResponseOptions

  init(_ arguments: Arguments) throws {
    output = try ChartOutput(arguments)
    axes = try AxesOptions(arguments)
    trials = try ChartedTrials(arguments)
    grouping = try TrialGrouping.chosen(arguments)
    response = try ResponseOptions(arguments)
    // Check before reading; longer stimuli add bins.
    _ = try response.settings(longestSound: 0)
  }

  func run() async throws -> ExitStatus {
    try output.check()
    let (paths, isReadable, hasDesign) = try trials.chosen()
    let grouping = grouping ?? (hasDesign ? .condition : nil)
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
}
