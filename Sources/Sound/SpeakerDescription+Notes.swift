import Basics
import Quantities
import Study

extension SpeakerDescription {
  /// Notes on the speaker for the operator before anything is played, one sentence each.
  package var notes: [String] { [audibilityNote, timingNote, delayNote].compactMap(\.self) }

  /// The note on a null sink; a private silent server was requested as such and needs none.
  package var audibilityNote: String? {
    guard !facts.isAudible, facts.kind != SpeakerFacts.silent else { return nil }
    return SinkFacts.inaudible(facts.sink ?? "unknown", sinkDescription)
  }

  private var timingNote: String? {
    guard facts.timing?.basis == .cycle else { return nil }
    return
      "the sound server is \(facts.server ?? "PipeWire"), which reports playback once per cycle: onset and offset are "
      + "uncertain by some milliseconds; --speaker pipewire:\(facts.sink ?? "default") has exact times"
  }

  /// The note on a delay that the times leave out, unless the user has said or measured it.
  private var delayNote: String? {
    guard hasUnknownDelay, facts.outputLatency == .zero, facts.outputLatencyBasis == nil else { return nil }
    return
      "the sound server does not know the delay of the sink “\(facts.sink ?? "unknown")” itself, which is not a sound card: onset "
      + "and offset leave it out; `station check loopback` measures it"
  }
}
