import HealthStore
import Quantities
import Testing

/// Expects that an observer of one connection is told within 100 ms of what another one saves.
func expectPromptUpdates(from writer: SampleStore, to reader: SampleStore) async throws {
  var updates = try await reader.updates(of: [.quantity(.heartRate)]).makeAsyncIterator()
  var waits: [Duration] = []
  for second in 0..<20 {
    try await writer.save([.make(60, from: .second(Double(second)))])
    let saved = ContinuousClock.now
    #expect(try await updates.next() == [.quantity(.heartRate)])
    waits.append(saved.duration(to: .now))
  }
  // The best of twenty, since this machine may be busy with other things.
  let least = try #require(waits.min())
  #expect(least < .milliseconds(100), "\(waits)")
}
