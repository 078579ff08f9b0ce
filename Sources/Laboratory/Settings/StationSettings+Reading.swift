import Basics
import Bundles
import Quantities
import SampleStore
import Sensors
import Sound
import Study

extension StationSettings {
  /// The value of the key `format` in files of this version.
  static let format = "station.settings/1"

  /// The maximum size of a file, in bytes.
  static let maxFile = 1_000_000

  /// The keys in their recommended order.
  static let keys = [
    "$schema", "format", "sensors", "speaker", "markers", "outputLatency_ms", "outputLatencies", "monitor", "language",
    "labels", "participants", "calibrations", "sending", "recipients",
  ]

  /// Reads a settings file strictly.
  ///
  /// - Parameters:
  ///   - bytes: the file's bytes.
  ///   - fileName: the file's name for messages.
  /// - Throws: all problems together, each with its place.
  init(_ bytes: [UInt8], fileName: String) throws(ProtocolProblems) {
    let problems = ProblemList()
    guard let settings = Self.read(bytes, problems), problems.isEmpty else {
      throw problems.problems(of: fileName, bytes)
    }
    self = settings
  }

  private static func read(_ bytes: [UInt8], _ problems: ProblemList) -> StationSettings? {
    guard bytes.count <= maxFile else {
      problems.add(at: 0, .root) { "the file is larger than \(maxFile) bytes; is this the right file?" }
      return nil
    }
    do throws(JSONProblems) {
      let (node, duplicates) = try JSONReader.readWithDuplicates(bytes)
      problems.add(duplicates)
      return read(Located(root: node, problems: problems))
    } catch {
      problems.add(error.problems)
      return nil
    }
  }

  private static func read(_ place: Located) -> StationSettings? {
    guard let object = place.object("settings, which are an object") else { return nil }
    let place = object.required("format", "how this file is to be read: “\(format)”")
    if let place, let found = place.string(), found != format {
      if let other = OtherFormat(rawValue: found) {
        place.report("\(place.node.phrase) is not the format of settings; \(other.advice)")
        return nil
      }
      place.report("\(place.node.phrase) is not a format that this station reads; it reads “\(format)”")
    }
    object.refuseKeys(beside: keys) { key in
      let advice = "a note of your own has a key that begins with x-"
      if let near = Spelling.nearest(to: key, among: keys) { return "unknown key; did you mean “\(near)”?" }
      return "unknown key; settings have \(keys.joined(separator: ", ")); \(advice)"
    }
    _ = object["$schema"]?.string()
    let latency = object["outputLatency_ms"]?.number("a number of milliseconds", in: latencyRange)
    let codes = Language.allCases.map(\.rawValue)
    var settings = StationSettings(
      sensors: object["sensors"].map(readSensors) ?? [],
      speaker: object["speaker"]?.name("the name of a sink, “default” or “silent”,"),
      outputLatency: latency.map { Duration(milliseconds: $0) },
      language: object["language"]?.word("a language of this station", among: codes).flatMap(Language.init(rawValue:)),
      participants: object["participants"].flatMap(readList))
    settings.markers = object["markers"].map(readMarkers)
    settings.outputLatencies = object["outputLatencies"].map(readLatencies) ?? [:]
    settings.labels = object["labels"].map(readLabels)
    settings.monitor = object["monitor"].flatMap(readMonitor)
    settings.calibrations = object["calibrations"].map(readCalibrations) ?? [:]
    settings.sending = object["sending"].flatMap(readSending)
    settings.recipients = object["recipients"].map(readRecipients)
    return settings
  }

  private static func readCalibrations(_ place: Located) -> [String: Calibration] {
    guard let object = place.object("an object with the calibrations of speakers by their sink") else { return [:] }
    return object.members.reduce(into: [:]) { calibrations, member in
      guard !member.key.utf8.starts(with: "x-".utf8), let place = object[member.key],
        let object = place.object("a calibration, which is an object")
      else { return }
      object.refuseKeys(beside: ["level_dBSPL", "date"]) { _ in
        "unknown key; a calibration has level_dBSPL and date"
      }
      let level = object.required("level_dBSPL", "the level of noise of −23 LUFS")?
        .number("a level in dB SPL", in: levels)
      let date = readDate(object, "the day of the calibration, such as “2026-03-31”")
      if let level, let date { calibrations[member.key] = Calibration(level: level, date: date) }
    }
  }

