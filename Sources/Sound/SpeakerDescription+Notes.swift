import Basics
import Quantities
import Study

extension SpeakerDescription {
  /// What the operator should know of the speaker before anything is played, a sentence each.
  package var notes: [String] { [audibilityNote, timingNote].compactMap(\.self) }

  /// A private silent server was asked for by that name, and needs no note.
  private var audibilityNote: String? {
    guard !isAudible, kind != "silent" else { return nil }
    return SinkFacts.inaudible(sink ?? "unknown", sinkDescription)
  }

  private var timingNote: String? {
    guard let timing, timing.basis == .cycle else { return nil }
    // Whole tenths of a millisecond, as the cycle is only assumed.
    let tenths = (timing.granularity.nanoseconds + 50_000) / 100_000
    return "the sound server is \(server ?? "PipeWire"), which reports playback once per cycle: onset and offset are "
      + "uncertain by at least \(tenths / 10).\(tenths % 10) ms; run PulseAudio itself for exact times"
  }
}
