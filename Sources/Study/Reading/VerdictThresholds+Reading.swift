import Basics

extension VerdictThresholds {
  /// Reads `verdict`; `nil` after reporting a problem.
  static func read(_ place: Located) -> VerdictThresholds? {
    guard let object = place.object("an object with thresholds such as “goodCoverage”") else { return nil }
    object.refuseKeys(beside: .verdict)
    var thresholds = VerdictThresholds()
    func share(_ key: String) -> Double? { object[key]?.number("a share", in: 0...1) }
    if let value = share("goodCoverage") { thresholds.goodCoverage = value }
    if let value = share("suspectCoverage") { thresholds.suspectCoverage = value }
    if let value = object["sampleHold_s"]?.seconds(in: 1...10) { thresholds.sampleHold = value }
    if let value = share("contactLoss") { thresholds.contactLoss = value }
    if let value = share("goodImplausible") { thresholds.goodImplausible = value }
    if let value = share("suspectImplausible") { thresholds.suspectImplausible = value }
    if let value = share("suspectPlayed") { thresholds.suspectPlayed = value }
    if let value = object["onsetTolerance_ms"]?.milliseconds(in: 0...1000) { thresholds.onsetTolerance = value }
    if let value = object["onsetUncertainty_ms"]?.milliseconds(in: 0...1000) { thresholds.onsetUncertainty = value }
    if let value = object["loudnessTolerance_LU"]?.number("a number of LU", in: 0...70) {
      thresholds.loudnessTolerance = value
    }
    if let value = object["clockDrift_s"]?.seconds(in: 0...3600) { thresholds.clockDrift = value }
    if thresholds.suspectCoverage > thresholds.goodCoverage {
      (object["suspectCoverage"] ?? object["goodCoverage"])?.report(
        "suspectCoverage (\(thresholds.suspectCoverage)) is above goodCoverage (\(thresholds.goodCoverage))")
    }
    if thresholds.suspectImplausible < thresholds.goodImplausible {
      (object["suspectImplausible"] ?? object["goodImplausible"])?.report(
        "suspectImplausible (\(thresholds.suspectImplausible)) is below goodImplausible (\(thresholds.goodImplausible))"
      )
    }
    return thresholds
  }
}
