package import Basics

/// A step in which the participant chooses how loud the session plays, by the method of adjustment.
package struct VolumeStep: StepReading {
  package static let kind = "volume"
  static let summary = "plays noise while the participant chooses the volume of the session"

  /// By how many decibels a key changes the level.
  package var step: Double
  /// The lowest gain, in decibels relative to noise of −23 LUFS.
  package var lowest: Double
  /// The highest gain.
  package var highest: Double
  /// The gain at which the step begins.
  package var start: Double

  private static let (steps, gains) = (0.1...10.0, -60.0...20.0)
  static let keys: [StepKey] = [
    .number("step_dB", steps, default: 2, "By how many decibels a key changes the level."),
    .number("lowest_dB", gains, default: -40, "The lowest gain."),
    .number("highest_dB", gains, default: 10, "The highest gain, above lowest_dB."),
    .number("start_dB", gains, default: -20, "The gain at which the step begins, from lowest_dB to highest_dB."),
  ]

  package var effort: StepEffort { .check(.seconds(15)) }
  package static let notes: [any StepNote.Type] = [ChosenVolume.self]

  init(step: Double = 2, lowest: Double = -40, highest: Double = 10, start: Double = -20) {
    (self.step, self.lowest, self.highest, self.start) = (step, lowest, highest, start)
  }

  static func read(_ object: LocatedObject) -> Self? {
    var volume = VolumeStep()
    let expectation = "a number of decibels"
    if let step = object["step_dB"]?.number(expectation, in: steps) { volume.step = step }
    if let lowest = object["lowest_dB"]?.number(expectation, in: gains) { volume.lowest = lowest }
    if let highest = object["highest_dB"]?.number(expectation, in: gains) { volume.highest = highest }
    if let start = object["start_dB"]?.number(expectation, in: gains) { volume.start = start }
    if !(volume.lowest...max(volume.lowest, volume.highest)).contains(volume.start) || volume.lowest >= volume.highest {
      (object["start_dB"] ?? object["highest_dB"] ?? object["lowest_dB"])?.report(
        "the level begins at \(volume.start) dB, which is not between \(volume.lowest) and \(volume.highest) dB; set "
          + "“lowest_dB”, “start_dB” and “highest_dB” in this order")
    }
    return volume
  }
}

/// The participant chose a volume.
package struct ChosenVolume: StepNote {
  package static let name = "volume"
  package static let summary = "the participant chose a volume"
  package static let rows: [String: JSONValue] = [
    "gain_dB": ["type": "number", "description": "The gain of the clips of the rest of the session."]
  ]

  /// The gain of the clips of the rest of the session, in decibels.
  var gain: Double

  private enum CodingKeys: String, CodingKey { case gain = "gain_dB" }

  /// Creates a note.
  package init(gain: Double) { self.gain = gain }
}
