import Basics
import Foundation
import TestSupport
import Testing

extension Bench {
  /// Waits until the journal of the trial that runs holds so many heart rates.
  func awaitReadings(_ count: Int) async throws {
    let folder = scratch["results/open"]
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // Watched before it is looked into, so that no trial appears unseen in between.
    let arrivals = FileWatch(folder: folder)
    while names(in: "results/open").isEmpty {
      _ = await arrivals.wait()
      try Task.checkCancellation()
    }
    let trial = try #require(names(in: "results/open").first)
    let path = "\(folder)/\(trial)/journal.jsonl"
    let watch = FileWatch(path)
    while Self.rates(FileManager.default.contents(atPath: path) ?? Data()).count < count {
      _ = await watch.wait()
      try Task.checkCancellation()
    }
  }

  /// The heart rates in a journal.
  static func rates(_ journal: Data) -> [Double] {
    journal.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let record = try? JSONReader.read(Array(line)).value, record["kind"]?.string == "hr" else { return nil }
      return record["hr"]?.number
    }
  }
}
