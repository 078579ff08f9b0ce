import Testing

@testable import Bundles

@Suite("What a verdict's reason is about")
struct VerdictTopicTests {
  @Test(
    "Counts and lengths may grow; names, causes and recorders tell reasons apart",
    arguments: [
      (.underruns(1), .underruns(9), true), (.muted(1), .sinkSuspended(1), false),
      (
        .sensorLost("strap1", times: 1, .seconds(1), reason: "gone"),
        .sensorLost("strap1", times: 2, .seconds(9), reason: "gone"), true
      ),
      (
        .sensorLost("strap1", times: 1, .seconds(1), reason: "gone"),
        .sensorLost("strap2", times: 1, .seconds(1), reason: "gone"), false
      ),
      (
        .sensorLost("strap1", times: 1, .seconds(1), reason: "gone"),
        .sensorLost("strap1", times: 1, .seconds(1), reason: "ended"), false
      ),
      (.otherPrograms(["a"]), .otherPrograms(["a", "b"]), true), (.moved(to: "sink 1"), .moved(to: "sink 2"), false),
      (.readingsDropped(sensor: "a", 1), .readingsDropped(sensor: "a", 2), true),
      (.readingsDropped(sensor: "a1", 1), .readingsDropped(sensor: "a2", 1), false),
      (
        .implausible(recorder: "hr", 1, of: 9, outside: 20...350, unit: "count/min"),
        .implausible(recorder: "hr", 3, of: 20, outside: 20...350, unit: "count/min"), true
      ),
    ] as [(VerdictReason, VerdictReason, Bool)])
  func topics(one: VerdictReason, other: VerdictReason, isSame: Bool) {
    #expect((one.topic == other.topic) == isSame)
  }
}
