import Basics
package import Quantities

/// A heart-rate strap, or another sensor with Bluetooth's Heart Rate Service, over BlueZ.
///
/// It is searched for by the service, connected to and subscribed to; a link that is lost is made again for as long as the
/// session lasts, to the same device only. Beats are placed by the chain of their intervals (``BeatChain``), which begins again
/// after a loss, since the service keeps no values for later. Polar's sensors send their electrocardiogram besides, if it
/// is asked for.
struct BluetoothSensor: Sensor {
  /// The source that its samples are attributed to.
  let source: SensorSource

  /// The heart's channels, and the waveforms that are asked for.
  var channels: [Channel] {
    Channel.ofHeartbeats
      + BluetoothSettings.Waveform.allCases.filter(settings.waveforms.contains).map(\.kind)
      .map { Channel($0.type, rate: Double($0.rate)) }
  }

  /// The number of samples received over all streams.
  var readingsTaken: Int? { tally.count }

  /// 15 s: to find the sensor, to connect to it, and for its first values.
  var warmUp: Duration { .seconds(15) }

  private let settings: BluetoothSettings
  private let bus: String?
  private let tally = SampleTally()

  /// Creates a sensor.
  ///
  /// - Parameters:
  ///   - settings: which sensor.
  ///   - latency: its delay from a beat to the arrival of the value that tells it.
  ///   - name: the sensor as the operator named it.
  ///   - location: its place on the body.
  ///   - bus: the address of the message bus; `nil` for the system's.
  init(
    _ settings: BluetoothSettings, latency: Duration, name: String, location: Metadata.SensorLocation?,
    bus: String? = nil
  ) {
    self.settings = settings
    self.bus = bus
    source = SensorSource(name: name, latency: latency, location: location)
  }

  /// Connects, and delivers what arrives.
  func events(on clock: any StationClock) -> AsyncStream<SensorEvent> {
    ConnectionFeed.events(
      of: .init(
        name: "Bluetooth", patience: nil, settings: .init(clock: clock, tally: tally),
        opening: .onThread { [settings, source, bus] thread, count throws(LinkFault) in
          try BluetoothConnection(settings, latency: source.latency, bus: bus, on: thread).read(&count)
          return .stopped
        }))
  }
}

/// Which Bluetooth sensor is used, and what of it.
package struct BluetoothSettings: Hashable, Sendable {
  /// How the sensor is chosen.
  enum Choice: Hashable, Sendable {
    /// The only one in reach.
    case any
    /// By its address: `A0:9E:1A:12:34:56`.
    case address(String)
    /// By its name, or a part of it that no other in reach has.
    case name(String)
  }

  /// A waveform that a sensor of Polar's sends besides.
  enum Waveform: String, Hashable, Sendable, CaseIterable {
    /// The electrocardiogram, at 130 Hz.
    case electrocardiogram = "ecg"
    /// The acceleration along three axes, at 50 Hz or what comes nearest to it.
    case acceleration = "acc"

    /// What the sensor is asked to measure.
    var kind: PolarMeasurement.Kind { self == .electrocardiogram ? .electrocardiogram : .acceleration }
  }

  var choice: Choice
  /// The waveforms that are asked for.
  var waveforms: Set<Waveform> = []
  /// How long a strap that is connected may send nothing; it sends once a second.
  var silence = Duration.seconds(5)

  /// The settings of a sensor without waveforms.
  init(_ choice: Choice) { self.choice = choice }

  /// What is looked for, in messages: `a heart-rate sensor`, `“Polar H10”`.
  var target: String {
    switch choice {
    case .any: "a heart-rate sensor"
    case .address(let address): address
    case .name(let name): "“\(name)”"
    }
  }
}

/// Why a Bluetooth sensor delivers nothing.
enum BluetoothFault: Hashable, Sendable {
  /// A sensor that could have been meant.
  struct Named: Hashable, Sendable {
    let name: String
    let address: String
  }

