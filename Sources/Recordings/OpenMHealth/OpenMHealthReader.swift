import Basics
import Quantities

/// Reads Open mHealth data points: one document, one a line, or an array of them.
final class OpenMHealthReader: RecordReader {
  var batch = ImportBatch()
  private(set) var report = ImportReport()
  private var pieces = JSONPieces()
  private let participant: String?

  init(_ options: ImportOptions) { participant = options.participant }

  func read(_ piece: [UInt8], isLast: Bool) throws(Fault) {
    let (documents, fault) = pieces.take(piece, isLast: isLast)
    for document in documents { read(document) }
    if let fault { throw Fault(line: fault.line, column: 1, reason: fault.reason) }
  }

  private func read(_ piece: JSONPieces.Piece) {
    do throws(JSONProblems) {
      let document = OpenMHealthDocument(try JSONReader.read(piece.text).value)
      guard let measure = document.measure else { return report.leaveOut(document.name) }
      if let statistic = document.statistic(otherThanReadingsOf: measure) {
        return report.leaveOut("\(document.name) (\(statistic))")
      }
      do throws(Refusal) {
        let sample = try document.sample(measure, participant: participant)
        batch.samples.append(sample)
        report.take(sample)
        let unread = document.unread(measure)
        if !unread.isEmpty { report.note(line: piece.line, "the body's \(Self.list(unread)) not read") }
      } catch {
        report.refuse(line: piece.line, error.reason)
      }
    } catch {
      // Where several things are wrong the first is told; each has its own line within the document.
      guard let problem = error.problems.first else { return }
      let place = TextPlace(offset: problem.offset, in: piece.text)
      report.refuse(line: piece.line + place.line - 1, problem.reason)
    }
  }

  // The maximum number of names that are listed.
  private static let maxNames = 12

  /// `“foo” is`, `“foo”, “bar” are`.
  private static func list(_ names: [String]) -> String {
    let more = names.count > maxNames ? " and \(names.count - maxNames) more" : ""
    return names.prefix(maxNames).map { "“\($0.prefix(40).visible)”" }.joined(separator: ", ") + more
      + (names.count == 1 ? " is" : " are")
  }
}

/// A schema of Open mHealth, and the quantity it is here.
struct OpenMHealthMeasure {
  /// The schema's name: `heart-rate`.
  let schema: String
  let type: QuantityType
  /// Its units by the schema's names for them, each with how many of the unit one is.
  let units: [String: (unit: Unit, factor: Double)]
  /// The unit of a value that is a bare number, as in the older schema of steps.
  let bareUnit: String?

  /// The member of the body with the value: `heart_rate`.
  var member: String { String(schema.map { $0 == "-" ? "_" : $0 }) }

  private init(
    _ schema: String, _ type: QuantityType, _ units: [String: (unit: Unit, factor: Double)], bareUnit: String? = nil
  ) {
    self.schema = schema
    self.type = type
    self.units = units
    self.bareUnit = bareUnit
  }

  private static func units(_ texts: [String: String]) -> [String: (unit: Unit, factor: Double)] {
    texts.mapValues { text in
      do throws(QuantityError) { return (try Unit(text), 1) } catch { preconditionFailure("\(error)") }
    }
  }

  private static let masses = units([
    "kg": "kg", "g": "g", "mg": "mg", "fg": "fg", "pg": "pg", "ng": "ng", "ug": "mcg", "lb": "lb", "oz": "oz",
  ]).merging(["Metric Ton": (.kilogram, 1000)]) { first, _ in first }
  private static let lengths = units([
    "m": "m", "cm": "cm", "mm": "mm", "km": "km", "in": "in", "ft": "ft", "yd": "yd", "mi": "mi", "um": "mcm",
    "nm": "nm",
  ])
  private static let durations = units([
    "ns": "ns", "us": "mcs", "ms": "ms", "sec": "s", "min": "min", "h": "hr", "d": "d",
  ])

  /// The measures by their schemas' names.
  static let all: [String: OpenMHealthMeasure] = {
    let percent: [String: (unit: Unit, factor: Double)] = ["%": (.percent, 0.01)]
    let measures = [
      OpenMHealthMeasure("heart-rate", .heartRate, ["beats/min": (.countPerMinute, 1)]),
      OpenMHealthMeasure("rr-interval", .rrInterval, durations),
      OpenMHealthMeasure("step-count", .stepCount, ["steps": (.count, 1)], bareUnit: "steps"),
      OpenMHealthMeasure("body-weight", .bodyMass, masses),
      OpenMHealthMeasure("body-height", .height, lengths),
      OpenMHealthMeasure("body-mass-index", .bodyMassIndex, ["kg/m2": (.count, 1)]),
      OpenMHealthMeasure("oxygen-saturation", .oxygenSaturation, percent),
      OpenMHealthMeasure("respiratory-rate", .respiratoryRate, ["breaths/min": (.countPerMinute, 1)]),
    ]
    return Dictionary(uniqueKeysWithValues: measures.map { ($0.schema, $0) })
  }()

  /// A duration in a unit of the schemas.
  static func duration(_ value: Double, _ unit: String) -> Duration? {
    guard let known = durations[unit] else { return nil }
    return Duration(seconds: known.unit.convert(value, to: .second))
  }
}
