import Basics
import Quantities
import Study

extension VerdictThresholds {
  /// Its members, in the journal and in the result, under the protocol's keys.
  var members: [String: JSONValue] {
    [
      "goodCoverage": .number(goodCoverage), "suspectCoverage": .number(suspectCoverage),
      "sampleHold_s": .number(sampleHold.seconds), "contactLoss": .number(contactLoss),
      "goodImplausible": .number(goodImplausible), "suspectImplausible": .number(suspectImplausible),
      "suspectPlayed": .number(suspectPlayed), "onsetTolerance_ms": .number(onsetTolerance.milliseconds),
      "onsetUncertainty_ms": .number(onsetUncertainty.milliseconds),
      "loudnessTolerance_LU": .number(loudnessTolerance), "clockDrift_s": .number(clockDrift.seconds),
    ]
  }

  /// Reads a journal's; what is missing is as the station has it.
  init(_ fields: JournalFields) throws(FieldProblem) {
    self.init()
    func number(_ key: String, _ range: ClosedRange<Double>) throws(FieldProblem) -> Double? {
      try fields.optionalNumber(key, in: range)
    }
    goodCoverage = try number("goodCoverage", 0...1) ?? goodCoverage
    suspectCoverage = try number("suspectCoverage", 0...1) ?? suspectCoverage
    sampleHold = try number("sampleHold_s", 1...10).map { Duration(seconds: $0) } ?? sampleHold
    contactLoss = try number("contactLoss", 0...1) ?? contactLoss
    goodImplausible = try number("goodImplausible", 0...1) ?? goodImplausible
    suspectImplausible = try number("suspectImplausible", 0...1) ?? suspectImplausible
    suspectPlayed = try number("suspectPlayed", 0...1) ?? suspectPlayed
    onsetTolerance = try number("onsetTolerance_ms", 0...1000).map { Duration(milliseconds: $0) } ?? onsetTolerance
    onsetUncertainty =
      try number("onsetUncertainty_ms", 0...1000).map { Duration(milliseconds: $0) } ?? onsetUncertainty
    loudnessTolerance = try number("loudnessTolerance_LU", 0...70) ?? loudnessTolerance
    clockDrift = try number("clockDrift_s", 0...3600).map { Duration(seconds: $0) } ?? clockDrift
  }
}
