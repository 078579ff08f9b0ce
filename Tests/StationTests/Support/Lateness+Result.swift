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
      #expect(["suspect", "bad"].contains(result["verdict"]?["grade"]?.string))
      let reasons = result["verdict"]?["reasons"]?.array?.compactMap(\.string) ?? []
      let others = reasons.filter { reason in !Self.soundReasons.contains { reason.contains($0) } }
      #expect(!isSoundAlone || others.isEmpty, "\(others)")
      try skip(excuse)
    }
    try assertions()
  }

  /// What a late or broken sound is told by.
  private static let soundReasons = [
    "the onset is only known to within", "the onset was ", "buffer underrun", "playback shifted",
    "of the stimulus were played",
  ]

  /// Whether the sound server or the measured times say that the sound came late or broke off.
  private static func isDisturbed(_ result: JSONValue) -> Bool {
    let playback = result["playback"]
    func number(_ key: String) -> Double { playback?[key]?.number ?? .infinity }
    return number("underruns") > 0 || number("framesPlayed") < number("framesRequested")
      || number("onsetUncertainty_ns") > 1e6 || abs(number("onset_ns") - number("scheduled_ns")) > 1e6
  }
}
