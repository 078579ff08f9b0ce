import Basics
import Quantities
import Testing

@testable import SampleStore

@Suite("Samples of simulated sensors in a person's energy")
struct SimulatedSamplesTests {
  private static let sources = [
    Source(name: "simulated:seed=3", bundleIdentifier: "station.simulated:seed=3"),
    Source(name: "simulated data: strap", bundleIdentifier: "open-mhealth:simulated data: strap"),
  ]

  @Test("They are left out and counted, and marked where they are included", arguments: sources)
  func energy(source: Source) async throws {
    let made = try await TestedEngine.memory.make()
    try await made.store.save([
      .make(.dietaryEnergyConsumed, 300), .make(.dietaryEnergyConsumed, 500, from: .second(60), by: source),
      .make(.activeEnergyBurned, 200, by: source), .make(.height, 1.7),
      .make(.height, 1.9, from: .second(60), by: source),
      .make(.bodyMass, 60, by: Source(name: "simulated annealing laboratory", bundleIdentifier: "scale")),
    ])
    for includesSimulated in [false, true] {
      let records = try await made.store.energyRecords(
        of: nil, from: .noon, to: .second(3600), knownBy: .second(3600), includesSimulated: includesSimulated)
      #expect(records.simulated == SimulatedSamples(3, areIncluded: includesSimulated))
      let eaten = try records.consumed?.value(in: QuantityType.dietaryEnergyConsumed.defaultUnit)
      #expect(eaten == (includesSimulated ? 800 : 300) && (records.active != nil) == includesSimulated)
      #expect(records.height?.told == (includesSimulated ? 1.9 : 1.7) && records.bodyMass?.told == 60)
      let profile = try await made.store.profile(of: nil, includesSimulated: includesSimulated)
      #expect(profile.simulated == SimulatedSamples(1, areIncluded: includesSimulated))
      #expect(try profile.json(.utc)["simulatedSamples"]?.integer == (includesSimulated ? 1 : 0))
      #expect(try profile.lines(.utc).contains { $0.hasPrefix("simulated data") } == includesSimulated)
    }
  }
}
