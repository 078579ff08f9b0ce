internal import Analysis
internal import Charts
internal import HeartCharts
internal import Recordings

extension HeartOfTrial {
  /// Charts, measures and artefacts of one sensor.
  func section(isOnlyOne: Bool) -> Section {
    let sensor = recording.sensor ?? "unnamed sensor"
    var blocks: [Block] = []
    if recording.isEmpty {
      blocks.append(.paragraph("Nothing was recorded that could be drawn or measured."))
    } else {
      blocks += blocksOfCharts
      blocks.append(.section(measuresSection))
      if let artefacts = artefactsSection { blocks.append(.section(artefacts)) }
    }
    if !recording.remarks.isEmpty {
      blocks.append(.section(Section("Remarks", [.list(recording.remarks.map { Words($0, .given) })])))
    }
    return Section(isOnlyOne ? "Heart" : "Heart, by the sensor “" + Words.given(sensor) + "”", blocks)
  }

  private var blocksOfCharts: [Block] {
    let stimulus = recording.trial?.stimulus == nil ? "" : "; the sound is shaded from its measured onset to its offset"
    let rate: Words = corrected == nil ? "Heart rate as the sensor told it" : "Heart rate from beat to beat"
    var blocks: [Block] = [.figures([Picture(chart: bare(charts.heartRate), caption: rate + Words(stimulus) + ".")])]
    guard corrected != nil else { return blocks }
    blocks.append(
      .figures([
        Picture(
          chart: bare(charts.tachogram),
          caption: "Each interval at the beat that ends it; what the correction of artefacts has changed is marked.")
      ]))
    blocks.append(
      .figures([
        Picture(
          chart: bare(charts.poincare), caption: "Each interval over the one before it, of the whole recording.",
          width: .half),
        Picture(
          chart: bare(charts.spectrum), caption: "Power by frequency, of the whole recording.", width: .half),
      ]))
    if recording.trial?.sounds.isEmpty == false {
      var responses = TrialResponses(
        ResponseSettings(baseline: hasBaseline ? .difference : .none), leavesOutBad: false)
      responses.add(charts)
      blocks.append(
        .figures([
          Picture(
            chart: bare(responses.chart),
            caption: hasBaseline
              ? "The heart rate of each second around the onset, less its mean in the 10 s before."
              : "The heart rate of each second around the onset; too little is known before it to tell a change.")
        ]))
    }
    return blocks
  }

  /// Whether enough is known before the onset to compare with.
  private var hasBaseline: Bool {
    analysed.response(ResponseSettings())?.baseline != nil
  }

  /// The chart without what the report says around it.
  private func bare<Kind: Chart>(_ chart: Kind) -> Kind {
    var chart = chart
    let caption = recording.trial?.caption.joined(separator: ", ") ?? ""
    chart.heading.subtitle.trimPrefix(caption)
    chart.heading.subtitle.trimPrefix(", ")
    return chart
  }
}
