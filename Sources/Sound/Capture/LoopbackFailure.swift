import Basics

/// Why a loop-back check has no result.
package enum LoopbackFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The microphone delivers nothing but zeros.
  case silence(source: String)
  /// Of so many clicks, too few were above the noise; the best was so many times stronger than it.
  case unheard(source: String, heard: Int, clicks: Int, ratio: Double)
  /// The recording of so many clicks is clipped.
  case clipped(source: String, count: Int, clicks: Int)
  /// The clicks arrive at times that differ by more than they may; the SD in milliseconds.
  case scattered(source: String, deviation: Double)
  /// The clicks arrive before they are played, by so many milliseconds.
  case early(source: String, milliseconds: Double)
  /// The recording or the playback was disturbed too often.
  case disturbed(usable: Int, clicks: Int)
  /// The sound or the source was lost.
  case lost(reason: String)

  /// What failed, why, and what to do.
  package var description: String {
    switch self {
    case .silence(let source):
      "the microphone “\(source.visible)” delivers only silence: it is muted, or its volume is zero, or it is not plugged in; "
        + "unmute it, or name another one with --microphone"
    case .unheard(let source, let heard, let clicks, let ratio):
      "the microphone “\(source.visible)” heard \(heard) of \(clicks.counted("click")) above the noise (\(ratio.fixed(1)) times as "
        + "strong; 10 are needed): the room is too noisy, or the clicks are too soft; put the microphone closer to the "
        + "loudspeaker, or raise the volume of either"
    case .clipped(let source, let count, let clicks):
      "the recording of \(count) of \(clicks.counted("click")) from “\(source.visible)” is clipped: it is too loud; lower the "
        + "volume of the microphone, or put it further away"
    case .scattered(let source, let deviation):
      "the clicks arrive at “\(source.visible)” at different times (SD \(deviation.fixed(3)) ms; 1 ms at most): card or server "
        + "change their delay; close other programs with sound, or use a card of your own for the experiment"
    case .early(let source, let milliseconds):
      "the clicks arrive at “\(source.visible)” \(milliseconds.fixed(3)) ms before they are played: the server reports more latency "
        + "than there is; measure the latency by other means, and give it with --measured-ms and --uncertainty-ms"
    case .disturbed(let usable, let clicks):
      "only \(usable) of \(clicks.counted("click")) were played and recorded without a gap; close other programs, and check again"
    case .lost(let reason): "the check ended early: \(reason); see whether sound card and sound server are in order"
    }
  }
}
