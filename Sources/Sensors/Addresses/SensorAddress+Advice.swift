import Basics

/// What people are told who cannot name their sensor, or whose sensor does not answer.
extension SensorAddress {
  /// Where the addresses are found.
  package static let advice =
    "“station sensors” lists the sensors in reach and what to type for each; others are lines:exec:COMMAND, "
    + "lines:tcp://HOST:PORT, replay:FILE, and “simulated” for a rehearsal"

  /// What to do about a sensor that does not answer.
  ///
  /// - Parameter text: its address as written.
  /// - Returns: what comes after “cannot record …; ”.
  package static func remedy(of text: String) -> String {
    switch (try? SensorAddress(text))?.kind {
    case .lines(.exec): "run the command in a shell to see that it works"
    case .lines: "see that the program that sends the lines runs"
    default: "“station check sensor” and “station sensors” show what is on and in reach"
    }
  }

  /// Whether it sends lines of text.
  package var sendsLines: Bool {
    switch kind {
    case .lines: true
    case .serial(let settings): settings.kind == .lines
    default: false
    }
  }

  /// The kind of address for the name of a device, a maker or a program; `nil` for other words.
  static func meant(by words: String) -> String? {
    let named = Set(words.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
    return devices.first { !named.isDisjoint(with: $0.words) }?.address
  }

  /// What people call a sensor, and the address to try.
  private static let devices: [(address: String, words: Set<String>)] = [
    (
      "bluetooth",
      [
        "polar", "h7", "h9", "h10", "oh1", "verity", "garmin", "wahoo", "tickr", "coospo", "magene", "suunto",
        "movesense",
        "strap", "belt", "chest", "cheststrap", "hrm", "ble", "bt", "heartrate", "pulse", "watch",
      ]
    ),
    ("camera:/dev/video0", ["webcam", "cam", "video0"]), ("video:FILE", ["film", "movie", "mp4", "mkv"]),
    ("microphone", ["mic", "micro", "sound", "audio", "room"]),
    ("serial:PORT?kind=pulsesensor", ["arduino", "pulsesensor"]),
    ("serial:PORT?kind=nonin", ["nonin", "oximeter", "xpod"]),
    ("serial:PORT?kind=bitalino", ["bitalino", "plux"]),
    ("serial:PORT?kind=KIND", ["usb", "tty", "com", "port", "rs232"]),
    ("lsl:NAME", ["stream", "labstreaminglayer", "xdf"]), ("keys", ["keyboard", "key", "rating", "slider"]),
    ("lines:exec:COMMAND", ["python", "python3", "command", "program", "script", "sh", "bash"]),
    ("lines:-", ["stdin", "pipe"]), ("replay:FILE", ["file", "csv", "edf", "recording", "record"]),
    ("simulated", ["sim", "simulation", "simulator", "fake", "dummy", "test", "demo", "rehearsal", "none"]),
  ]
}
