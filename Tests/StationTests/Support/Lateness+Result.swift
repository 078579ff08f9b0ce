import JSON
import TestSupport
import Testing

extension Lateness {
  /// Asserts what depends on a machine that keeps up, or skips it with the figure where the sound suffered.
  ///
  /// To be called last: what does not depend on the machine has been asserted by then. A disturbed sound is never taken
  /// for a good one, on however busy a machine.
  func judge(_ result: JSONValue, _ assertions: () throws -> Void) throws {
    if let excuse, Self.isDisturbed(result) {
      #expect(["suspect", "bad"].contains(result["verdict"]?["grade"]?.string))
      try skip(excuse)
    }
    try assertions()
  }

  /// Whether the sound server or the measured times say that the sound came late or broke off.
  private static func isDisturbed(_ result: JSONValue) -> Bool {
    let playback = result["playback"]
    func number(_ key: String) -> Double { playback?[key]?.number ?? .infinity }
    return number("underruns") > 0 || number("framesPlayed") < number("framesRequested")
      || number("onsetUncertainty_ns") > 1e6 || abs(number("onset_ns") - number("scheduled_ns")) > 1e6
  }
}
