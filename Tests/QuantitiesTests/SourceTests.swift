import Quantities
import Testing

@Suite("Sources of samples")
struct SourceTests {
  @Test(
    "are simulated by the address of a simulated sensor, or by the mark before another name",
    arguments: [
      ("simulated", true), ("simulated:seed=7", true), ("simulated data", true), ("simulated data: strap", true),
      ("simulated data: simulated:seed=7,rate=64", true), ("simulated data: replay:results/heart.json", true),
      ("simulated annealing laboratory", false), ("simulated database", false), ("simulator", false), ("strap", false),
      ("replay:simulated.csv", false), ("unsimulated:seed=7", false), ("", false),
    ])
  func simulated(name: String, isSimulated: Bool) {
    #expect(name.namesSimulation == isSimulated)
    for prefix in ["station.", "open-mhealth:", "table:"] {
      #expect(Source(name: name, bundleIdentifier: prefix + name).isSimulated == isSimulated)
    }
  }
}
