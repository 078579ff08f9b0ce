extension LoudnessTarget {
  /// Reads `loudness`; `nil` after reporting a problem.
  static func read(_ place: Located) -> LoudnessTarget? {
    guard let object = place.object("an object with a “target_LUFS”") else { return nil }
    object.refuseKeys(beside: .loudness)
    let limit = object["truePeakLimit_dBTP"]?.number("a true peak in dBTP", in: -20...0)
    let target = object.required("target_LUFS", "the loudness to reach, such as -23")?
      .number("a loudness in LUFS", in: -70...0)
    guard let target else { return nil }
    return LoudnessTarget(integrated: target, truePeakLimit: limit ?? -1)
  }
}
