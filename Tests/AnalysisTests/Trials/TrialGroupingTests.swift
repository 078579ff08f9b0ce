import Bundles
import Testing

@testable import Analysis

@Suite("What trials are grouped by")
struct TrialGroupingTests {
  @Test(
    "is the key of a trial, and nothing where the trial does not have it",
    arguments: [
      (TrialGrouping.clip, "calm", nil as String?), (.mood, "chill", nil), (.condition, "Rest", "Rest"),
      (.participant, "p01", "p01"), (.session, "2", "2"), (.verdict, "suspect", nil), (.outcome, "stopped", nil),
    ])
  func keys(grouping: TrialGrouping, whole: String, bare: String?) {
    var trial = TrialFacts(
      trial: "t", participant: "p01", session: "2", condition: "Rest", clip: "calm", mood: "chill", start: nil,
      outcome: .stopped, verdict: .suspect, reasons: [], sounds: [], steps: [])
    #expect(grouping.key(of: trial) == whole)
    (trial.clip, trial.mood, trial.outcome, trial.verdict) = (nil, nil, nil, nil)
    #expect(grouping.key(of: trial) == bare)
    #expect(grouping.key(of: nil) == nil)
  }
}
