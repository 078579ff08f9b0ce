internal import Analysis
internal import Charts
internal import Recordings

extension HeartOfTrial {
  /// Charts, measures and artefacts of one sensor.
  func section(isOnlyOne: Bool) -> Section {
    let sensor = recording.sensor ?? "unnamed sensor"
    var blocks: [Block] = []
    if recording.isEmpty {
      blocks.append(.paragraph("Nothing was recorded that could be drawn or measured."))
    } else {
      blocks += charts
      blocks.append(.section(measuresSection))
      if let artefacts = artefactsSection { blocks.append(.section(artefacts)) }
    }
    if !recording.remarks.isEmpty {
      blocks.append(.section(Section("Remarks", [.list(recording.remarks.map { Words($0, .given) })])))
    }
    return Section(isOnlyOne ? "Heart" : "Heart, by the sensor “" + Words.given(sensor) + "”", blocks)
  }

  private var stimuli: [StimulusMark] {
    (recording.trial?.sounds ?? []).map {
      StimulusMark(onset: $0.onset, offset: $0.offset, label: recording.trial?.clip ?? "sound")
    }
  }

  private var charts: [Block] {
    var blocks: [Block] = [
      .figures([
        Picture(
          chart: LineChart(
            Heading(title: "Heart rate"),
            plots: [.init("heart rate", recording.track.spans.map { DataPoint($0.end, $0.rate) })],
            vertical: .heartRate,
            stimuli: stimuli, longestJoin: 3),
          caption: "Heart rate from beat to beat; the sound is shaded from its measured onset to its measured offset.")
      ])
    ]
    guard let corrected else { return blocks }
    let changed = Set(corrected.artefacts.map(\.time))
    let series = corrected.corrected
    blocks.append(
      .figures([
        Picture(
          chart: Tachogram(
            Heading(title: "Intervals between beats"),
            intervals: zip(series.intervals, series.ends).map {
              .init(time: $1, milliseconds: $0, isCorrected: changed.contains($1))
            }, stimuli: stimuli),
          caption: "Each interval at the beat that ends it, after the correction of artefacts.")
      ]))
    return blocks
  }
}
