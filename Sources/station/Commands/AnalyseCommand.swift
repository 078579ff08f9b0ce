import Analysis
import Basics
import Recordings

/// `station analyse FILE…`: heart-rate measures of recordings, with definitions beside the numbers.
struct AnalyseCommand: Command {
  static let syntax = CommandSyntax(
    "analyse", operands: "FILE…", count: 1...1_000_000,
    "measures bundles, heart files, tables and texts of intervals; many trials by clip, mood, condition, participant …",
    options: AnalysisRequest.options)

  private let operands: [String]
  private let request: AnalysisRequest
  /// Whether trials are put together, and not shown one by one.
  private let isMany: Bool

  init(_ arguments: Arguments) throws {
    operands = try arguments.trialOperands()
    request = try AnalysisRequest(arguments)
    isMany =
      request.grouping != nil || request.form == .csv || !request.selection.isAll
      || operands.contains { TrialPaths.isMany($0) }
    try refuseIdle(arguments)
  }

  /// Refuses what would change nothing, so that nobody takes an answer for another.
  private func refuseIdle(_ arguments: Arguments) throws(UsageError) {
    guard isMany || request.baseline == nil || request.response != nil else {
      throw arguments.refusal("--baseline is for --response, and for many trials (--by KEY or --csv)")
    }
    if isMany, request.baseline == request.window, request.window != .automatic || request.response == nil {
      throw arguments.refusal("--baseline \(request.window) is the window that is measured, which differs in nothing")
    }
    if isMany, request.window == .automatic, request.baseline == .stimulus {
      throw arguments.refusal("--baseline stimulus is the window that is measured unless --window says another")
    }
    let (idle, why): ([String], String) =
      if request.form == .csv, request.response != nil {
        (
          ["by", "reference-group", "seed", "definitions", "measure", "window"],
          "has no effect on --csv with --response, which has a row a bin"
        )
      } else if request.form == .csv {
        (
          ["by", "reference-group", "seed", "definitions"],
          "has no effect on --csv, which has a row for each trial, sensor and measure; leave out one of the two"
        )
      } else if !isMany {
        (["seed", "reference-group"], "is for several trials that are summed up (--by KEY, or a results folder)")
      } else {
        ([], "")
      }
    if let option = idle.first(where: arguments.has) { throw arguments.refusal("--\(option) \(why)") }
  }

  func run() async throws -> ExitStatus {
    if isMany { return try await TrialTable(request).write(operands) }
    return request.form == .json ? writeJSON() : write()
  }

  private func write() -> ExitStatus {
    var status = ExitStatus.done
    var isFirst = true
    for path in operands {
      do {
        for recording in try request.recorded.recordings(of: path) {
          if !isFirst { Console.standard.line() }
          isFirst = false
          for line in RecordingRendering(recording, request).lines { Console.standard.line(line) }
        }
      } catch {
        Console.standard.complain("\(error)")
        status = .failed
      }
    }
    return status
  }

  private func writeJSON() -> ExitStatus {
    var status = ExitStatus.done
    var recordings: [JSONValue] = []
    for path in operands {
      do {
        recordings += try request.recorded.recordings(of: path).map { RecordingRendering($0, request).json }
      } catch {
        Console.standard.complain("\(error)")
        status = .failed
      }
    }
    let document: JSONValue = ["format": .string(AnalysisFormat.name), "recordings": .array(recordings)]
    Console.standard.write(document.encoded(pretty: true))
    return status
  }
}

/// The name of the documents that `station analyse --json` prints; see `protocols/analysis.schema.json`.
enum AnalysisFormat: Sendable {
  static let name = "station.analysis/1"
}
