/// A step in which the participant chooses how loud the session plays, by the method of adjustment.
package struct VolumeStep: Hashable, Sendable {
  /// By how many decibels a key changes the level.
  package var step: Double
  /// The lowest gain, in decibels relative to noise of −23 LUFS.
  package var lowest: Double
  /// The highest gain.
  package var highest: Double
  /// The gain at which the step begins.
  package var start: Double

  /// Creates a step.
  package init(step: Double = 2, lowest: Double = -40, highest: Double = 10, start: Double = -20) {
    (self.step, self.lowest, self.highest, self.start) = (step, lowest, highest, start)
  }
}

extension VolumeStep: StepContent {
  static let keys: [String] = ["step_dB", "lowest_dB", "highest_dB", "start_dB"]

  static func readKind(_ object: LocatedObject) -> Step.Kind? {
    var volume = VolumeStep()
    let range = -60.0...20.0
    if let step = object["step_dB"]?.number("a number of decibels", in: 0.1...10) { volume.step = step }
    if let lowest = object["lowest_dB"]?.number("a number of decibels", in: range) { volume.lowest = lowest }
    if let highest = object["highest_dB"]?.number("a number of decibels", in: range) { volume.highest = highest }
    if let start = object["start_dB"]?.number("a number of decibels", in: range) { volume.start = start }
    if !(volume.lowest...max(volume.lowest, volume.highest)).contains(volume.start) || volume.lowest >= volume.highest {
      (object["start_dB"] ?? object["highest_dB"] ?? object["lowest_dB"])?.report(
        "the level begins at \(volume.start) dB, which is not between \(volume.lowest) and \(volume.highest) dB; set "
          + "“lowest_dB”, “start_dB” and “highest_dB” in this order")
    }
    return .volume(volume)
  }
}
