import Basics
import TestSupport
import Testing

extension Lateness {
  /// Asserts what depends on a machine that keeps up, or skips it with the figure where the sound suffered.
  ///
  /// To be called last: what does not depend on the machine has been asserted by then. A disturbed sound is never taken
  /// for a good one, on however busy a machine, and nothing but the sound may have led to the verdict.
  ///
  /// - Parameters:
  ///   - result: the trial's.
  ///   - isSoundAlone: whether the sound is all that may be at fault; not where a sensor's fault is the test.
  ///   - assertions: what depends on the machine.
  /// - Throws: what ends the test where it is skipped.
  func judge(_ result: JSONValue, isSoundAlone: Bool = true, _ assertions: () throws -> Void) throws {
    if let excuse, Self.isDisturbed(result) {
      #expect(["suspect", "bad"].contains(result["verdict"]?.string))
      let others = result.caveats(from: "suspect").filter { !Self.soundCaveats.contains($0) }
      #expect(!isSoundAlone || others.isEmpty, "\(others)")
      try skip(excuse)
    }
    try assertions()
  }

  /// What a late or broken sound is told by.
  private static let soundCaveats = [
    "onsetUncertain", "onsetShifted", "underruns", "playbackShifted", "playedInPart", "soundLost",
  ]

  /// Whether the sound server or the measured times say that the sound, played or recorded, came late or broke off.
  private static func isDisturbed(_ result: JSONValue) -> Bool {
    let playback = result["playback"]
    func number(_ key: String) -> Double { playback?[key]?.number ?? .infinity }
    let onset = playback?["onset"]
    let caveats = result.caveats()
    return caveats.contains("underruns") || caveats.contains("soundLost")
      || number("framesPlayed") < number("framesRequested")
      || onset?["uncertainty_ns"]?.number ?? .infinity > 1e6
      || abs((onset?["t_ns"]?.number ?? .infinity) - number("scheduled_ns")) > 1e6
  }
}
