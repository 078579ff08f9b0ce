import Quantities

extension TrialMachine {
  /// What the machine keeps about the active step that runs.
  struct ActiveRun: Sendable {
    var segment = 0
    var timer = 0
    var soundTimer = 0
    var timeLeft: Duration = .zero
    var timerEnd: Moment?
    var framesPlayed = 0
    var isSounding = false
    var isSoundDone = true
    var isTimeUp = false
    var saidHalfway = false
    var resumesAfterFade = false
  }
}
