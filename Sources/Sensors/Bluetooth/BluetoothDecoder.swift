import Basics
import Quantities
import Recordings

/// Turns the values of a Bluetooth sensor into readings and waveforms, and places them in time.
struct BluetoothDecoder: Sendable {
  private var chain: BeatChain
  private let latency: Duration
  /// The clocks of the waveforms, and their rates in Hz.
  private var clocks: [PolarMeasurement.Kind: SenderClock] = [:]
  private var rates: [PolarMeasurement.Kind: Int] = [:]
  /// The number of values so far; a fault is reported with it, as that of a line.
  private(set) var count: Int

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - latency: the sensor's delay from a beat to the arrival of its value.
  ///   - count: the number of values over earlier connections to the bus.
  init(latency: Duration, after count: Int) {
    chain = BeatChain(latency: latency)
    self.latency = latency
    self.count = count
  }

  /// Begins a new chain of beats, since some were lost.
  mutating func interrupt() { chain.end() }

  /// Decodes a value of the heart rate.
  mutating func take(_ bytes: [UInt8], arrived: Moment) -> Decoded {
    count += 1
    var yield = Decoded()
    func fault(_ reason: String) { yield.faults.append(Decoded.Fault(line: count, reason: reason)) }
    let measurement = HeartRateMeasurement(bytes)
    if let problem = measurement.fault { fault(problem.words(of: bytes)) }
    guard measurement.heartRate != nil else { return yield }
    let read: Sample
    switch Row(checking: measurement.sample) {
    // A strap that has just been put on knows no rate yet, and says so with a zero.
    case .unreadable where measurement.heartRate == 0: return yield
    case .partly(let sample, _) where measurement.heartRate == 0: read = sample
    case .unreadable(let reason):
      fault("\(reason), in the value \(hexadecimal(bytes))")
      return yield
    case .partly(let sample, let reason):
      fault("\(reason), in the value \(hexadecimal(bytes))")
      read = sample
    case .sample(let sample): read = sample
    case .nothing: return yield
    }
    var readings = [
      HeartReading(
        heartRate: read.heartRate, rrIntervals: read.rrIntervals, contact: read.contact, happened: arrived,
        arrived: arrived, payload: bytes)
    ]
    chain.place(&readings)
    yield.readings = readings.flatMap(\.parts)
    return yield
  }

  /// A waveform begins, at this rate in Hz.
  mutating func begin(_ kind: PolarMeasurement.Kind, rate: Int) { rates[kind] = rate }

  /// Decodes a packet of a waveform.
  mutating func take(waveform bytes: [UInt8], arrived: Moment) -> Decoded {
    count += 1
    var yield = Decoded()
    do throws(PolarMeasurement.Fault) {
      let packet = try PolarMeasurement(bytes)
      let kind = packet.kind
      let format = WaveformFormat(kind.type, rate: Double(rates[kind] ?? kind.rate), channels: kind.channels)
      let count = packet.values.count / kind.channels.count
      guard
        let last = clocks[kind, default: SenderClock(latency: latency)].moments(of: [packet.time], arrived: arrived)
          .first
      else { return yield }
      let first = last.advanced(by: .zero - Duration(nearestNanoseconds: Double(count - 1) / format.rate * 1e9))
      yield.waveforms = [
        WaveformFrames(
          format, happened: first, arrived: arrived, values: packet.values.map { Float(Double($0) * kind.scale) })
      ]
    } catch {
      yield.faults.append(Decoded.Fault(line: count, reason: "\(error.reason), in \(hexadecimal(bytes))"))
    }
    return yield
  }
}

/// What a Bluetooth sensor says of itself.
struct DeviceFacts: Hashable, Sendable {
  var name = ""
  var address = ""
  /// The charge of its battery in percent; `nil` if it does not tell that.
  var battery: Int?
  /// Where on the body it is worn.
  private(set) var location: Metadata.SensorLocation?
  private var texts: [String: String] = [:]

  /// The characteristics that are read: of the heart-rate, battery and device information services.
  static let characteristics = [
    BluetoothIdentifier.sensorLocation, BluetoothIdentifier.battery, BluetoothIdentifier.manufacturer,
    BluetoothIdentifier.model, BluetoothIdentifier.hardware, BluetoothIdentifier.firmware,
    BluetoothIdentifier.software,
  ]

  /// Takes the value of a characteristic.
  mutating func take(_ bytes: [UInt8], of identifier: String) {
    switch identifier {
    case BluetoothIdentifier.sensorLocation:
      // The numbers are HealthKit's too.
      location = bytes.first.flatMap { Metadata.SensorLocation(rawValue: Int($0)) }
    case BluetoothIdentifier.battery: if let percent = bytes.first, percent <= 100 { battery = Int(percent) }
    default:
      let text = String(decoding: bytes.prefix { $0 != 0 }.prefix(128), as: UTF8.self).visible
      if !text.isEmpty { texts[identifier] = text }
    }
  }

  /// The device for results.
  var device: Device {
    Device(
      name: name, manufacturer: texts[BluetoothIdentifier.manufacturer], model: texts[BluetoothIdentifier.model],
      hardwareVersion: texts[BluetoothIdentifier.hardware], firmwareVersion: texts[BluetoothIdentifier.firmware],
      softwareVersion: texts[BluetoothIdentifier.software], localIdentifier: address.isEmpty ? nil : address)
  }

  /// So low a battery, in percent, is told.
  static let lowBattery = 20

  var isLow: Bool { battery.map { $0 <= Self.lowBattery } ?? false }

  /// A remark on a low battery; `nil` for one that is not low.
  var batteryNote: String? {
    isLow ? battery.map { "has a battery at \($0) %; replace or charge it before the session" } : nil
  }
}
