import Quantities
import Study

extension TrialMachine {
  /// What the machine keeps about the active step that runs.
  struct ActiveRun: Sendable {
    var segment = 0
    var timeLeft: Duration = .zero
    /// When the timer that runs ends; `nil` while none does.
    var timerEnd: Moment?
    /// How much of the stimulus was played before the segment that is under way.
    var framesPlayed = 0
    var played: Duration = .zero
    /// The step's sound that was asked for and has not ended.
    var sound: SoundID?
    var isSoundDone = true
    var isTimeUp = false
    var saidHalfway = false
    /// What was said of the countdown, or is going to be.
    var counted: Set<Utterance> = []
    /// Whether the step is left as soon as what it says at its finish has been said.
    var leavesWhenSpoken = false
    var resumesAfterFade = false
  }
}
