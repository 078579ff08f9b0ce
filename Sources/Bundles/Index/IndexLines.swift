import Basics
import Quantities
import Study

/// The lines of an index: its format, and a trial on each other one, with the hash of what comes before it in the line.
enum IndexLines {
  static let format: StaticString = "{\"format\":\"station.index/1\"}\n"

  /// The lines of trials that are in the order of their names; only those with a stamp can be believed later.
  static func bytes(of trials: some Sequence<IndexedTrial>) -> [UInt8] {
    var writer = IndexWriter()
    writer.text.append("\(format)")
    for trial in trials { writer.append(trial) }
    return writer.text.bytes
  }

  /// The trials of an index.
  ///
  /// - Parameter piece: gives the lines piece by piece; an empty one at their end.
  /// - Returns: the trials whose lines are as they were written, in the order of their names, and whether all lines are.
  static func trials(
    in piece: () throws -> [UInt8]
  ) rethrows -> (trials: [IndexedTrial], isWhole: Bool) {
    var reader = IndexReader()
    var trials: [IndexedTrial] = []
    var isWhole = true
    var isFirst = true
    while reader.add(try piece()) {
      guard !reader.isAtEnd else { continue }
      if isFirst, !reader.take(format) { return ([], false) }
      isFirst = false
      while !reader.isAtEnd {
        if let trial = reader.trial(), trials.last.map({ $0.name.precedes(trial.name) }) ?? true {
          trials.append(trial)
        } else {
          isWhole = false
          reader.skipLine()
        }
      }
    }
    return (trials, isWhole && !isFirst && !reader.hasRest)
  }

  /// The hash of the line that begins at an index, as far as it goes: a number that every reader of JSON has exactly.
  fileprivate static func hash(_ bytes: [UInt8], from start: Int, to end: Int) -> Int64 {
    Int64(fnv1a64(bytes.span.extracting(start..<end)) >> 11)
  }
}

private struct IndexWriter {
  var text = JSONText(reserving: 1 << 16)
  private var lists: [[String]: [UInt8]] = [:]
  private var answers: [[TrialHeading.Answer]: [UInt8]] = [:]
  private var designs: [TrialPlacement: [UInt8]] = [:]

  mutating func append(_ trial: IndexedTrial) {
    guard let stamp = trial.stamp else { return }
    let heading = trial.heading
    let start = text.bytes.count
    text.append("{\"answers\":")
    text.append(Self.json(heading.answers, &answers))
    text.append(",\"caveats\":")
    text.append(Self.json(trial.caveats, &lists))
    append(",\"clip\":", heading.clipName)
    text.append(",\"design\":")
    if let design = heading.design { text.append(Self.json(design, &designs)) } else { text.append("null") }
    append(",\"group\":", heading.group)
    append(",\"name\":", trial.name)
    text.append(",\"number\":")
    if let number = heading.number { text.append(Int64(number)) } else { text.append("null") }
    append(",\"outcome\":", heading.outcome.rawValue)
    append(",\"participant\":", heading.participant)
    append(",\"run\":", heading.run)
    text.append(",\"samples\":")
    text.append(Int64(trial.samples))
    append(",\"session\":", heading.session)
    text.append(heading.simulation.isSimulated ? ",\"simulated\":true" : ",\"simulated\":false")
    if case .sensors(let sensors) = heading.simulation {
      text.append(",\"simulatedSensors\":")
      text.append(Self.json(sensors, &lists))
    }
    text.append(",\"stamp\":\"\(stamp.size) \(stamp.nanoseconds) \(Int64(bitPattern: UInt64(stamp.inode)))\"")
    text.append(",\"startMicroseconds\":")
    text.append(heading.startDate.microseconds)
    append(",\"study\":", heading.study)
    append(",\"timeZone\":", trial.timeZone)
    append(",\"trial\":", heading.trial == trial.name ? nil : heading.trial)
    append(",\"verdict\":", heading.verdict.rawValue)
    let hash = IndexLines.hash(text.bytes, from: start, to: text.bytes.count)
    text.append(",\"hash\":")
    text.append(hash)
    text.append("}\n")
  }

  private mutating func append(_ key: String, _ value: String?) {
    text.append(key)
    if let value { text.append(quoted: value) } else { text.append("null") }
  }

  /// The text of a value that many trials have, which is made once.
  private static func json<Value: Encodable & Hashable>(_ value: Value, _ known: inout [Value: [UInt8]]) -> [UInt8] {
    if let text = known[value] { return text }
    let text = ((try? JSONValue(encoding: value)) ?? .null).encoded()
    known[value] = text
    return text
  }
}

