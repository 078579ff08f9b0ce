import Analysis
import Basics
import Bundles
import Quantities
import Recordings

/// A sample as documents for other programs have it: each value once, with its calendar time.
struct ExportedSample: Hashable, Sendable {
  /// An identifier that is the same in every export.
  let uuid: UUID
  let type: QuantityType
  let unit: Unit
  let value: Double
  let time: WallTime
  /// The sensor's name or its pseudonym; the mark of simulated data comes before the name.
  let source: String
}

extension ExportedTrial {
  /// The heart rates as sensors sent them, with skin contact, in the order of sensors and times.
  var heartRates: [ExportedSample] {
    hearts.flatMap { heart in
      samples(of: .heartRate, .countPerMinute, from: heart.sensor, heart.rates.times, heart.rates.values)
    }
  }

  /// The heart rates, and the samples of other channels.
  var samples: [ExportedSample] {
    heartRates
      + channels.flatMap { channel in
        let series = channel.series
        return samples(of: series.type, series.unit, from: series.sensor, series.times, series.values)
      }
  }

  private func samples(
    of type: QuantityType, _ unit: Unit, from sensor: String?, _ times: [Double], _ values: [Double]
  ) -> [ExportedSample] {
    let source = self.sensor(sensor) ?? "unnamed"
    let isMarked = source.hasPrefix("\(TrialSimulation.mark):")
    let marked = record.simulation.isSimulated && !isMarked ? "\(TrialSimulation.mark): \(source)" : source
    return zip(times, values).enumerated().map { index, sample in
      let name = ["station-export/1", identifier, source, type.identifier, "\(index)"].joined(separator: "\u{0}")
      let words = SHA256.digest(of: Array(name.utf8)).words
      return ExportedSample(
        uuid: UUID(derivedFrom: words.high, words.low), type: type, unit: unit, value: sample.1,
        time: start.advanced(by: Duration(seconds: sample.0)), source: marked)
    }
  }
}
