import Basics
import Quantities
import Study

extension SpeakerDescription {
  /// Notes on the speaker for the operator before anything is played, one sentence each.
  package var notes: [String] { [audibilityNote, timingNote, delayNote].compactMap(\.self) }

  /// The note on a null sink; a private silent server was requested as such and needs none.
  private var audibilityNote: String? {
    guard !facts.isAudible, facts.kind != SpeakerFacts.silent else { return nil }
    return SinkFacts.inaudible(facts.sink ?? "unknown", sinkDescription)
  }

  private var timingNote: String? {
    guard facts.timing?.basis == .cycle else { return nil }
    return
      "the sound server is \(facts.server ?? "PipeWire"), which reports playback once per cycle: onset and offset are "
      + "uncertain by some milliseconds; --speaker pipewire:\(facts.sink ?? "default") has exact times"
  }

  /// The note on a sink of PipeWire that is no card, such as a filter, or a loudspeaker on the network: its delay is not part
  /// of the graph's clock.
  private var delayNote: String? {
    guard facts.kind == SpeakerFacts.pipeWire, facts.isAudible, facts.timing?.basis == .clock,
      facts.outputLatencyBasis == nil
    else { return nil }
    return
      "PipeWire does not know how late the sink “\(facts.sink ?? "unknown")” is, which is no sound card: onset and offset "
      + "leave it out; `station check loopback` measures it"
  }
}
