import Quantities
import SampleStore
import Testing

/// Expects that an observer of one connection is told of each change that another one saves, before the next is made.
func expectUpdates(from writer: SampleStore, to reader: SampleStore) async throws {
  var updates = try await reader.updates(of: [.quantity(.heartRate)]).makeAsyncIterator()
  for second in 0..<20 {
    try await writer.save([.make(60, from: .second(Double(second)))])
    #expect(try await updates.next() == [.quantity(.heartRate)])
  }
}
