import Analysis
import Basics
import Recordings
import Reports

/// `station analyse FILE…`: heart-rate measures of recordings, with definitions beside the numbers.
struct AnalyseCommand: Command {
  static let syntax = CommandSyntax(
    "analyse", operands: "FILE…", count: 1...1_000_000,
    "computes heart-rate measures of bundles and files; for many trials by clip, mood, condition …",
    options: AnalysisOptions.options)

  private let operands: [String]
  private let options: AnalysisOptions
  /// Whether trials are summarised, not shown one by one.
  private let isMany: Bool

  private var request: AnalysisRequest { options.request }
  private var analysis: TrialAnalysis { request.analysis }

  init(_ arguments: Arguments) throws {
    operands = try arguments.trialOperands()
    let options = try AnalysisOptions(arguments)
    self.options = options
    let request = options.request
    isMany =
      request.grouping != nil || options.form == .csv || !request.selection.isAll
      || operands.contains { TrialPaths.isMany($0) }
    try refuseIdle(arguments)
  }

  /// Rejects options that would have no effect, since the user expects them to have one.
  private func refuseIdle(_ arguments: Arguments) throws(UsageError) {
    guard isMany || analysis.baseline == nil || analysis.response != nil else {
      throw arguments.refusal("--baseline is for --response and for many trials (--by KEY or --csv)")
    }
    if isMany, analysis.baseline == analysis.window, analysis.window != .automatic || analysis.response == nil {
      throw arguments.refusal("--baseline \(analysis.window) is the measured window itself; choose another baseline")
    }
    if isMany, analysis.window == .automatic, analysis.baseline == .stimulus {
      throw arguments.refusal("--baseline stimulus is the default measured window; choose another with --window")
    }
    let (idle, why): ([String], String) =
      if options.form == .csv, analysis.response != nil {
        (
          ["by", "reference-group", "seed", "definitions", "measure", "window"],
          "has no effect on --csv with --response, which prints one row per bin"
        )
      } else if options.form == .csv {
        (
          ["by", "reference-group", "seed", "definitions"],
          "has no effect on --csv, which prints one row per trial, sensor and measure; leave out one of the two"
        )
      } else if !isMany {
        (["seed", "reference-group"], "is for summaries of several trials (--by KEY, or a results folder)")
      } else {
        ([], "")
      }
    if let option = idle.first(where: arguments.has) { throw arguments.refusal("--\(option) \(why)") }
  }

  func run() async throws -> ExitStatus {
    if isMany {
      let listing = TrialsListing(
        request, form: options.form, showsDefinitions: options.showsDefinitions, printer: Console.standard)
      return try await listing.write(operands) ? .done : .failed
    }
    return options.form == .json ? writeJSON() : write()
  }

  private func write() -> ExitStatus {
    var status = ExitStatus.done
    var isFirst = true
    for path in operands {
      do {
        let (hearts, channels) = try request.choice.everything(of: path)
        if channels.isEmpty { try analysis.requireMeasures() }
        let listings =
          hearts.map { recording in
            RecordingListing(RecordingAnalysis(recording, analysis), showsDefinitions: options.showsDefinitions).lines
          } + channels.map { ChannelListing(ChannelAnalysis($0, analysis)).lines }
        for lines in listings {
          if !isFirst { Console.standard.line() }
          isFirst = false
          for line in lines { Console.standard.line(line) }
        }
      } catch {
        Console.standard.report("\(error)")
        status = .failed
      }
    }
    return status
  }

  private func writeJSON() -> ExitStatus {
    var status = ExitStatus.done
    var recordings: [JSONValue] = []
    var channels: [JSONValue] = []
    for path in operands {
      do {
        let (hearts, others) = try request.choice.everything(of: path)
        if others.isEmpty { try analysis.requireMeasures() }
        recordings += hearts.map { RecordingAnalysis($0, analysis).json }
        channels += others.map { ChannelAnalysis($0, analysis).json }
      } catch {
        Console.standard.report("\(error)")
        status = .failed
      }
    }
    var document: [String: JSONValue] = ["format": .string(AnalysisFormat.name), "recordings": .array(recordings)]
    if !channels.isEmpty { document["channels"] = .array(channels) }
    Console.standard.write(JSONValue.object(document).encoded(pretty: true))
    return status
  }
}
