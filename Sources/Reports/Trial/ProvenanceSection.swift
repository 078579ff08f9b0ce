import Analysis
import Basics
import Bundles
import Quantities
import Recordings
import Study

extension ReportedTrial {
  private var record: TrialRecord { bundle.record }

  /// The data of each recorder; `nil` for a trial without recorders.
  var recordersSection: Section? {
    guard !record.recordings.isEmpty else { return nil }
    let gaps = record.recordings.flatMap { recorder in
      recorder.gaps.map { gap in
        let (start, end) = (gap.span.from.seconds, gap.span.to.seconds)
        return .given(recorder.recorder.identifier)
          + StyledText(": nothing from \(seconds(start, 3)) to \(seconds(end, 3)): ")
          + .given("\(gap)")
      }
    }
    let rows = record.recordings.map { recorder -> DataTable.Row in
      func number(_ value: Double?) -> StyledText {
        value.map { StyledText(recorder.isOfHeartbeats ? $0.decimals(1) : $0.brief) } ?? .none
      }
      let sensor = recorder.recorder.sensor
      let device = sensor.device?.name.map { " (" + StyledText($0, .given) + ")" } ?? StyledText()
      return DataTable.Row([
        .given(recorder.recorder.identifier), .given(sensor.name) + device, .given(recorder.recorder.step),
        StyledText("\(recorder.samples)"),
        StyledText("\(recorder.late)"), number(recorder.summary?.min), number(recorder.summary?.mean),
        number(recorder.summary?.max), .given(recorder.recorder.configuration.unit.symbol),
        StyledText(sensor.latency.milliseconds.decimals(0)),
      ])
    }
    var blocks: [Block] = [
      .table(
        DataTable(
          caption: "What each recorder holds, as the sensor reported it, artefacts included",
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
        StyledText(
          "Minimum, mean and maximum are of the values of the column “unit” that the sensor reported between the recorder's start "
            + "and stop, each counting once; measures above are made of the intervals between beats where the sensor reports "
            + "those, without artefacts. “Late” are samples that arrived after the recorder had stopped and are of its time. "
            + "The latency is the time that the sensor takes to report a beat; it has been subtracted from all times.",
          .faint)))
    blocks.append(
      gaps.isEmpty ? .paragraph("No recorder has a gap.") : .section(Section("Gaps", [.list(gaps)])))
    return Section("Recorders", blocks)
  }

  /// The information needed to find, verify and reproduce the report's data.
  func provenanceSection(_ local: TimeZone) -> Section {
    var facts = [
      Fact("trial", .code(facts.trial)), Fact("format", .code(record.format)),
      Fact("protocol SHA-256", .code(record.studyProtocol.sha256)),
      Fact("station", .code(record.station.version) + " on " + .given(record.station.system)),
      Fact("trial's zero", local.words(record.zero.wall)),
    ]
    facts.append(Fact("calendar at zero", words(record.zero)))
    if let reading = record.closing.calendar { facts.append(Fact("calendar at the end", words(reading))) }
    if let drift = record.drift {
      facts.append(
        Fact(
          "drift",
          StyledText("the calendar went \(drift.milliseconds.change(3)) ms against the clock from zero to the end"))
      )
    }
    if !files.isEmpty {
      facts.append(
        Fact(
          "files",
          problems.isEmpty
            ? StyledText("all \(files.count) are those that the manifest lists, by SHA-256, and no other is there")
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

  /// The uncertainty of a wall-clock time.
  private func words(_ reading: CalendarReading) -> StyledText {
    let known = "read within \((1000 * reading.uncertainty.milliseconds).decimals(1)) µs"
    let isSynchronized =
      reading.isSynchronized.map { $0 ? "synchronised" : "not synchronised" } ?? "perhaps not synchronised"
    return StyledText("\(known), \(isSynchronized) with a time server")
  }

  /// The commands that verify the bundle and reproduce the numbers.
  func verificationSection(_ settings: ReportSettings) -> Section {
    let place = Whereabouts(bundle: bundle.path)
    let path = place.word
    return Section(
      "How to verify and repeat",
      [
        .paragraph(
          StyledText(
            "The bundle is complete and its checksums match when this, in \(place.folder), says so; it compares every file with the "
              + "manifest, and makes result and heart data again of the journal:")),
        .command("station verify \(path)"),
        .paragraph("Whether the draw of the clip holds:"), .command("station show --replay \(path)"),
        .paragraph("Without a station, any program for BagIt does, or:"),
        .command("cd \(path) && sha256sum --check manifest-sha256.txt"),
      ] + place.analysis(settings, hasResponse: recordings.contains { $0.event != nil && !$0.isEmpty }))
  }
}