private struct IndexReader: LineCursor {
  // Whole lines, and the beginning of one behind them.
  private(set) var bytes: [UInt8] = []
  var position = 0
  private var end = 0
  // Values that many trials have are decoded, and kept, once.
  private var texts: [ArraySlice<UInt8>: String?] = [:]
  private var lists: [ArraySlice<UInt8>: [String]] = [:]
  private var answers: [ArraySlice<UInt8>: [TrialHeading.Answer]] = [:]
  private var designs: [ArraySlice<UInt8>: TrialPlacement?] = [:]

  /// Whether the lines that are whole were read.
  var isAtEnd: Bool { position >= end }

  /// Whether there is the beginning of a line that does not go on.
  var hasRest: Bool { end < bytes.count }

  private static let maxLine = 1 << 20

  /// Adds bytes behind those of which the whole lines were read; `false` if there are none, or a line has no end.
  mutating func add(_ piece: [UInt8]) -> Bool {
    guard !piece.isEmpty, bytes.count - end <= Self.maxLine else { return false }
    bytes = hasRest ? bytes[end...] + piece : piece
    position = 0
    end = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return true
  }

  /// The trial of the line that begins here; `nil` for a line that was not written like this.
  mutating func trial() -> IndexedTrial? {
    let start = position
    guard take("{\"answers\":"), let answers = Self.decoded(value(), &answers), take(",\"caveats\":"),
      let caveats = Self.decoded(value(), &lists), take(",\"clip\":"), let clip = text(), take(",\"design\":"),
      let design = Self.decoded(value(), &designs), take(",\"group\":"), let group = text(), take(",\"name\":"),
      let name = name(), take(",\"number\":")
    else { return nil }
    let number = take("null") ? nil : integer()
    guard take(",\"outcome\":"), let outcome = (text() ?? nil).flatMap(Outcome.init(rawValue:)),
      take(",\"participant\":"), let participant = text() ?? nil, take(",\"run\":"), let run = text(),
      take(",\"samples\":"), let samples = integer(), Plausible.counts.contains(Int(samples)),
      take(",\"session\":"), let session = text() ?? nil, take(",\"simulated\":")
    else { return nil }
    let isSimulated = take("true")
    guard isSimulated || take("false") else { return nil }
    var sensors: [String]?
    if take(",\"simulatedSensors\":") {
      sensors = Self.decoded(value(), &lists)
      if sensors == nil { return nil }
    }
    guard take(",\"stamp\":\""), let size = integer(), take(" "), let changed = integer(), take(" "),
      let inode = integer(), take("\",\"startMicroseconds\":"), let date = integer(), take(",\"study\":"),
      let study = text() ?? nil, take(",\"timeZone\":"), let timeZone = text(), take(",\"trial\":"),
      // One text in memory, not two.
      let trial = take("null") ? name : self.name(), take(",\"verdict\":"),
      let verdict = (text() ?? nil).flatMap(Verdict.init(rawValue:)),
      case let hash = IndexLines.hash(bytes, from: start, to: position), take(",\"hash\":"), integer() == hash,
      take("}\n")
    else { return nil }
    return IndexedTrial(
      name: name,
      heading: TrialHeading(
        trial: trial, participant: participant, session: session, startDate: WallTime(microseconds: date),
        study: study, clip: clip, verdict: verdict, outcome: outcome, run: run, number: number.map { Int($0) },
        design: design, group: group, answers: answers, simulation: TrialSimulation(isSimulated, sensors)),
      timeZone: timeZone, samples: Int(samples), caveats: caveats,
      stamp: FileStamp(size: Int(size), nanoseconds: changed, inode: UInt(UInt64(bitPattern: inode))))
  }

  /// Moves to the next line.
  mutating func skipLine() {
    while position < end, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    position = min(position + 1, end)
  }

  /// The text of the value that begins here, as its brackets and quotes end it.
  private mutating func value() -> ArraySlice<UInt8> {
    let start = position
    var depth = 0
    var isInString = false
    scan: while position < end, bytes[position] != UInt8(ascii: "\n") {
      switch bytes[position] {
      case UInt8(ascii: "\\") where isInString: position += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case _ where isInString: break
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth < 0 { break scan }
      case UInt8(ascii: ","): if depth == 0 { break scan }
      default: break
      }
      position += 1
    }
    position = min(position, end)
    return bytes[start..<position]
  }

  /// A text that many trials have, or `null`.
  private mutating func text() -> String?? { Self.decoded(value(), &texts) }

  /// A text that one trial has.
  private mutating func name() -> String? {
    let start = position
    if let plain = string() { return plain }
    position = start
    return (try? JSONReader.read(Array(value())))?.value.string
  }

  private static func decoded<Value: Decodable>(
    _ text: ArraySlice<UInt8>, _ known: inout [ArraySlice<UInt8>: Value]
  ) -> Value? {
    if let value = known[text] { return value }
    let bytes = Array(text)
    guard let value = try? JSONReader.read(bytes).value.decoded(as: Value.self) else { return nil }
    known[bytes[...]] = value
    return value
  }
}
