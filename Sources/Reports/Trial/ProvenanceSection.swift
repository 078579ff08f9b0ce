internal import Bundles
internal import JSON
internal import Quantities
internal import Recordings
import Times

extension ReportedTrial {
  private var result: JSONValue { bundle.result }

  /// What each recorder holds; `nil` for a trial without recorders.
  var recordersSection: Section? {
    guard let recordings = result["recordings"]?.array, !recordings.isEmpty else { return nil }
    var gaps: [Words] = []
    let rows = recordings.map { recording -> DataTable.Row in
      for gap in recording["gaps"]?.array ?? [] {
        guard let start = gap["start_ns"]?.number, let end = gap["end_ns"]?.number else { continue }
        gaps.append(
          .given(recording["identifier"]?.string)
            + Words(": nothing from \(seconds(start / 1e9, 3)) to \(seconds(end / 1e9, 3)): ")
            + .given(gap["reason"]?.string))
      }
      let summary = recording["summary"]
      func number(_ key: String) -> Words { summary?[key]?.number.map { Words($0.decimals(1)) } ?? .none }
      let sensor = recording["sensor"]
      let device = sensor?["device"]?["name"]?.string.map { " (" + Words($0, .given) + ")" } ?? Words()
      return DataTable.Row([
        .given(recording["identifier"]?.string), .given(sensor?["name"]?.string) + device,
        .given(recording["step"]?.string), Words("\(recording["samples"]?.integer ?? 0)"),
        Words("\(recording["late"]?.integer ?? 0)"), number("min"), number("mean"), number("max"),
        .given(recording["unit"]?.string),
        sensor?["latency_ms"]?.number.map { Words($0.decimals(0)) } ?? .none,
      ])
    }
    var blocks: [Block] = [
      .table(
        DataTable(
          caption: "What each recorder holds, as the sensor told it, artefacts included",
          columns: [
            .init(title: "recorder"), .init(title: "sensor"), .init(title: "step"),
            .init(title: "samples", isNumber: true),
            .init(title: "late", isNumber: true), .init(title: "minimum", isNumber: true),
            .init(title: "mean", isNumber: true), .init(title: "maximum", isNumber: true), .init(title: "unit"),
            .init(title: "latency, ms", isNumber: true),
          ], groups: [.init(title: nil, rows: rows)]))
    ]
    blocks.append(
      .paragraph(
        Words(
          "Minimum, mean and maximum are of the values of the column “unit” that the sensor told between the recorder's start "
            + "and stop, each counting once; measures above are made of the intervals between beats where the sensor tells "
            + "those, without artefacts. “Late” are samples that arrived after the recorder had stopped and are of its time. "
            + "The latency is the time that the sensor takes to tell a beat; it has been taken off all times.",
          .faint)))
    blocks.append(
      gaps.isEmpty ? .paragraph("No recorder has a gap.") : .section(Section("Gaps", [.list(gaps)])))
    return Section("Recorders", blocks)
  }

  /// What is needed to find, check and make again what the report says.
  func provenanceSection(_ local: TimeZone) -> Section {
    let task = result["task"]
    let clock = result["clock"]
    let station = result["station"]
    var facts = [
      Fact("trial", .code(facts.trial)), Fact("format", .code(result["format"]?.string)),
      Fact("protocol SHA-256", .code(task?["protocolSha256"]?.string)),
      Fact("station", .code(station?["version"]?.string) + " on " + .given(station?["system"]?.string)),
      Fact("trial's zero", local.words(clock?["zero"]?.string.flatMap { .init($0) })),
    ]
    facts.append(Fact("calendar at zero", reading(clock, "uncertainty_ns", "synchronized")))
    if clock?["end"]?.string != nil {
      facts.append(Fact("calendar at the end", reading(clock, "endUncertainty_ns", "endSynchronized")))
    }
    if let drift = clock?["drift_ns"]?.number {
      facts.append(
        Fact("drift", Words("the calendar went \((drift / 1e6).change(3)) ms against the clock from zero to the end")))
    }
    if !files.isEmpty {
      facts.append(
        Fact(
          "files",
          problems.isEmpty
            ? Words("all \(files.count) are those that the manifest lists, by SHA-256, and no other is there")
            : "not what the manifest lists: see the summary"))
    }
    var blocks: [Block] = [.facts(facts)]
    if !files.isEmpty {
      blocks.append(
        .table(
          DataTable(
            caption: "Files of the bundle",
            columns: [.init(title: "file"), .init(title: "SHA-256 when the bundle was made")],
            groups: [.init(title: nil, rows: files.map { DataTable.Row([.code($0.path), .code($0.sha256)]) })])))
    }
    return Section("Provenance", blocks)
  }

  /// How well a reading of the calendar is known.
  private func reading(_ clock: JSONValue?, _ uncertainty: String, _ synchronized: String) -> Words {
    let known = clock?[uncertainty]?.number.map { "read within \(($0 / 1000).decimals(1)) µs" } ?? "read"
    let isSynchronized =
      clock?[synchronized]?.bool.map { $0 ? "synchronised" : "not synchronised" } ?? "perhaps not synchronised"
    return Words("\(known), \(isSynchronized) with a time server")
  }

  /// What to type to check the bundle, and to make the numbers again.
  func verificationSection(_ settings: ReportSettings) -> Section {
    let place = Whereabouts(bundle: bundle.path)
    let path = place.word
    return Section(
      "How to verify and repeat",
      [
        .paragraph(
          Words(
            "The bundle is whole and unchanged when this, in \(place.folder), says so; it compares every file with the "
              + "manifest, and makes result and heart data again of the journal:")),
        .command("station verify \(path)"),
        .paragraph("Whether the draw of the clip holds:"), .command("station show --replay \(path)"),
        .paragraph("Without a station, any program for BagIt does, or:"),
        .command("cd \(path) && sha256sum --check manifest-sha256.txt"),
      ] + place.analysis(settings, hasResponse: recordings.contains { $0.event != nil && !$0.isEmpty }))
  }
}
