import Basics
import Glibc
import Quantities

@testable import Sensors

/// Heart-rate straps on a message bus of their own, so that a laboratory can rehearse without one.
///
/// Their hearts are simulated. Each sends its rate and intervals once a second, and its electrocardiogram and acceleration
/// while they are asked for.
struct BluetoothPretender: Sendable {
  /// What is reported of the straps.
  enum Event: Hashable, Sendable {
    /// They can be found on a bus, whose address is for the variable DBUS_SYSTEM_BUS_ADDRESS.
    case ready(bus: String, sensors: [String])
    /// A strap's link is lost; what becomes of its objects is one of BlueZ's ways.
    case lost(sensor: String, objects: String)
    /// A strap is in reach again.
    case back(sensor: String)
  }

  /// How many straps can be run.
  static let counts = 1...9
  /// How many seconds a strap is out of reach.
  static let absence = 3
  /// The seconds from one loss to the next that can be chosen; a strap needs some to be found again.
  static let pauses = 10...3600

  private let count: Int
  private let pause: Int?

  /// Creates straps.
  ///
  /// - Parameters:
  ///   - count: their number, in ``counts``.
  ///   - pause: the seconds from one loss of a link to the next, in ``pauses``; `nil` for none.
  init(straps count: Int = 1, losingEvery pause: Int? = nil) {
    precondition(Self.counts.contains(count), "a number in an address has one digit")
    precondition(pause.map(Self.pauses.contains) ?? true)
    (self.count, self.pause) = (count, pause)
  }

  /// Runs the straps until the task is cancelled.
  ///
  /// - Parameters:
  ///   - clock: the clock of the straps.
  ///   - report: is given what happens.
  /// - Throws: ``SensorError`` where the bus cannot be started.
  func run(on clock: any StationClock, report: (Event) -> Void) async throws {
    let straps = (1...count).map { number in
      PretendedBluez.Strap(name: "Polar H10 0000000\(number)", address: "A0:9E:1A:00:00:0\(number)")
    }
    let sensors = straps.map { "bluetooth:\($0.address)" }
    let bluetooth = PretendedBluetooth(straps)
    defer { bluetooth.stop() }
    do throws(LinkFault) {
      report(.ready(bus: try await bluetooth.address(), sensors: sensors))
    } catch {
      throw SensorError("pretend to be", "bluetooth", error.reason)
    }
    var measurements = straps.indices.map { PretendedMeasurements(SimulatedHeart.Settings(seed: UInt64($0) + 1)) }
    let start = clock.now
    var second = 0
    while !Task.isCancelled {
      second += 1
      do { try await clock.sleep(until: start.advanced(by: .seconds(second)), tolerance: nil) } catch { return }
      switch turn(second) {
      case .lost(let strap, let loss):
        bluetooth.order(.lose(strap, loss))
        report(.lost(sensor: sensors[strap], objects: loss.words))
      case .back(let strap):
        bluetooth.order(.bringBack(strap))
        report(.back(sensor: sensors[strap]))
      case nil: break
      }
      for strap in straps.indices {
        let (rate, waveforms) = measurements[strap].next()
        bluetooth.order(.send(rate, as: BluetoothIdentifier.heartRateMeasurement, from: strap))
        for kind in bluetooth.waveforms(strap) {
          for packet in waveforms[kind] ?? [] {
            bluetooth.order(.send(packet, as: BluetoothIdentifier.polarData, from: strap))
          }
        }
      }
    }
  }

  private enum Turn {
    case lost(Int, PretendedBluez.Loss)
    case back(Int)
  }

  /// What becomes of which strap in a second: the straps lose their links by turns, in each way by turns.
  private func turn(_ second: Int) -> Turn? {
    guard let pause, second >= pause else { return nil }
    let round = second / pause - 1
    let ways = PretendedBluez.Loss.allCases
    switch second % pause {
    case 0: return .lost(round % count, ways[round / count % ways.count])
    case Self.absence: return .back(round % count)
    default: return nil
    }
  }
}

/// What a strap sends in each second.
struct PretendedMeasurements: Sendable {
  /// The number of frames in a packet of the electrocardiogram (Polar's H10 sends 73) and of the acceleration.
  private static let frames: [PolarMeasurement.Kind: Int] = [.electrocardiogram: 65, .acceleration: 25]

  private var strap: SimulatedStrap
  private var curve: SimulatedCurve
  /// The frames so far.
  private var counts: [PolarMeasurement.Kind: Int] = [:]

  init(_ heart: SimulatedHeart.Settings) {
    strap = SimulatedStrap(SimulatedStrap.Settings(heart: heart))
    curve = SimulatedCurve(
      .init(.electrocardiogram, heart: heart, rate: Double(PolarMeasurement.Kind.electrocardiogram.rate)))
  }

  /// The value of the heart rate, and the packets of each waveform.
  mutating func next() -> (rate: [UInt8], waveforms: [PolarMeasurement.Kind: [[UInt8]]]) {
    var rate: [UInt8] = [0x06, 0]
    if case .sent(let value, let intervals, _, _) = strap.next() {
      rate = [intervals.isEmpty ? 0x06 : 0x16, UInt8(clamping: Int(value ?? 0))]
      for interval in intervals {
        let units = Int((interval * 1024 / 1000).rounded())
        rate += [UInt8(units & 0xFF), UInt8(units >> 8 & 0xFF)]
      }
    }
    var waveforms: [PolarMeasurement.Kind: [[UInt8]]] = [:]
    for (kind, count) in Self.frames { waveforms[kind] = (0..<kind.rate / count).map { _ in packet(kind, count) } }
    return (rate, waveforms)
  }

  private mutating func packet(_ kind: PolarMeasurement.Kind, _ count: Int) -> [UInt8] {
    let first = counts[kind, default: 0]
    counts[kind] = first + count
    let time = UInt64(Double(first + count) / Double(kind.rate) * 1e9)
    let (form, size, values): (UInt8, Int, [Int]) =
      switch kind {
      case .electrocardiogram: (0, 3, curve.next(count).map { Int((Double($0) * 1000).rounded()) })
      case .acceleration:
        (1, 2, (first..<first + count).flatMap { Self.breathing(at: Double($0) / Double(kind.rate)) })
      }
    return [kind.rawValue] + (0..<8).map { UInt8(truncatingIfNeeded: time >> (8 * $0)) } + [form]
      + values.flatMap { value in (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
  }

  /// The acceleration of a chest that breathes fifteen times a minute, in thousandths of the standard gravity.
  private static func breathing(at time: Double) -> [Int] {
    [Int((12 * sin(2 * .pi * 0.25 * time)).rounded()), 0, 1000]
  }
}
