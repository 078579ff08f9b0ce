import Quantities

@testable import Sensors

/// The bytes of a device that measures a ``SimulatedHeart``: PulseSensor, Nonin oximeter, BITalino, or lines.
///
/// The same settings give the same bytes.
struct PretendedDevice: Sendable {
  private let settings: SerialSettings
  private let inputs: Int
  private var curve: SimulatedCurve
  private var beats: SimulatedHeart
  private var frames = 0
  private var lastBeat: Double?
  private var (rate, interval) = (0, 600)
  /// Whether a BITalino was started; other devices always send.
  private(set) var isStarted: Bool

  /// Creates a device whose heart has a seed.
  init(_ settings: SerialSettings, seed: UInt64 = 1) {
    self.settings = settings
    inputs = settings.inputs.count
    let heart = SimulatedHeart.Settings(seed: seed)
    let type = settings.inputs.first { $0.type.isWaveform }?.type ?? .photoplethysmogram
    curve = SimulatedCurve(.init(type, heart: heart, rate: settings.kind == .lines ? 50 : settings.rate))
    beats = SimulatedHeart(heart)
    isStarted = settings.kind != .bitalino
  }

  /// Takes a command, as a BITalino does.
  mutating func take(_ command: UInt8) {
    guard settings.kind == .bitalino else { return }
    if command == BitalinoCommand.stop { isStarted = false }
    if command & 0x03 == 0x01 { isStarted = true }
  }

  /// The bytes up to a time since the beginning, in seconds.
  mutating func bytes(until time: Double) -> [UInt8] {
    let rate = settings.kind == .lines ? 50 : settings.rate
    let count = Int(time * rate) - frames
    guard count > 0 else { return [] }
    var bytes: [UInt8] = []
    for value in curve.next(count) {
      if isStarted { bytes += frame(value, at: Double(frames) / rate) }
      frames += 1
    }
    return bytes
  }

  private mutating func frame(_ value: Float, at time: Double) -> [UInt8] {
    let hasBeaten = beat(at: time)
    // The curves lie between about −300 and 1100.
    let level = Int(max(0, min(1023, 200 + Double(value) * 0.6)))
    switch settings.kind {
    case .pulseSensor: return Array("\(rate),\(interval),\(level)\r\n".utf8)
    case .lines: return hasBeaten ? Array("{\"hr\":\(rate),\"rr\":[\(interval)]}\n".utf8) : []
    case .nonin:
      let place = frames % NoninDecoder.frame
      let known = place == 0 ? rate >> 7 : place == 1 ? rate & 0x7F : place == 2 ? 97 : 0
      let packet = [1, place == 0 ? 0x81 : 0x80, UInt8(level / 4), UInt8(known)]
      return packet + [packet.reduce(0, &+)]
    default:
      let samples = (0..<inputs).map { place in
        let isVolts = settings.inputs[place].type.canonicalUnit.description == "V"
        let share = isVolts ? 0.5 + Double(value) / 3 : Double(level) / 1024
        let scale = 1 << BitalinoFrame.bits(place)
        return max(0, min(scale - 1, Int(share * Double(scale))))
      }
      return BitalinoFrame.frame(sequence: frames, samples: samples)
    }
  }

  /// Whether the heart has beaten since the frame before.
  private mutating func beat(at time: Double) -> Bool {
    guard let beat = beats.nextBeat(until: time) else { return false }
    defer { lastBeat = beat }
    guard let lastBeat else { return false }
    // The sketch samples every 2 ms.
    interval = Int(((beat - lastBeat) * 500).rounded()) * 2
    rate = 60_000 / max(interval, 1)
    return true
  }
}
