import Analysis
import Charts
import Recordings

extension ChartedTrials {
  /// The options for which heart data are drawn, and how they are read.
  static let recordingOptions = RecordingOptions.options.filter {
    ![RecordingOptions.window.name, RecordingOptions.preset.name].contains($0.name)
  }

  /// The trials and files that the operands and options name.
  init(_ arguments: Arguments) throws {
    let paths = try arguments.trialOperands()
    let recorded = try RecordingOptions(arguments)
    self.init(
      paths, recorded.choice, recorded.settings, window: recorded.window,
      selection: try TrialOptions.selection(arguments), report: Console.standard.report)
  }
}
