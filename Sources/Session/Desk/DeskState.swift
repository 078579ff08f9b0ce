import Analysis
import Basics
import Bundles
import Quantities
import Sensors
import Study

/// What consoles show of a session: the fold of what happened, and the lines that say it.
///
/// A console that connects is sent everything; from then on it is sent what changed. Times are seconds since the desk was
/// opened.
struct DeskState: Sendable {
  /// What is added to lists since the last ``update(at:isRead:)``.
  private struct News: Sendable {
    var rates: [String: [(time: Double, value: Double)]] = [:]
    var waves: [WaveformPart] = []
    var marks: [JSONValue] = []
    var words: [JSONValue] = []
    var isPlanned = false
  }

  /// Frames of a waveform's first channel, as many as a console draws.
  struct WaveformPart: Sendable {
    let sensor: String
    let format: WaveformFormat
    /// The time of the first.
    let time: Double
    /// Every `step`th frame is here.
    let step: Int
    let values: [Float]

    /// The most frames in a second.
    static let maxRate = 250.0

    init(_ frames: WaveformFrames, of sensor: String, at time: Double) {
      (self.sensor, format, self.time) = (sensor, frames.format, time)
      let channels = frames.format.channels.count
      let step = max(1, Int((frames.format.rate / Self.maxRate).rounded(.up)))
      self.step = step
      values = stride(from: 0, to: frames.values.count, by: step * channels).map { frames.values[$0] }
    }
  }

  /// The most marks and sentences that are kept for a console that connects.
  private static let maxKept = 300

  let zero: Moment
  private(set) var head: SessionHead?
  private(set) var session = LiveSession()
  private(set) var sensors: [DeskSensor] = []
  private(set) var screen: Screen?
  private(set) var questions: [(number: Int, question: StationQuestion)] = []
  private(set) var wait: String?
  /// What is ready before the session starts; empty afterwards.
  private(set) var checks: [StartCheck] = []
  private(set) var offers: [String] = []
  private(set) var remaining: (left: Duration, at: Moment)?
  private(set) var isOver = false
  /// The trials that are over and have a bundle, by their numbers.
  private(set) var done: [Int: DoneTrial] = [:]
  private var zeros: [TrialIdentifier: Moment] = [:]
  /// How many records of each open part were seen.
  private var counts: [TrialIdentifier: Int] = [:]
  private var marks: [JSONValue] = []
  private var words: [JSONValue] = []
  private var news = News()
  private var hasChanged = false

  /// A trial that is over.
  struct DoneTrial: Sendable {
    let verdict: Verdict?
    let complaint: String?
    let identifier: TrialIdentifier
  }

  let labels: [String]

  init(zero: Moment, labels: [String] = []) { (self.zero, self.labels) = (zero, labels) }

  /// Seconds since the desk was opened, to a tenth of a millisecond.
  func seconds(_ moment: Moment) -> Double { Self.seconds(moment, since: zero) }

  private static func seconds(_ moment: Moment, since zero: Moment) -> Double {
    (zero.duration(to: moment).seconds * 10_000).rounded() / 10_000
  }

  mutating func take(_ fact: DeskFact) {
    hasChanged = true
    switch fact {
    case .planned(let head): (self.head, news.isPlanned) = (head, true)
    case .opened(let part, let steps):
      var trial = LiveTrial(journal: "")
      trial.steps = steps
      session.open(part, trial)
    case .recorded(let record, let part): take(record, of: part)
    case .concluded(let part, let record, let complaint):
      if let number = session[part]?.progress.opening?.place?.trial {
        done[number] = record.map { DoneTrial(verdict: $0.verdict, complaint: complaint, identifier: part) }
      }
      session.end(part, record, complaint: complaint)
      (zeros[part], counts[part]) = (nil, nil)
      screen = nil
    case .heard(let name, let event): hear(event, from: name)
    case .showed(let screen): self.screen = screen
    case .remains(let left, let moment): remaining = (left, moment)
    case .offers(let names): offers = names
    case .asked(let number, let question): questions.append((number, question))
    case .settled(let number): questions.removeAll { $0.number == number }
    case .said(let text, let isProblem, let moment): say(["text": .string(text), "problem": .bool(isProblem)], moment)
    case .called(let call, let moment): say(["text": .string(call.rawValue), "call": true, "problem": true], moment)
    case .waits(let reason): wait = reason
    case .checked(let checks): self.checks = checks
    case .over: isOver = true
    }
  }

  private mutating func say(_ members: [String: JSONValue], _ moment: Moment) {
    let said = JSONValue.object(members.merging(["time_s": .number(seconds(moment))]) { $1 })
    words = Array((words + [said]).suffix(Self.maxKept))
    news.words = Array((news.words + [said]).suffix(Self.maxKept))
  }

  private mutating func take(_ record: JournalRecord, of part: TrialIdentifier) {
    // What sensors say is not among the records that are seen, and is not missing.
    let number = counts[part, default: 0]
    counts[part] = number + 1
    session.take(JournalRecord(sequence: number, time: record.time, event: record.event), of: part)
    if case .trialOpened(let opening) = record.event, let zero = opening.place?.zero {
      zeros[part] = Moment(nanoseconds: Int64(zero.nanoseconds))
    }
    guard let mark = DeskMark(record.event, in: session[part]), let zero = zeros[part] else { return }
    let marked = mark.json(at: seconds(zero.advanced(by: mark.time ?? record.time)))
    marks = Array((marks + [marked]).suffix(Self.maxKept))
    news.marks = Array((news.marks + [marked]).suffix(Self.maxKept))
  }

