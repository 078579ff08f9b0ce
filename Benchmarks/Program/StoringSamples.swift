import Basics
import Quantities
import SampleStore

/// `benchmark store …`: fills a store in batches, and asks it for statistics.
struct StoringSamples {
  private enum Work {
    case ingest(file: String, count: Int, batch: Int)
    case station(url: String, count: Int, batch: Int, site: String)
    case days(file: String)
    case day(file: String)
  }

  private let work: Work

  /// A heart rate every 31.5 s makes ten years of ten million.
  private static let step: Int64 = 31_500_000
  private static let start = WallTime(milliseconds: 1_451_606_400_000)

  init(_ words: ArraySlice<String>) throws {
    let words = Array(words)
    switch (words.first, words.count) {
    case ("ingest", 4):
      guard let count = Int(words[2]), let batch = Int(words[3]), batch > 0 else { throw WrongUsage() }
      work = .ingest(file: words[1], count: count, batch: batch)
    case ("ingest", 5) where SampleStore.isServer(words[1]):
      guard let count = Int(words[2]), let batch = Int(words[3]), batch > 0 else { throw WrongUsage() }
      work = .station(url: words[1], count: count, batch: batch, site: words[4])
    case ("days", 2): work = .days(file: words[1])
    case ("day", 2): work = .day(file: words[1])
    default: throw WrongUsage()
    }
  }

  func run() async throws {
    let clock = MonotonicClock()
    let start = clock.now
    let figures: String
    switch work {
    case .ingest(let file, let count, let batch): figures = try await ingest(SampleStore.sqlite(file), count, batch)
    case .station(let url, let count, let batch, let site):
      figures = try await ingest(SampleStore.postgres(url, site: site), count, batch)
    case .days(let file): figures = try await days(SampleStore.sqlite(file), .all)
    case .day(let file):
      let day = Self.start.advanced(by: .seconds(86_400 * 1800))
      let range = SamplePredicate(start: day, end: day.advanced(by: .seconds(86_400)), options: .strictStartDate)
      figures = try await days(SampleStore.sqlite(file), range)
    }
    print("\(figures) seconds=\(start.duration(to: clock.now).seconds)")
  }

  private func ingest(_ store: SampleStore, _ count: Int, _ batch: Int) async throws -> String {
    let revisions = ["Strap", "Watch", "Phone"].map {
      SourceRevision(source: Source(name: $0, bundleIdentifier: "org.example.\($0)"), version: "1.0")
    }
    for first in stride(from: 0, to: count, by: batch) {
      var samples: [QuantitySample] = []
      samples.reserveCapacity(batch)
      for number in first..<min(first + batch, count) {
        let time = WallTime(microseconds: Self.start.microseconds + Int64(number) * Self.step)
        let quantity = try Quantity(Double(60 + number % 90), .countPerMinute)
        samples.append(
          try QuantitySample(
            uuid: UUID(), type: .heartRate, quantity: quantity, start: time,
            sourceRevision: revisions[number / 1000 % 3]))
      }
      try await store.save(samples)
    }
    // What is in the log when it ends belongs to the work.
    try await store.close()
    return "samples=\(count)"
  }

  private func days(_ store: SampleStore, _ predicate: SamplePredicate) async throws -> String {
    let collection = try await store.statisticsCollection(
      of: .heartRate, matching: predicate,
      options: [.discreteMin, .discreteMax, .discreteAverage, .mostRecent, .separateBySource], anchor: Self.start,
      every: .day, in: TimeZone("Europe/Amsterdam"))
    return
      "intervals=\(collection.statistics.count) samples=\(collection.statistics.reduce(0) { $0 + $1.overall.count })"
  }
}