  /// The Bluetooth service does not run.
  case noService
  /// The bus does not let this user talk to the service.
  case notAllowed
  /// The computer has no Bluetooth adapter.
  case noAdapter
  /// The adapter is switched off.
  case isOff
  /// The sensor is not in reach.
  case notFound(target: String)
  /// Several sensors are in reach.
  case ambiguous([Named])
  /// The connection could not be made.
  case notConnected(name: String, reason: String)
  /// The connection broke.
  case dropped(name: String)
  /// BlueZ has forgotten the device.
  case forgotten(name: String)
  /// It has no heart-rate service.
  case noHeartRate(name: String)
  /// It sends nothing although it is connected.
  case silent(name: String)
  /// It does not do what it was asked to.
  case refused(name: String, what: String, reason: String)

  /// What is wrong, and what to do.
  var words: String {
    switch self {
    case .noService: "the Bluetooth service does not run; install bluez, and run systemctl start bluetooth"
    case .notAllowed:
      "this user may not use Bluetooth; log in at the computer itself, or add the user to the group “bluetooth”"
    case .noAdapter: "this computer has no Bluetooth adapter; plug one in"
    case .isOff: "the Bluetooth adapter is switched off; run bluetoothctl power on, and rfkill unblock bluetooth"
    case .notFound(let target):
      "\(target) is not in reach; wear the strap with wet electrodes, and disconnect it from watches and phones"
    case .ambiguous(let devices):
      "several heart-rate sensors are in reach; name one: "
        + devices.prefix(8).map { "bluetooth:\($0.address) (\($0.name.visible))" }.joined(separator: ", ")
    case .notConnected(let name, let reason): "cannot connect to “\(name.visible)”: \(reason)"
    case .dropped(let name): "“\(name.visible)” is out of reach or switched off"
    case .forgotten(let name): "“\(name.visible)” is out of reach, and the Bluetooth service has forgotten it"
    case .noHeartRate(let name): "“\(name.visible)” has no heart-rate service"
    case .silent(let name): "“\(name.visible)” has sent nothing for 5 s"
    case .refused(let name, let what, let reason): "“\(name.visible)” refuses \(what): \(reason)"
    }
  }
}

extension SensorTransport {
  /// A heart-rate strap over Bluetooth: the one in reach, or the one with a name, a part of a name or an address.
  ///
  /// `waveforms=ecg,acc` asks a sensor of Polar's for its electrocardiogram and acceleration.
  static let bluetooth = SensorTransport(
    scheme: "bluetooth", forms: [.init(text: "bluetooth[:NAME|:ADDRESS]")],
    nicknames: [
      .init(
        address: "bluetooth",
        words: [
          "polar", "h7", "h9", "h10", "oh1", "verity", "garmin", "wahoo", "tickr", "coospo", "magene", "suunto",
          "movesense", "strap", "belt", "chest", "cheststrap", "hrm", "ble", "bt", "heartrate", "pulse", "watch",
        ])
    ]
  ) { reader, rest throws(SensorError) in try reader.bluetooth(rest) }
}

extension BluetoothSettings: SensorKind {
  package func sensor(named name: String, latency: Duration, location: Metadata.SensorLocation?) -> any Sensor {
    BluetoothSensor(self, latency: latency, name: name, location: location)
  }
}

extension AddressReader {
  fileprivate func bluetooth(_ rest: String?) throws(SensorError) -> SensorTransport.Reading {
    let (name, options) = try split(rest ?? "", known: Self.commonOptions + ["waveforms"])
    guard name.utf8.count <= 248, !name.contains("\0") else {
      throw error("a Bluetooth name has at most 248 bytes", nil)
    }
    var settings = BluetoothSettings(
      name.isEmpty ? .any : Self.isBluetoothAddress(name) ? .address(name.uppercased()) : .name(name))
    for word in (options["waveforms"] ?? "").split(separator: ",") {
      guard let waveform = BluetoothSettings.Waveform(rawValue: String(word)) else {
        throw error(
          "there is no waveform “\(word)”",
          Spelling.advice(for: String(word), among: BluetoothSettings.Waveform.allCases.map(\.rawValue)))
      }
      settings.waveforms.insert(waveform)
    }
    if options["waveforms"]?.isEmpty == true { throw error("the waveforms are missing", "say waveforms=ecg,acc") }
    return (settings, try latency(options), try location(options["location"]))
  }

  /// Whether a text is six bytes in hexadecimal digits, with colons between them.
  private static func isBluetoothAddress(_ text: String) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 6 && parts.allSatisfy { $0.count == 2 && $0.allSatisfy(\.isHexDigit) }
  }
}
