import Basics

/// Which Bluetooth sensor is used, and what of it.
package struct BluetoothSettings: Hashable, Sendable {
  /// How the sensor is chosen.
  package enum Choice: Hashable, Sendable {
    /// The only one in reach.
    case any
    /// By its address: `A0:9E:1A:12:34:56`.
    case address(String)
    /// By its name, or a part of it that no other in reach has.
    case name(String)
  }

  /// A waveform that a sensor of Polar's sends besides.
  package enum Waveform: String, Hashable, Sendable, CaseIterable {
    /// The electrocardiogram, at 130 Hz.
    case electrocardiogram = "ecg"
    /// The acceleration along three axes, at 50 Hz or what comes nearest to it.
    case acceleration = "acc"

    /// What the sensor is asked to measure.
    var kind: PolarMeasurement.Kind { self == .electrocardiogram ? .electrocardiogram : .acceleration }
  }

  /// The sensor.
  package var choice: Choice
  /// The waveforms that are asked for.
  package var waveforms: Set<Waveform> = []
  /// How long a strap that is connected may send nothing; it sends once a second.
  var silence = Duration.seconds(5)

  /// The settings of a sensor without waveforms.
  package init(_ choice: Choice) { self.choice = choice }

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
