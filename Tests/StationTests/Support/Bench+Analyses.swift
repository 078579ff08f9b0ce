import Basics
import Quantities
import TestSupport
import Testing

extension Bench {
  func analyse(_ words: String...) async throws -> String {
    let (status, output, complaints) = try await run(["analyse"] + words)
    #expect(status == 0, "\(words): \(complaints)")
    return output
  }

  func analyseJSON(_ words: String...) async throws -> JSONValue {
    let (_, output, complaints) = try await run(["analyse"] + words)
    #expect(!output.isEmpty, "\(complaints)")
    return try JSONReader.read(Array(output.utf8)).value
  }

  /// Three participants hear rain and drums, twice each; drums raise the rate by 20, 25 and 30 /min.
  func writeStudy() throws -> String {
    var number = 0
    for (participant, faster) in [("P01", 600.0), ("P02", 60_000 / 85.0), ("P03", 60_000 / 90.0)] {
      for (clip, mood) in [("rain", "calm"), ("drums", "lively"), ("drums", "lively"), ("rain", "calm")] {
        var trial = MadeTrial()
        trial.participant = participant
        (trial.clip, trial.mood) = (clip, mood)
        // Later names come first, so that names do not tell the order.
        trial.start = WallTime(milliseconds: 1_763_636_911_250 - 100_000 * Int64(number))
        let rate = clip == "rain" ? 1000 : participant == "P01" ? 750 : faster
        trial.intervals = Array(repeating: 1000.0, count: 20) + Array(repeating: rate, count: Int(20_000 / rate))
        // Every participant sat in a booth with a sensor of its own.
        let sensor = "strap of \(participant)"
        trial.changes = { _ in ["source": .string(sensor)] }
        try trial.write(to: scratch["results/bundles/trial-\(String(100 + number).dropFirst())"])
        number += 1
      }
    }
    return "results"
  }
}
