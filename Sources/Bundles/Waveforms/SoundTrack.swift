import Basics
import Glibc
import Quantities
import Sound

/// Where the blocks of a recorded sound lie in its file, and what the file amounts to.
struct SoundTrack {
  /// The file's frames a second.
  let rate: Int
  /// The number of its channels.
  let channels: Int

  private(set) var frames = 0
  private var lost = 0
  private var gaps: [RecordedSound.Gap] = []
  private var gapCount = 0
  private var clipped = 0
  private var samples = 0
  private var squares = 0.0
  private var peak: Float = 0
  /// The time of the first block, and when the last one ended.
  private var first: Duration?
  private var end = Duration.zero
  private var line = RegressionLine()

  /// A block that begins so much later than the one before it ended comes after a loss; a sensor's times vary by less.
  static let tolerance = Duration.microseconds(500)
  /// A loss that is longer is no loss, but a wrong time.
  static let maxLoss = Duration.seconds(86_400)
  /// A shorter recording is too short to measure the rate.
  static let minMeasured = 10.0
  /// The largest sample of a converter of 16 bits; what reaches it is clipped.
  private static let clipping: Float = 32_767.0 / 32_768

  init(_ head: WaveformHead) {
    rate = max(1, Int(head.rate.rounded()))
    channels = head.channels.count
  }

  /// Whether a file of sound can be made of what a journal says of a waveform.
  static func holds(_ head: WaveformHead) -> Bool {
    head.quantityType == QuantityType.roomSound.identifier && head.channels.count <= SoundFile.maxChannels
  }

  /// The block as the file holds it; `nil` for one of another form.
  func kept(_ block: WaveformBlock) -> WaveformBlock? {
    guard block.channels == channels, block.frames > 0 else { return nil }
    var block = block
    for index in block.values.indices { block.values[index] = SoundFile.kept(block.values[index]) }
    return block
  }

  /// Takes the next block, as the file holds it.
  ///
  /// - Returns: how many frames of silence come before it.
  mutating func take(_ block: WaveformBlock) -> Int {
    let late = first == nil ? .zero : block.time - end
    let isLoss = late >= Self.tolerance && late <= Self.maxLoss
    let missing = isLoss ? Int((late.seconds * Double(rate)).rounded()) : 0
    if missing > 0 {
      lost += missing
      gapCount += 1
      if gaps.count < RecordedSound.maxGaps { gaps.append(.init(frame: frames, frames: missing)) }
      frames += missing
    }
    let start = first ?? block.time
    first = start
    line.add(Double(frames), (block.time - start).seconds)
    for value in block.values {
      let magnitude = value.magnitude
      if magnitude >= Self.clipping { clipped += 1 }
      peak = max(peak, magnitude)
      squares += Double(value) * Double(value)
    }
    samples += block.values.count
    frames += block.frames
    end = block.time + Duration(nearestNanoseconds: Double(block.frames) / Double(rate) * 1e9)
    return missing
  }

  /// What the file amounts to; `nil` without a block.
  var sound: RecordedSound? {
    guard let first else { return nil }
    let nominal = 1 / Double(rate)
    let isLong = Double(frames) * nominal >= Self.minMeasured
    let slope = isLong ? line.slope ?? nominal : nominal
    // A block's time is that of its first frame; the truth is within three standard deviations and half a frame.
    let spread = 3 * line.deviation(from: slope) + nominal / 2
    return RecordedSound(
      rate: rate, channels: channels, frames: frames,
      firstFrame: MeasuredTime(
        time: first + Duration(nearestNanoseconds: line.start(slope) * 1e9),
        uncertainty: Duration(nearestNanoseconds: spread * 1e9)),
      measuredRate: isLong ? (1 / slope * 1000).rounded() / 1000 : nil, framesLost: lost, gaps: gaps,
      gapCount: gapCount, samplesClipped: clipped,
      level: Self.decibels((squares / Double(max(samples, 1))).squareRoot()), peak: Self.decibels(Double(peak)))
  }

  private static func decibels(_ value: Double) -> Double? {
    value > 0 ? (20 * log10(value) * 100).rounded() / 100 : nil
  }
}

/// A line through points that come one by one.
struct RegressionLine {
  private var count = 0.0
  private var means = (x: 0.0, y: 0.0)
  private var sums = (xx: 0.0, xy: 0.0, yy: 0.0)

  mutating func add(_ x: Double, _ y: Double) {
    count += 1
    let (dx, dy) = (x - means.x, y - means.y)
    means.x += dx / count
    means.y += dy / count
    sums.xx += dx * (x - means.x)
    sums.xy += dx * (y - means.y)
    sums.yy += dy * (y - means.y)
  }

  /// The slope that fits best; `nil` for fewer than two different points.
  var slope: Double? { sums.xx > 0 ? sums.xy / sums.xx : nil }

  /// The value at zero of the line with that slope.
  func start(_ slope: Double) -> Double { means.y - slope * means.x }

  /// The standard deviation of the points from the line with that slope.
  func deviation(from slope: Double) -> Double {
    guard count > 2 else { return 0 }
    return (max(0, sums.yy - 2 * slope * sums.xy + slope * slope * sums.xx) / (count - 2)).squareRoot()
  }
}
