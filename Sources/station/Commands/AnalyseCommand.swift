import JSON
import Recordings

/// `station analyse FILE…`: heart-rate measures of recordings, with definitions beside the numbers.
struct AnalyseCommand: Command {
  static let syntax = CommandSyntax(
    "analyse", operands: "FILE…", count: 1...1_000_000,
    "measures bundles, heart files, tables and texts of intervals; many trials by clip, mood, condition, participant …",
    options: AnalysisRequest.options)

  private let operands: [String]
  private let request: AnalysisRequest

  init(_ arguments: Arguments) throws {
    operands = arguments.operands
    request = try AnalysisRequest(arguments)
    guard
      request.baseline == nil || request.response != nil || request.form == .csv || request.grouping != nil
        || operands.contains(where: { TrialPaths.isMany($0) })
    else {
      throw arguments.refusal("--baseline is for --response, and for many trials (--by KEY or --csv)")
    }
  }

  func run() async throws -> ExitStatus {
    if request.grouping != nil || request.form == .csv || operands.contains(where: { TrialPaths.isMany($0) }) {
      return try await TrialTable(request).write(operands)
    }
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
