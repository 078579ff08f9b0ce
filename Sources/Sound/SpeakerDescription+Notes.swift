import Basics
import Quantities
import Study

extension SpeakerDescription {
  /// Notes on the speaker for the operator before anything is played, one sentence each.
  package var notes: [String] { [audibilityNote, timingNote].compactMap(\.self) }

  /// The note on a null sink; a private silent server was requested as such and needs none.
  private var audibilityNote: String? {
    guard !facts.isAudible, facts.kind != SpeakerFacts.silent else { return nil }
    return SinkFacts.inaudible(facts.sink ?? "unknown", sinkDescription)
  }

  private var timingNote: String? {
    guard let timing = facts.timing, timing.basis == .cycle else { return nil }
    // Tenths of a millisecond suffice, because the cycle is only assumed.
    let tenths = (timing.granularity.nanoseconds + 50_000) / 100_000
    return
      "the sound server is \(facts.server ?? "PipeWire"), which reports playback once per cycle: onset and offset are "
      + "uncertain by at least \(tenths / 10).\(tenths % 10) ms; run PulseAudio itself for exact times"
  }
}
