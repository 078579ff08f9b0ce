import Basics
import Quantities
import Study

/// One recorder's cut through its sensor's stream, and the figures that sum it up.
///
/// A sample belongs to it when its time lies in a segment, from the start to before the stop, and when it arrived at
/// most the settle window after that stop.
struct RecorderCut {
  /// The recorder, and the sensor behind it with what it said of its device.
  let recorder: TrialRecorder
  let segments: [TrialAccount.Segment]
  let end: Duration
  /// What has no sample for longer than this is a gap.
  let maxSilence: Duration
  /// The name of the file of blocks that it cuts, without folder and extension; `nil` for a recorder of samples.
  let waveformFile: String?
  /// What the blocks of that file are, as far as the journal says it.
  let head: WaveformHead?
  /// What of that file could not be read.
  var damage = Damage()
  /// What that file amounts to, where it is one of sound.
  var sound: RecordedSound?
  /// Converts the values of a waveform to the recorder's unit.
  private let scale: Double
  private let losses: [TrialAccount.Loss]

  private(set) var samples = 0
  private(set) var late = 0
  /// How many samples have a value that no person can have; they are kept.
  private(set) var implausible = 0
  private(set) var first: Duration?
  private(set) var last: Duration?
  private(set) var lastValue = 0.0
  private(set) var smallest = 0.0
  private(set) var largest = 0.0
  private var sum = 0.0
  /// How many values there are; each frame of a waveform has one for every channel.
  private(set) var count = 0
  /// When samples came that say something of the heart.
  private var stretches: SampleStretches
  /// When samples came whose times lie within each loss of the sensor, which has told them afterwards.
  private var filled: [SampleStretches]
  private var reported = ReportedGaps()
  /// The times at which the sensor said that the quality of its signal was low, once a second.
  private var lowQuality: [Duration] = []

  /// A longer time without a sample is a gap.
  static let maxSilence = Duration.seconds(10)
  /// A longer time without a frame of a waveform is a gap.
  static let maxWaveformSilence = Duration.seconds(1)

  /// What of a waveform's file could not be read: blocks whose frames are damaged, and bytes that are no block.
  struct Damage: Equatable {
    var blocks = 0
    var bytes = 0
  }

  /// A sample that belongs to the recording.
  struct Sample: Equatable {
    /// When it began and ended: one instant, or an interval between two beats.
    let start: Duration
    let end: Duration
    /// In the recorder's unit.
    let value: Double
    let isLate: Bool
  }

  init(_ recorder: TrialRecorder, in account: TrialAccount) {
    var recorder = recorder
    let sensor = recorder.sensor.name
    recorder.sensor.device = account.devices[sensor] ?? recorder.sensor.device
    waveformFile = account.opening.waveformFile(of: recorder)
    head = account.waveforms.first { [waveformFile] in $0.file == waveformFile }
    recorder.nominalRate = recorder.nominalRate ?? head?.rate
    let unit = head.flatMap { try? Unit($0.unit) } ?? recorder.configuration.unit
    scale = unit.isCompatible(with: recorder.configuration.unit) ? unit.convert(1, to: recorder.configuration.unit) : 1
    self.recorder = recorder
    segments = account.segments[recorder.identifier] ?? []
    end = account.end
    losses = account.losses[sensor] ?? []
    var hold = account.opening.thresholds.sampleHold
    var silence = Self.maxSilence
    if waveformFile != nil {
      hold = max(.milliseconds(100), recorder.nominalRate.map { Duration(seconds: 2 / $0) } ?? .zero)
      silence = max(Self.maxWaveformSilence, hold)
    } else if !recorder.configuration.isOfHeartbeats {
      // Two samples that follow each other are no further apart than the channel's rate says; without one, than a silence.
      let pace = recorder.nominalRate.map { Duration(seconds: 1 / $0) }
      hold = pace.map { max(hold, $0 * 2) } ?? silence
      silence = max(silence, (pace ?? .zero) * 3)
    }
    maxSilence = silence
    stretches = SampleStretches(reach: hold)
    filled = losses.map { _ in SampleStretches(reach: ReportedGaps.maxBridge) }
  }