  private static func readLatencies(_ place: Located) -> [String: KeptLatency] {
    guard let object = place.object("an object with the output latencies of speakers by their sink") else { return [:] }
    return object.members.reduce(into: [:]) { latencies, member in
      guard !member.key.utf8.starts(with: "x-".utf8), let place = object[member.key],
        let object = place.object("an output latency, which is an object")
      else { return }
      let keys = ["latency_ms", "uncertainty_ms", "basis", "date"]
      object.refuseKeys(beside: keys) { _ in "unknown key; an output latency has \(keys.joined(separator: ", "))" }
      let bases = OutputLatency.Basis.allCases.filter { $0 != .unknown }.map(\.rawValue)
      let latency = object.required("latency_ms", "what the output takes")?.number("milliseconds", in: latencyRange)
      let uncertainty = object.required("uncertainty_ms", "how far that may be from the truth")?
        .number("milliseconds", in: latencyRange)
      let basis = object.required("basis", "how it was found")?.word("a basis", among: bases)
      let date = readDate(object, "the day on which it was found, such as “2026-03-31”")
      guard let latency, let uncertainty, let basis, let date else { return }
      let found = OutputLatency(
        Duration(milliseconds: latency), uncertainty: Duration(milliseconds: uncertainty),
        basis: OutputLatency.Basis(rawValue: basis))
      latencies[member.key] = KeptLatency(found, on: date)
    }
  }

  private static func readMonitor(_ place: Located) -> KeptMonitor? {
    guard let object = place.object("the participant's monitor, which is an object") else { return nil }
    let keys = ["delay_ms", "uncertainty_ms", "width_mm", "date"]
    object.refuseKeys(beside: keys) { _ in "unknown key; a monitor has \(keys.joined(separator: ", "))" }
    let delay = object["delay_ms"]?.number("milliseconds", in: latencyRange)
    let uncertainty = object["uncertainty_ms"]?.number("milliseconds", in: latencyRange)
    let width = object["width_mm"]?.number("a width in millimetres", in: monitorWidths)
    if (object["delay_ms"] == nil) != (object["uncertainty_ms"] == nil) {
      place.report("delay_ms and uncertainty_ms belong together")
    }
    guard let date = readDate(object, "the day on which it was measured, such as “2026-03-31”") else { return nil }
    let found = delay.flatMap { delay in
      uncertainty.map {
        MonitorFacts.Delay(Duration(milliseconds: delay), uncertainty: Duration(milliseconds: $0))
      }
    }
    return KeptMonitor(MonitorFacts(delay: found, width: width), on: date)
  }

  /// The widths of monitors that are possible, in millimetres.
  package static let monitorWidths = 30.0...10_000.0

  private static func readDate(_ object: LocatedObject, _ meaning: String) -> CalendarDate? {
    let text = object.required("date", meaning)
    let date = text?.string().flatMap(CalendarDate.init)
    if let text, date == nil { text.report("expected a date, such as “2026-03-31”") }
    return date
  }

  /// The output latencies that are possible, in milliseconds.
  package static let latencyRange = 0.0...10_000.0

  private static func readMarkers(_ place: Located) -> [MarkerAddress] {
    let places = place.filledElements("outputs of markers as an array of strings", atMost: 16) ?? []
    return places.compactMap { place in
      guard let text = place.name("an output such as “serial:/dev/ttyUSB0”") else { return nil }
      do throws(SensorError) {
        return try MarkerAddress(text)
      } catch {
        place.report("\(error)")
        return nil
      }
    }
  }

  private static func readLabels(_ place: Located) -> [String] {
    let places = place.filledElements("remarks as an array of strings", atMost: 9) ?? []
    return places.compactMap { place in
      guard let label = place.name("a remark such as “moved”") else { return nil }
      guard label.count <= 40 else {
        place.report("a remark of a button has at most 40 characters")
        return nil
      }
      return label
    }
  }

  private static func readRecipients(_ place: Located) -> [String] {
    let places = place.filledElements("public keys of age as an array of strings", atMost: 100) ?? []
    return places.compactMap { place in
      guard let key = place.string("a public key of age") else { return nil }
      if !ArchiveRecipients.isKey(key) { place.report("expected a public key that begins with age1 or ssh-") }
      return key
    }
  }

  private static let sendingKeys = ["to", "format", "tokenFile", "ca", "insecure", "shared"]

