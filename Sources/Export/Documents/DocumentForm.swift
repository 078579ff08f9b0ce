import Analysis
import Basics
import Bundles
import Quantities
import Recordings

/// A form of documents for other programs, with one or a few files per trial.
///
/// A new form is a value beside the code that writes it, and its name in ``all``.
package struct DocumentForm: Sendable, CustomStringConvertible {
  /// The forms, in the order of the help.
  package static let all: [DocumentForm] = [.edf, .fhir, .kubios, .omh, .researchkit]

  /// Its name, as commands have it.
  package let name: String
  /// What it is, for people.
  package let title: String
  /// The files of a trial; throws for a recording that cannot be read.
  let files: @Sendable (ExportedTrial) throws -> DocumentFiles

  init(
    _ name: String, _ title: String, _ files: @escaping @Sendable (ExportedTrial) throws -> DocumentFiles
  ) {
    (self.name, self.title, self.files) = (name, title, files)
  }

  package var description: String { name }
}

/// The files of a trial in some form.
struct DocumentFiles {
  /// What their names have after the trial's identifier, and their contents.
  private(set) var files: [(suffix: String, bytes: [UInt8])] = []
  /// What is in none of them; sentences.
  var problems: [String] = []

  init(_ files: [(suffix: String, bytes: [UInt8])] = []) { self.files = files }

  mutating func add(_ suffix: String, _ bytes: [UInt8]) { files.append((suffix, bytes)) }
}

extension DocumentForm {
  /// Intervals between beats as Kubios and other programs for heart-rate variability read them.
  static let kubios = DocumentForm(
    "kubios", "intervals between beats as text for Kubios and other programs, a file per stretch without gaps",
    KubiosText.files)

  /// The JSON file of a recorder of ResearchKit.
  static let researchkit = DocumentForm(
    "researchkit", "samples as ResearchKit's recorders write them, a JSON file per trial", ResearchKitFile.files)

  /// Data points of Open mHealth's schema heart-rate 2.0.
  static let omh = DocumentForm(
    "omh", "heart rates as Open mHealth data points (heart-rate 2.0), one per line", OpenMHealthPoints.files)
}

/// The text of intervals that Kubios reads: one interval per line, in milliseconds.
enum KubiosText {
  /// A file for each stretch without gaps, since the form has none: `….txt` for one, `…-1.txt`, `…-2.txt` for several;
  /// `…-simulated.txt` of a simulated trial.
  static func files(of trial: ExportedTrial) -> DocumentFiles {
    var labels = DistinctLabels()
    // The form has no place for a mark but the name.
    let mark = trial.record.simulation.isSimulated ? "-simulated" : ""
    var files = DocumentFiles()
    for heart in trial.hearts {
      guard let beats = heart.beats, beats.count > 0 else { continue }
      let sensor = trial.hearts.count > 1 ? "-\(labels.label(trial.sensor(heart.sensor) ?? "unnamed"))" : ""
      let stretches = beats.stretches
      for (number, stretch) in stretches.enumerated() {
        var bytes: [UInt8] = []
        for interval in beats.intervals[stretch] {
          bytes.append(interval, decimals: 4)
          bytes.append(UInt8(ascii: "\n"))
        }
        files.add("\(mark)\(sensor)\(stretches.count > 1 ? "-\(number + 1)" : "").txt", bytes)
      }
    }
    return files
  }
}

/// The file that a recorder of ResearchKit writes.
enum ResearchKitFile {
  /// One file for all recorders; dates have whole seconds and an offset without a colon, as ResearchKit writes them.
  static func files(of trial: ExportedTrial) -> DocumentFiles {
    let items = trial.samples.map { sample -> String in
      // `2026-11-20T12:08:31+01:00` without fraction and colon.
      let local = trial.localTime(sample.time)
      let offset = local.map { String($0.suffix(6).filter { $0 != ":" }) } ?? "+0000"
      let date = JSONValue.string((local ?? sample.time.description).prefix(19) + offset)
      let item: JSONValue = [
        "type": .string(sample.type.healthKitIdentifier), "startDate": date, "endDate": date,
        "unit": .string(sample.unit.symbol), "value": .number(sample.value), "source": .string(sample.source),
      ]
      return item.text()
    }
    return DocumentFiles([(".json", Array("{\"items\":[\(items.joined(separator: ",\n"))]}\n".utf8))])
  }
}

/// Data points of Open mHealth.
enum OpenMHealthPoints {
  /// One data point per line, each with its header.
  static func files(of trial: ExportedTrial) -> DocumentFiles {
    var bytes: [UInt8] = []
    for sample in trial.heartRates {
      let time = JSONValue.string(trial.localTime(sample.time) ?? sample.time.precise)
      let point: JSONValue = [
        "header": [
          "id": .string(sample.uuid.description.lowercased()), "creation_date_time": time,
          "schema_id": ["namespace": "omh", "name": "heart-rate", "version": "2.0"],
          "acquisition_provenance": [
            "source_name": .string(sample.source), "source_creation_date_time": time, "modality": "sensed",
          ],
          "user_id": .string(trial.participant),
        ],
        "body": [
          "heart_rate": ["value": .number(sample.value), "unit": "beats/min"],
          "effective_time_frame": ["date_time": time],
        ],
      ]
      bytes += point.text().utf8
      bytes.append(UInt8(ascii: "\n"))
    }
    return DocumentFiles([(".jsonl", bytes)])
  }
}

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