  /// Takes what belongs to it out of a reading that happened at `time`.
  mutating func take(_ reading: SensorReading, at time: Duration) -> [Sample] {
    guard reading.sensor == recorder.sensor.name, recorder.configuration.isOfHeartbeats else { return [] }
    reported.take(reading, at: time)
    let unit = recorder.configuration.unit
    switch recorder.configuration.quantityType {
    case .heartRate:
      guard let rate = reading.heartRate else { return [] }
      let value = Unit.countPerMinute.convert(rate, to: unit)
      return accept(value, from: time, to: time, reading.arrived, reading.contact).map { [$0] } ?? []
    default:
      // The last interval ends with the reading's last beat; each other one ends where the next begins.
      var samples: [Sample] = []
      var beat = time
      for interval in reading.rrIntervals.reversed() {
        let before = beat - Duration(milliseconds: interval)
        let value = Unit.millisecond.convert(interval, to: unit)
        if let sample = accept(value, from: before, to: beat, reading.arrived, reading.contact) {
          samples.append(sample)
        }
        beat = before
      }
      return samples.reversed()
    }
  }

  /// The quality of a signal below which a caveat says so: the least that Orphanidou and others (2015) accept.
  static let minQuality = 0.86

  /// Takes a sample of a channel that happened at `time`, if it belongs to it.
  mutating func take(_ sample: SensorSample, at time: Duration) -> Sample? {
    if sample.channel == .signalQuality, recorder.configuration.isOfHeartbeats, sample.sensor == recorder.sensor.name,
      // Without any, there is no pulse, which is told elsewhere.
      (0.01..<Self.minQuality).contains(sample.value)
    {
      lowQuality.append(time)
    }
    guard sample.sensor == recorder.sensor.name, sample.channel == recorder.configuration.quantityType else {
      return nil
    }
    reported.take(sample, at: time)
    let value = sample.unit.convert(sample.value, to: recorder.configuration.unit)
    return accept(value, from: time, to: time, sample.arrived, sample.contact)
  }

  /// Takes what belongs to it out of a block of its waveform.
  mutating func take(_ block: WaveformBlock) {
    guard let rate = recorder.nominalRate, WaveformFormat.rates.contains(rate) else { return }
    for segment in segments {
      let stop = segment.stop ?? end
      let frames = block.frames(from: segment.start, to: stop, rate: rate)
      guard !frames.isEmpty, block.arrived <= stop + recorder.configuration.settle || segment.stop == nil else {
        continue
      }
      if segment.stop.map({ block.arrived > $0 }) ?? false { late += frames.count }
      let (from, to) = (
        block.time(of: frames.lowerBound, rate: rate), block.time(of: frames.upperBound - 1, rate: rate)
      )
      first = min(first ?? from, from)
      last = max(last ?? to, to)
      stretches.insert(from: from, to: to)
      for (index, loss) in losses.enumerated() where loss.start < to && loss.end.map({ from < $0 }) ?? true {
        filled[index].insert(from: max(from, loss.start), to: to)
      }
      samples += frames.count
      takeValues(block.values[frames.lowerBound * block.channels..<frames.upperBound * block.channels])
    }
  }

  private mutating func takeValues(_ values: ArraySlice<Float>) {
    for raw in values where raw.isFinite {
      let value = Double(raw) * scale
      smallest = count == 0 ? value : min(smallest, value)
      largest = count == 0 ? value : max(largest, value)
      sum += value
      lastValue = value
      count += 1
    }
  }

  private mutating func accept(
    _ value: Double, from start: Duration, to time: Duration, _ arrived: Duration, _ contact: Bool?
  ) -> Sample? {
    let found = segments.firstIndex { segment in
      guard time >= segment.start else { return false }
      guard let stop = segment.stop else { return true }
      return time < stop && arrived <= stop + recorder.configuration.settle
    }
    guard let found else { return nil }
    let isLate = segments[found].stop.map { arrived > $0 } ?? false
    samples += 1
    if isLate { late += 1 }
    let (type, unit) = (recorder.configuration.quantityType, recorder.configuration.unit)
    if !type.isPlausible(value, in: unit) { implausible += 1 }
    smallest = samples == 1 ? value : min(smallest, value)
    largest = samples == 1 ? value : max(largest, value)
    sum += value
    count += 1
    if first.map({ time < $0 }) ?? true { first = time }
    if last.map({ time >= $0 }) ?? true { (last, lastValue) = (time, value) }
    if contact != false {
      stretches.insert(from: max(start, time - stretches.reach), to: time)
      for (index, loss) in losses.enumerated() where loss.start < time && loss.end.map({ time < $0 }) ?? true {
        filled[index].insert(from: max(start, loss.start), to: time)
      }
    }
    return Sample(start: start, end: time, value: value, isLate: isLate)
  }

