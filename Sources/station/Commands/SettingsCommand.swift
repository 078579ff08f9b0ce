import Basics
import Laboratory
import Quantities
import Sensors
import Sound
import Study

/// `station settings`: the settings that apply, and the file that each is from.
struct SettingsCommand: Command {
  static let syntax = CommandSyntax(
    "settings", "shows the settings that apply to sensors, speaker, language and participants, and their files",
    options: [AppliedSettings.resultsOption, .init("json", "print one JSON object")])

  let settings: AppliedSettings
  let results: String
  let isJSON: Bool

  init(_ arguments: Arguments) throws {
    results = arguments["results"] ?? "results"
    settings = try AppliedSettings(results: results)
    isJSON = arguments.has("json")
  }

  /// A setting with its value, and the file that it is from, unless it is a default.
  private struct Row {
    let name: String
    let value: JSONValue
    let file: AppliedSettings.File?
  }

  private var rows: [Row] {
    let (speaker, latency, language) = (settings.speaker, settings.outputLatency, settings.language)
    let list = settings.participants
    let sending = settings.sending.map { [Row(name: "sending.to", value: .string($0.value.address), file: $0.file)] }
    let latencies = settings.sinkLatencies.map { found in
      let (sink, kept) = found.value
      return Row(
        name: "outputLatencies.\(sink)",
        value: .string(
          "\(kept.latency.latency.milliseconds.fixed(3)) ± \(kept.latency.uncertainty.milliseconds.fixed(3)) ms, "
            + "\(kept.latency.basis?.rawValue ?? "unknown"), \(kept.date)"), file: found.file)
    }
    let recipients = settings.recipients.map {
      [Row(name: "recipients", value: .array($0.value.map { .string($0) }), file: $0.file)]
    }
    let markers = settings.markers.map {
      [Row(name: "markers", value: .array($0.value.map { .string($0.text) }), file: $0.file)]
    }
    return settings.sensors.map {
      Row(name: "sensors.\($0.value.name)", value: .string($0.value.address.text), file: $0.file)
    } + [
      Row(name: "speaker", value: .text(speaker?.value), file: speaker?.file),
      Row(name: "outputLatency_ms", value: .number(latency?.value.milliseconds ?? 0), file: latency?.file),
    ] + (markers ?? []) + latencies + [
      Row(name: "language", value: .string((language?.value ?? .english).rawValue), file: language?.file),
      Row(
        name: "participants", value: .string(list?.value ?? ParticipantsLocation.file(in: results)), file: list?.file),
    ] + (sending ?? []) + (recipients ?? [])
  }

  func run() async throws -> ExitStatus {
    let console = Console.standard
    guard !isJSON else {
      console.write(json.encoded(pretty: true))
      return .done
    }
    var table = TextTable([("setting", .left), ("value", .left), ("from", .left)])
    for row in rows { table.add([row.name, Self.shown(row.value), row.file?.path ?? "default"]) }
    for line in table.lines { console.line(line) }
    console.line()
    for file in settings.files {
      console.line("\(file.path.visible): \(file.settings == nil ? "no such file" : "read")")
    }
    return .done
  }

  private static func shown(_ value: JSONValue) -> String {
    switch value {
    case .null: "the sound server's default sink"
    case .string(let text): text
    default: value.text()
    }
  }

  private var json: JSONValue {
    [
      "settings": .array(
        rows.map { row in
          [
            "name": .string(row.name), "value": row.value, "from": .string(row.file?.owner.rawValue ?? "default"),
            "path": .text(row.file?.path),
          ]
        }),
      "files": .array(
        settings.files.map { file in
          [
            "from": .string(file.owner.rawValue), "path": .string(file.path), "found": .bool(file.settings != nil),
          ]
        }),
    ]
  }
}
