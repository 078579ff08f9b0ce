package import Basics
package import Bundles
import Glibc
package import Sensors
package import Sound
package import Study

/// What a settings file names, so that it need not be given with every command; every member may be missing.
package struct StationSettings: Hashable, Sendable {
  /// The sensors by name: a recorder's identifier, a quantity type, or a name for `--sensor heartRate=NAME`.
  var sensors: [SensorAssignment]

  /// The sink's name, or `silent`.
  var speaker: String?

  /// Where markers go, unless `--markers` says it.
  var markers: [MarkerAddress]?

  /// What the output takes of every sink without a latency of its own, beyond what its server knows.
  var outputLatency: Duration?

  /// The output latencies of sinks, by name.
  var outputLatencies: [String: KeptLatency] = [:]

  /// The participant's monitor.
  var monitor: KeptMonitor?

  /// The language of the station's own texts for the participant.
  var language: Language?

  /// The remarks that the operator's console has buttons for.
  var labels: [String]?

  /// The participants' list: a file, or a server's address without a password.
  var participants: String?

  /// The calibrations of speakers, by the name of the sink.
  var calibrations: [String: Calibration] = [:]

  /// Where the bundles of finished trials are sent.
  var sending: Sending?

  /// The public keys to which archives are encrypted, such as the principal investigator's.
  var recipients: [String]?

  /// Where and how bundles are sent; addresses and files as they were written.
  package struct Sending: Hashable, Sendable {
    /// The receiver's address, any URL, or a folder.
    package var address: String
    /// The form in which a server gets bundles; `nil` for the usual one.
    package var form: String?
    /// The file with the server's token.
    package var tokenFile: String?
    /// The file with the certificate authorities that are trusted instead of the system's.
    package var authorities: String?
    /// Whether other computers may be reached without TLS.
    package var isInsecure = false
    /// Whether others may read the copies in a folder, as the umask allows.
    package var isShared = false
  }

  /// How loud a speaker is.
  package struct Calibration: Hashable, Sendable {
    /// The level of noise of −23 LUFS, in dB SPL.
    package var level: Double
    /// The day on which it was measured.
    var date: CalendarDate

    /// Creates a calibration.
    package init(level: Double, date: CalendarDate) { (self.level, self.date) = (level, date) }
  }

  /// The output latency of a sink, and when it was found.
  package struct KeptLatency: Hashable, Sendable {
    package var latency: OutputLatency
    package var date: CalendarDate

    package init(_ latency: OutputLatency, on date: CalendarDate) { (self.latency, self.date) = (latency, date) }
  }

  /// What was found of the participant's monitor, and when.
  package struct KeptMonitor: Hashable, Sendable {
    package var facts: MonitorFacts
    package var date: CalendarDate

    package init(_ facts: MonitorFacts, on date: CalendarDate) { (self.facts, self.date) = (facts, date) }

    /// Both as people read them.
    package var text: String {
      let delay = facts.delay.map { delay in
        "\(delay.median.milliseconds.fixed(1)) ± \(delay.uncertainty.milliseconds.fixed(1)) ms late"
      }
      let width = facts.width.map { "\($0.fixed(1)) mm wide" }
      return ([delay ?? "delay not measured", width ?? "width not measured", "\(date)"]).joined(separator: ", ")
    }
  }

  init(
    sensors: [SensorAssignment] = [], speaker: String? = nil, outputLatency: Duration? = nil,
    language: Language? = nil, participants: String? = nil
  ) {
    self.sensors = sensors
    self.speaker = speaker
    self.outputLatency = outputLatency
    self.language = language
    self.participants = participants
  }
}

