import Basics
import Bundles
import Quantities

/// `benchmark index FOLDER`: what the operator's console does with the trials of a results folder, and how long each takes.
struct ListingTrials {
  let path: String

  func run() async throws {
    let clock = SuspendingClock()
    var start = clock.now
    var figures: [String] = []
    func note(_ name: String) {
      figures.append("\(name)_ms=\(((clock.now - start) / .milliseconds(1)).fixed(1))")
      start = clock.now
    }
    var index = try await BundleIndex(ResultsFolder(path))
    let first = index.page(from: 0, count: 50)
    note("first")
    index = try await index.refreshed()
    note("refresh")
    let filtered = index.page(from: 0, count: 50) { $0.heading.participant == first.trials.last?.heading.participant }
    note("filter")
    print("trials=\(first.total) filtered=\(filtered.total) \(figures.joined(separator: " "))")
  }
}