  /// The values that people can have, in the recorder's unit; `nil` where nothing is known.
  var plausible: ClosedRange<Double>? {
    let (type, unit) = (recorder.configuration.quantityType, recorder.configuration.unit)
    return type.plausible.map {
      type.canonicalUnit.convert($0.lowerBound, to: unit)...type.canonicalUnit.convert($0.upperBound, to: unit)
    }
  }

  /// The arithmetic mean of the samples' values.
  var mean: Double { sum / Double(count) }

  /// The file with its samples, inside the bundle.
  var file: String {
    waveformFile.map { BundleFile.waveform($0, isSound: sound != nil) } ?? BundleFile.recording(of: recorder)
  }

  /// The recorder's segments with their ends.
  var spans: [Range<Duration>] { segments.map { $0.start..<max($0.stop ?? end, $0.start) } }

  /// How long it recorded, pauses left out.
  var length: Duration { spans.reduce(.zero) { $0 + $1.length } }

  /// How much of the segments samples cover; complete when every reading was taken.
  var covered: Duration { spans.reduce(.zero) { $0 + stretches.covered(of: $1) } }

  /// The share of the segments that samples cover, from 0 to 1.
  var coverage: Double { length > .zero ? min(1, covered / length) : 0 }

  /// The gaps in the segments, by their start; complete when every reading was taken.
  var gaps: [TrialRecord.Gap] {
    let silences = spans.flatMap { span in
      stretches.silences(in: span, longerThan: maxSilence).filter(isUnexplained).map {
        TrialRecord.Gap(span: .init($0), cause: .silence, reason: nil)
      }
    }
    return (lossGaps + reportedGaps + silences).sorted { ($0.span.from, $0.span.to) < ($1.span.from, $1.span.to) }
  }

  // A silence that a lost sensor, a lack of contact or of a pulse explains is told once.
  private func isUnexplained(_ silence: Range<Duration>) -> Bool {
    !losses.contains { $0.start < silence.upperBound && ($0.end ?? silence.upperBound) > silence.lowerBound }
      && reported.stretches(within: silence).isEmpty
  }

  /// The times within its segments in which the sensor was lost, but for what it has sent of them afterwards.
  var lossGaps: [TrialRecord.Gap] {
    spans.flatMap { span in
      zip(losses, filled).flatMap { loss, filled -> [TrialRecord.Gap] in
        let lost = loss.part(of: span)
        guard !lost.isEmpty else { return [] }
        guard filled.samples > 0 else { return [.init(span: .init(lost), cause: .sensorLost, reason: loss.reason)] }
        return filled.silences(in: lost, longerThan: filled.reach).map {
          .init(span: .init($0), cause: .sensorLost, reason: loss.reason)
        }
      }
    }
  }

  /// The times within its segments of which the sensor said that it had no contact with the skin, or saw no pulse, though
  /// it was not lost.
  var reportedGaps: [TrialRecord.Gap] {
    spans.flatMap { span in
      reported.stretches(within: span).flatMap { stretch in
        losses.reduce([stretch.span]) { parts, loss in
          parts.flatMap { part in
            let lost = loss.part(of: part)
            return lost.isEmpty
              ? [part]
              : [part.lowerBound..<lost.lowerBound, lost.upperBound..<part.upperBound].filter {
                $0.length > ReportedGaps.maxBridge
              }
          }
        }.map { .init(span: .init($0), cause: stretch.cause, reason: nil) }
      }
    }
  }

  /// For how much of its segments the sensor said that its signal is of low quality, though it sent beats.
  var lowQualityLength: Duration {
    .seconds(lowQuality.count { time in spans.contains { $0.contains(time) } })
  }
}

extension TrialAccount.Loss {
  /// The part of a time in which there was no connection; empty where there was one throughout.
  fileprivate func part(of span: Range<Duration>) -> Range<Duration> {
    (start..<max(start, end ?? span.upperBound)).clamped(to: span)
  }
}

extension Range<Duration> {
  /// How long it lasts.
  var length: Duration { upperBound - lowerBound }
}
