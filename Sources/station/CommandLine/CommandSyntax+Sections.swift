import Sensors

extension CommandSyntax.Section {
  /// The forms that a sensor's address has.
  static let sensors = CommandSyntax.Section(
    title: "SENSOR in --sensor NAME=SENSOR, where NAME is a recorder of the protocol or a quantity type (heartRate):",
    rows: SensorAddress.forms.map { HelpLayout.Row($0, meaning(of: $0)) })

  /// The keys during a running trial.
  static let keys = CommandSyntax.Section(
    title: "Keys during a trial, on a terminal:",
    rows: [
      .init("Return", "continue, if a step waits"),
      .init("p", "pause or resume"),
      .init("s", "skip a step that the protocol marks as optional"),
      .init("Ctrl-C", "end the trial and write its bundle; pressed again, offer to discard it"),
    ])

  /// The description of a form of address; empty if there is none.
  private static func meaning(of form: String) -> String {
    let meanings = [
      ("simulated", "a simulated chest strap"),
      ("replay:", "a recording: a bundle's heart.json, CSV or NDJSON"),
      ("lines:-", "lines such as 72,812 or {\"hr\": 72, \"rr\": [812]} on standard input"),
      ("lines:tcp:", "lines from a TCP server"),
      ("lines:unix:", "lines from a Unix socket"),
      ("lines:exec:", "lines that a command prints"),
      ("serial:", "a device at a serial port: pulsesensor, nonin, bitalino or lines"),
      ("lines:", "lines from a FIFO or a character device"),
    ]
    return meanings.first { form.hasPrefix($0.0) }?.1 ?? ""
  }
}
