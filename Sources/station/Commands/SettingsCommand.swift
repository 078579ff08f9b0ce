import Basics
import Laboratory
import Quantities
import Sensors
import Session
import Sound
import Study

extension Command {
  /// The settings that apply, and the file that each is from.
  static let settings = Command(
    "settings",
    "shows or changes the settings that apply to sensors, speaker, language and participants, and names their files",
    options: [
      .init(
        "set", value: "NAME=VALUE", repeats: true,
        "change a setting in the file of the results folder, for example speaker=silent, sensors.chest=ble:…, "
          + "labels='[\"moved\",\"coughed\"]'"),
      .init("remove", value: "NAME", repeats: true, "remove a setting from that file"),
      .init("user", "change the user's own file instead"), .resultsOfSettings, .json(),
    ]
  ) { arguments in
    try change(arguments)
    let settings = try AppliedSettings(arguments)
    let rows = SettingRow.all(of: settings, in: arguments.results)
    let console = Console.standard
    guard !arguments.isJSON else {
      console.write([
        "settings": .array(rows.map(\.json)),
        "files": .array(
          settings.files.map { file in
            ["from": .string(file.owner.rawValue), "path": .string(file.path), "found": .bool(file.settings != nil)]
          }),
      ])
      return .done
    }
    var table = TextTable([("setting", .left), ("value", .left), ("from", .left)])
    for row in rows { table.add([row.name, row.text, row.file?.path ?? "default"]) }
    console.lines(table.lines)
    console.line()
    if let language = settings.language?.value, !language.isChecked {
      console.line("\(Phrases.unchecked) “\(language.rawValue)”")
    }
    for file in settings.files {
      console.line("\(file.path.visible): \(file.settings == nil ? "no such file" : "read")")
    }
    return .done
  }
}

/// Changes the settings that `--set` and `--remove` name.
private func change(_ arguments: Arguments) throws {
  var changes: [(name: String, value: JSONValue?)] = []
  for text in arguments.all("set") {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
      throw arguments.invalid(text, "set", "expected NAME=VALUE, for example speaker=silent")
    }
    changes.append((String(text[..<equals]), settingValue(String(text[text.index(after: equals)...]))))
  }
  changes += arguments.all("remove").map { ($0, nil) }
  guard !changes.isEmpty else {
    if arguments.has("user") { throw arguments.refusal("--user needs --set or --remove") }
    return
  }
  let file =
    arguments.has("user")
    ? AppliedSettings.userFile(environmentVariable) : AppliedSettings.file(inResults: arguments.results)
  guard let file else { throw Failure("where the user's settings are is not known: HOME is not set") }
  try StationSettings.write(changes, to: file)
}

/// A value as JSON, where it is a number, a truth value, an array or an object; else a text.
private func settingValue(_ text: String) -> JSONValue {
  let value = try? JSONReader.read(Array(text.utf8)).value
  return switch value {
  case .null?, nil: .string(text)
  case let value?: value
  }
}

/// A setting with its value, and the file that it is from, unless it is a default.
private struct SettingRow {
  let name: String
  let value: JSONValue
  let file: AppliedSettings.File?

  static func all(of settings: AppliedSettings, in results: String) -> [SettingRow] {
    let (speaker, latency, language) = (settings.speaker, settings.outputLatency, settings.language)
    var rows = settings.sensors.map {
      SettingRow(name: "sensors.\($0.value.name)", value: .string($0.value.address.text), file: $0.file)
    }
    rows += [
      SettingRow(name: "speaker", value: .text(speaker?.value), file: speaker?.file),
      SettingRow(name: "outputLatency_ms", value: .number(latency?.value.milliseconds ?? 0), file: latency?.file),
    ]
    if let markers = settings.markers {
      rows.append(
        SettingRow(name: "markers", value: .array(markers.value.map { .string($0.text) }), file: markers.file))
    }
    for found in settings.sinkLatencies {
      let (sink, kept) = found.value
      let value =
        "\(kept.latency.latency.milliseconds.fixed(3)) ± \(kept.latency.uncertainty.milliseconds.fixed(3)) ms, "
        + "\(kept.latency.basis?.rawValue ?? "unknown"), \(kept.date)"
      rows.append(SettingRow(name: "outputLatencies.\(sink)", value: .string(value), file: found.file))
    }
    if let monitor = settings.monitor {
      rows.append(SettingRow(name: "monitor", value: .string(monitor.value.text), file: monitor.file))
    }
    if let labels = settings.labels {
      rows.append(SettingRow(name: "labels", value: .array(labels.value.map { .string($0) }), file: labels.file))
    }
    let list = settings.participants
    rows += [
      SettingRow(name: "language", value: .string((language?.value ?? .english).rawValue), file: language?.file),
      SettingRow(
        name: "participants", value: .string(list?.value ?? ParticipantsLocation.file(in: results)), file: list?.file),
    ]
    if let sending = settings.sending {
      rows.append(SettingRow(name: "sending.to", value: .string(sending.value.address), file: sending.file))
    }
    if let recipients = settings.recipients {
      rows.append(
        SettingRow(name: "recipients", value: .array(recipients.value.map { .string($0) }), file: recipients.file))
    }
    return rows
  }

  var text: String {
    switch value {
    case .null: "the sound server's default sink"
    case .string(let text): text
    default: value.text()
    }
  }

  var json: JSONValue {
    [
      "name": .string(name), "value": value, "from": .string(file?.owner.rawValue ?? "default"),
      "path": .text(file?.path),
    ]
  }
}

extension Option {
  static let speaker = Option(
    "speaker", value: "SINK|silent",
    "the sink to play to, “default” for the server's own choice, after “pipewire:” or “pulse:” on that server, or a "
      + "private server without a loudspeaker")
}

extension AppliedSettings {
  /// The settings files of a call.
  init(_ arguments: Arguments) throws(SettingsError) { try self.init(results: arguments.results) }

  /// The settings files of a results folder and of the user.
  init(results: String) throws(SettingsError) { try self.init(results: results, variables: environmentVariable) }

  /// The speaker: the option's, else that of the settings.
  func speaker(_ arguments: Arguments) -> SpeakerChoice { SpeakerChoice(arguments["speaker"] ?? speaker?.value) }
}