  private static func readSending(_ place: Located) -> Sending? {
    guard let object = place.object("an object that says where bundles are sent") else { return nil }
    object.refuseKeys(beside: sendingKeys) { _ in
      "unknown key; sending has \(sendingKeys.joined(separator: ", ")); a token is in a file of its own"
    }
    guard let address = object.required("to", "the receiver's address or a folder")?.name("a URL or a folder") else {
      return nil
    }
    var sending = Sending(address: address)
    sending.form = object["format"]?.word("a form of bundles", among: sendingForms)
    sending.tokenFile = object["tokenFile"]?.name("the name of a file with a token")
    sending.authorities = object["ca"]?.name("the name of a file with certificates")
    for (key, part) in [("insecure", \Sending.isInsecure), ("shared", \Sending.isShared)] {
      guard let place = object[key] else { continue }
      switch place.node.content {
      case .bool(let value): sending[keyPath: part] = value
      default: place.report("expected true or false")
      }
    }
    if sending.isShared, address.contains("://") { object["shared"]?.report("applies to a folder, not to a server") }
    return sending
  }

  /// The forms in which bundles are sent.
  static let sendingForms = ["bundle", "json", "station.trial/1"]

  /// The levels that a calibration can have, in dB SPL.
  package static let levels = 30.0...120.0

  private static func readList(_ place: Located) -> String? {
    guard let location = place.name("a file or an address postgresql://…") else { return nil }
    guard !SampleStore.hasPassword(location) else {
      place.report(
        "a password in the settings can be read by other people; remove it, and put it into ~/.pgpass (mode 0600)")
      return nil
    }
    return location
  }

  private static func readSensors(_ place: Located) -> [SensorAssignment] {
    guard let object = place.object("an object with the addresses of sensors by name") else { return [] }
    return object.members.compactMap { member in
      guard !member.key.utf8.starts(with: "x-".utf8), let place = object[member.key],
        let text = place.name("the address of a sensor")
      else { return nil }
      guard !member.key.isEmpty, !member.key.contains("=") else {
        place.report("a sensor's name is not empty and contains no “=”")
        return nil
      }
      do throws(SensorError) {
        return SensorAssignment(name: member.key, address: try SensorAddress(text))
      } catch {
        place.report("\(error)")
        return nil
      }
    }
  }
}

extension AppliedSettings {
  static let fileName = "station.json"

  /// Reads the settings that apply: the results folder's and the user's.
  ///
  /// - Parameters:
  ///   - results: the results folder.
  ///   - variables: the variables of the environment, of which `XDG_CONFIG_HOME` and `HOME` locate the user's file.
  /// - Throws: ``SettingsError`` for files that cannot be read; one that does not exist is none.
  package init(results: String, variables: (String) -> String?) throws(SettingsError) {
    var paths = [(Owner.results, Self.file(inResults: results))]
    if let user = Self.userFile(variables) { paths.append((.user, user)) }
    var files: [File] = []
    var reasons: [String] = []
    for (owner, path) in paths {
      do throws(SettingsError) {
        files.append(File(owner: owner, path: path, settings: try Self.settings(at: path)))
      } catch {
        reasons.append(error.description)
      }
    }
    guard reasons.isEmpty else { throw SettingsError(reasons.joined(separator: "\n")) }
    self.init(files)
  }

  /// The path of a results folder's file.
  package static func file(inResults results: String) -> String { Folder.path(fileName, from: results) }

  /// The path of the user's file: in `$XDG_CONFIG_HOME`, else in `~/.config`; `nil` where neither is known.
  ///
  /// A relative `XDG_CONFIG_HOME` is ignored, as the XDG Base Directory Specification has it.
  package static func userFile(_ variables: (String) -> String?) -> String? {
    if let folder = variables("XDG_CONFIG_HOME"), folder.hasPrefix("/") { return "\(folder)/station/\(fileName)" }
    guard let home = variables("HOME"), !home.isEmpty else { return nil }
    return "\(home)/.config/station/\(fileName)"
  }

  static func settings(at path: String) throws(SettingsError) -> StationSettings? {
    let bytes: [UInt8]
    do throws(FileError) {
      guard try Folder.find(path) else {
        // A link that leads nowhere was meant to be a file.
        if Folder.kind(of: path) == .link { try Folder.check(path) }
        return nil
      }
      guard Folder.isOrdinaryFile(path) else { throw FileError("open", path, code: FileError.irregular) }
      bytes = try Basics.File.contents(of: path, limit: StationSettings.maxFile)
    } catch {
      throw SettingsError("\(error); settings that cannot be read are not ignored: correct or remove the file")
    }
    do throws(ProtocolProblems) {
      return try StationSettings(bytes, fileName: path)
    } catch {
      throw SettingsError("\(error)")
    }
  }
}

/// Why settings cannot be read.
package struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One reason a line, each with its place.
  package let description: String

  init(_ description: String) { self.description = description }
}
