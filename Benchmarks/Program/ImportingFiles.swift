import Quantities
import Recordings

/// Reads another program's file to its end, and says how much came of it.
struct ImportingFiles {
  let path: String

  func run() throws {
    var file = try SampleFile(path)
    var sum = 0.0
    while let batch = try file.next() {
      // What a store would keep: every value and every identifier is looked at.
      for sample in batch.samples { sum += sample.value + Double(sample.uuid.low & 1) }
    }
    let report = file.report
    print("samples=\(report.samples) series=\(report.series) refused=\(report.refused) sum=\(sum)")
  }
}