/// The settings files of a station, the one that wins first; member by member and sensor by sensor.
package struct AppliedSettings: Sendable {
  /// Whose settings a file holds.
  package enum Owner: String, Sendable {
    /// The results folder's: the study's.
    case results
    /// The user's, for all studies.
    case user
  }

  /// A file that was looked for.
  package struct File: Sendable {
    /// Whose settings it holds.
    package let owner: Owner
    package let path: String
    /// Its settings; `nil` where there is no such file.
    package let settings: StationSettings?
  }

  /// A value with the file that it is from.
  package struct Sourced<Value: Sendable>: Sendable {
    package let value: Value
    package let file: File
  }

  /// The files, the one that wins first.
  package let files: [File]

  /// Settings from these files, the one that wins first.
  init(_ files: [File]) { self.files = files }

  /// The name or sink of the speaker.
  package var speaker: Sourced<String>? { first(\.speaker) }
  /// Where markers go.
  package var markers: Sourced<[MarkerAddress]>? { first(\.markers) }
  /// The output latency of sinks without one of their own.
  package var outputLatency: Sourced<Duration>? { first(\.outputLatency) }

  /// The output latencies of sinks by name, each once, in alphabetical order.
  package var sinkLatencies: [Sourced<(sink: String, kept: StationSettings.KeptLatency)>] {
    var found: [String: Sourced<(sink: String, kept: StationSettings.KeptLatency)>] = [:]
    for file in files.reversed() {
      for (sink, kept) in file.settings?.outputLatencies ?? [:] {
        found[sink] = Sourced(value: (sink, kept), file: file)
      }
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The output latencies that apply.
  ///
  /// - Parameter always: one that the command line gives for every sink.
  /// - Returns: the latencies.
  package func outputLatencies(always: Duration? = nil) -> OutputLatencies {
    OutputLatencies(
      always: always.map { OutputLatency($0) },
      sinks: Dictionary(sinkLatencies.map { ($0.value.sink, $0.value.kept.latency) }) { $1 },
      otherwise: OutputLatency(outputLatency?.value ?? .zero))
  }
  /// The participant's monitor.
  package var monitor: Sourced<StationSettings.KeptMonitor>? { first(\.monitor) }
  package var language: Sourced<Language>? { first(\.language) }
  /// The remarks that the operator's console has buttons for.
  package var labels: Sourced<[String]>? { first(\.labels) }
  /// The participants' list.
  package var participants: Sourced<String>? { first(\.participants) }
  /// Where the bundles of finished trials are sent.
  package var sending: Sourced<StationSettings.Sending>? { first(\.sending) }

  /// The public keys to which archives are encrypted.
  package var recipients: Sourced<[String]>? { first(\.recipients) }

  /// The calibrations of speakers, by the name of the sink.
  package var calibrations: [String: StationSettings.Calibration] {
    files.reversed().reduce(into: [:]) { $0.merge($1.settings?.calibrations ?? [:]) { $1 } }
  }

  /// The sensors by name, each once, in alphabetical order.
  package var sensors: [Sourced<SensorAssignment>] {
    var found: [String: Sourced<SensorAssignment>] = [:]
    for file in files.reversed() {
      for sensor in file.settings?.sensors ?? [] { found[sensor.name] = Sourced(value: sensor, file: file) }
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The sensors of each file, the one that wins first.
  package var sensorsByFile: [[SensorAssignment]] { files.compactMap { $0.settings?.sensors } }

  /// The sensor's address: one that the settings have under this name, else the text itself.
  ///
  /// - Throws: `SensorError` with a suggestion.
  package func address(_ text: String) throws(SensorError) -> SensorAddress {
    if let named = sensors.first(where: { $0.value.name == text }) { return named.value.address }
    return try SensorAddress(text)
  }

  /// An assignment `NAME=SENSOR`, where the sensor is an address or a name of the settings.
  ///
  /// - Throws: `SensorError` with a suggestion.
  package func assignment(_ text: String) throws(SensorError) -> SensorAssignment {
    if let sign = text.firstIndex(of: "="), sign > text.startIndex,
      let named = sensors.first(where: { $0.value.name == text[text.index(after: sign)...] })
    {
      return SensorAssignment(name: String(text[..<sign]), address: named.value.address)
    }
    return try SensorAssignment(text)
  }

  private func first<Value: Sendable>(_ member: (StationSettings) -> Value?) -> Sourced<Value>? {
    for file in files {
      if let value = file.settings.flatMap(member) { return Sourced(value: value, file: file) }
    }
    return nil
  }
}

extension StationFacts {
  /// This computer, and a program of that version.
  package static func here(version: String) -> StationFacts {
    StationFacts(
      identifier: hostName, version: version, system: "\(distribution), \(kernel)",
      timeZone: TimeZone.system?.name)
  }

  /// The kernel's identifier of this boot; `nil` if it does not report one.
  package static var boot: String? {
    let path = "/proc/sys/kernel/random/boot_id"
    guard let bytes = try? File.contents(of: path, limit: 4096) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    return text.isEmpty ? nil : text
  }

  fileprivate static var hostName: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return "unknown" }
    return text(buffer)
  }

  private static var distribution: String {
    let contents = (try? File.contents(of: "/etc/os-release", limit: 1 << 16)) ?? []
    let lines = String(decoding: contents, as: UTF8.self).split(separator: "\n")
    let key = "PRETTY_NAME="
    guard let line = lines.first(where: { $0.hasPrefix(key) }) else { return "Linux" }
    return line.dropFirst(key.count).filter { $0 != "\"" }
  }

  private static var kernel: String {
    let release = (try? File.contents(of: "/proc/sys/kernel/osrelease", limit: 4096)) ?? []
    return "Linux " + String(decoding: release, as: UTF8.self).filter { !$0.isNewline }
  }

  private static func text(_ buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension SessionHolder {
  /// This process, with the session of a participant.
  package static func here(participant: String, study: String, since: WallTime) -> SessionHolder {
    let device = Folder.realPath("/proc/self/fd/0") ?? ""
    let isTerminal = device.hasPrefix("/dev/pts/") || device.hasPrefix("/dev/tty")
    return SessionHolder(
      participant: participant, study: study, process: getpid(), host: StationFacts.hostName,
      terminal: isTerminal ? device : nil, since: since)
  }
}
