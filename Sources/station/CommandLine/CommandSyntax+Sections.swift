import Sensors

extension CommandSyntax.Section {
  /// The forms that a sensor's address has.
  static let sensors = CommandSyntax.Section(
    title: "SENSOR in --sensor NAME=SENSOR, where NAME is a recorder of the protocol or a quantity type (heartRate):",
    rows: SensorAddress.forms.map { HelpLayout.Row($0.text, $0.meaning) })

  /// The keys during a running trial.
  static let keys = CommandSyntax.Section(
    title: "Keys during a trial, on a terminal:",
    rows: [
      .init("Return", "continue, if a step waits"),
      .init("p", "pause or resume"),
      .init("s", "skip a step that the protocol marks as optional"),
      .init("Ctrl-C", "end the trial and write its bundle; pressed again, offer to discard it"),
    ])
}