  private mutating func hear(_ event: SensorEvent, from name: String) {
    let index =
      sensors.firstIndex { $0.name == name }
      ?? {
        sensors.append(DeskSensor(name: name))
        return sensors.count - 1
      }()
    let rates = sensors[index].take(event) { [zero] in Self.seconds($0, since: zero) }
    if !rates.isEmpty { news.rates[name, default: []] += rates }
    if case .waveform(let frames) = event {
      news.waves.append(WaveformPart(frames, of: name, at: seconds(frames.happened)))
      if news.waves.count > Self.maxKept { news.waves.removeFirst(Self.maxKept / 2) }
    }
  }

  // MARK: Lines

  /// Everything, for a console that connects.
  func everything(at now: Moment) -> [JSONValue] {
    var lines: [JSONValue] = []
    if let head { lines.append(head.json(at: seconds(now), labels)) }
    for sensor in sensors where !sensor.rates.isEmpty { lines.append(Self.rates(of: sensor.name, sensor.rates)) }
    lines.append(["kind": "marks", "marks": .array(marks)])
    lines.append(["kind": "said", "said": .array(words)])
    lines.append(state(at: now))
    return lines
  }

  /// What changed since the last time, and the waveforms that came; for no console, which need not be told, it is only
  /// forgotten.
  mutating func update(at now: Moment, isRead: Bool = true) -> (lines: [JSONValue], waves: [WaveformPart]) {
    guard hasChanged else { return ([], []) }
    let news = news
    (self.news, hasChanged) = (News(), false)
    guard isRead else { return ([], []) }
    var lines: [JSONValue] = []
    if news.isPlanned, let head { lines.append(head.json(at: seconds(now), labels)) }
    for (name, rates) in news.rates.sorted(by: { $0.key < $1.key }) { lines.append(Self.rates(of: name, rates)) }
    if !news.marks.isEmpty { lines.append(["kind": "marks", "marks": .array(news.marks)]) }
    if !news.words.isEmpty { lines.append(["kind": "said", "said": .array(news.words)]) }
    return (lines + [state(at: now)], news.waves)
  }

  private static func rates(of sensor: String, _ rates: [(time: Double, value: Double)]) -> JSONValue {
    [
      "kind": "rates", "sensor": .string(sensor), "t_s": .array(rates.map { .number($0.time) }),
      "rate": .array(rates.map { .number(($0.value * 10).rounded() / 10) }),
    ]
  }
}

/// A sensor, as a console shows it.
struct DeskSensor: Sendable {
  let name: String
  /// The heart rates so far, at seconds; of very many, every second of the older ones is left out.
  private(set) var rates: [(time: Double, value: Double)] = []
  private(set) var last: (time: Double, rate: Double)?
  private(set) var contact: Bool?
  private(set) var problem: SignalProblem?
  private(set) var isConnected = false
  /// Why it is not connected, or what is odd about it.
  private(set) var note: String?
  /// The newest samples of other quantities.
  private(set) var samples: [(time: Double, sample: ChannelSample)] = []
  /// The waveforms that it sends.
  private(set) var waveforms: [WaveformFormat] = []

  /// The most heart rates that are kept: three hours of beats.
  private static let maxRates = 20_000

  init(name: String) { self.name = name }

  /// Takes what it said; the heart rates in it.
  mutating func take(_ event: SensorEvent, seconds: (Moment) -> Double) -> [(time: Double, value: Double)] {
    switch event {
    case .connected: (isConnected, note) = (true, nil)
    case .readings(let batch):
      isConnected = true
      let found = batch.flatMap { take($0, seconds) }
      rates += found
      if rates.count > Self.maxRates {
        let older = rates.prefix(Self.maxRates / 2).enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        rates = older + rates.dropFirst(Self.maxRates / 2)
      }
      return found
    case .waveform(let frames):
      isConnected = true
      if !waveforms.contains(frames.format) { waveforms.append(frames.format) }
    case .noted(let text): note = text
    case .unreadable(let line, let reason): note = "line \(line) could not be read: \(reason)"
    case .lost(let reason), .ended(let reason): (isConnected, note) = (false, reason)
    case .skipped, .overflowed, .clockMeasured: break
    }
    return []
  }

  private mutating func take(
    _ reading: HeartReading, _ seconds: (Moment) -> Double
  ) -> [(time: Double, value: Double)] {
    for sample in reading.samples {
      samples.removeAll { $0.sample.type == sample.type }
      samples.append((seconds(sample.happened), sample))
    }
    guard reading.isOfHeart else { return [] }
    (contact, problem) = (reading.contact, reading.problem)
    guard reading.contact != false else { return [] }
    var found: [(time: Double, value: Double)] = []
    if let rate = reading.heartRate, rate > 0 {
      found = [(seconds(reading.happened), rate)]
    } else {
      // The last interval ends at the reading, every other one where the next begins.
      var beat = reading.happened
      for interval in reading.rrIntervals.reversed() where interval > 0 {
        found.insert((seconds(beat), 60_000 / interval), at: 0)
        beat = beat.advanced(by: .zero - Duration(milliseconds: interval))
      }
    }
    if let newest = found.last { last = (newest.time, newest.value) }
    return found
  }
}
