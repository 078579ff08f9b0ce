import Analysis
import Charts
import Recordings

extension ReportedHeart {
  /// The charts, measures and artefacts of one sensor.
  func section(isOnlyOne: Bool) -> Section {
    let sensor = recording.sensor ?? "unnamed sensor"
    var blocks: [Block] = []
    if recording.isEmpty {
      blocks.append(.paragraph("Nothing was recorded that could be drawn or measured."))
    } else {
      blocks += blocksOfCharts
      blocks.append(.section(measuresSection))
      if let artefacts = artefactsSection { blocks.append(.section(artefacts)) }
      if let corrections = correctionsSection { blocks.append(.section(corrections)) }
    }
    if !recording.caveats.isEmpty {
      blocks.append(.section(Section("Caveats", [.list(recording.caveats.map { StyledText("\($0)", .given) })])))
    }
    return Section(isOnlyOne ? "Heart" : "Heart, by the sensor “" + StyledText.given(sensor) + "”", blocks)
  }

  private var blocksOfCharts: [Block] {
    let stimulus: StyledText =
      switch recording.event {
      case let event? where event.window == nil: ""
      case let event? where event.source == .stimulus: "; the sound is shaded from its measured onset to its offset"
      case let event?: "; shaded is " + StyledText.given("\(event.source.title)")
      case nil: ""
      }
    let rate = corrected == nil ? "Heart rate as the sensor reported it" : "Heart rate from beat to beat"
    let mean =
      !charts.heartRate.annotations.references.isEmpty
      ? " The dashed line is the mean from the first beat to the onset, each moment counting alike." : ""
    var blocks: [Block] = [
      .figures([
        CaptionedChart(chart: bare(charts.heartRate), caption: StyledText(rate) + stimulus + StyledText(".\(mean)"))
      ])
    ]
    if corrected != nil { blocks += blocksOfVariability }
    return blocks + blocksOfResponse
  }

  /// The intervals, and the charts behind the variability measures.
  ///
  /// They cover one phase, since a change of rate between phases is not variability.
  private var blocksOfVariability: [Block] {
    let tachogram = CaptionedChart(
      chart: bare(charts.tachogram),
      caption:
        "Each interval at the beat that ends it; what people or the correction of artefacts have changed is marked.")
    guard let phase = mainPhase, let bounds = phase.measured.placed.bounds else { return [.figures([tachogram])] }
    let part = charts.cut(from: bounds.lowerBound, to: bounds.upperBound)
    let title = phase.measured.placed.title
    return [
      .figures([tachogram]),
      .figures([
        CaptionedChart(
          chart: bare(part.poincare), caption: StyledText("Each interval over the one before it, of \(title)."),
          width: .half),
        CaptionedChart(
          chart: bare(part.spectrum), caption: StyledText("Power by frequency, of \(title)."), width: .half),
      ]),
    ]
  }

  /// The heart rate around the onset, as a chart and a table; empty if no onset was measured.
  private var blocksOfResponse: [Block] {
    guard var response = analysed.response(settings.response) else { return [] }
    if response.baseline == nil { response = response.withoutBaseline }
    let settings = response.settings
    let lacks = settings.baseline != self.settings.response.baseline
    let caption = settings.sentence + (lacks ? "; too little is known before it to compute a change." : ".")
    let table = Block.details("The response in numbers", [.table(Self.table(response, caption))])
    guard recording.trial != nil else { return [table] }
    var responses = TrialResponses(settings, leavingOut: [])
    let place = TrialPlace(path: recording.path)
    responses.add([TrialResponse(of: recording, at: place, response, analysed.settings.correction)], of: recording)
    return [.figures([CaptionedChart(chart: bare(responses.chart), caption: StyledText(caption))]), table]
  }

  private static func table(_ response: LockedResponse, _ caption: String) -> DataTable {
    let baseline = response.settings.baseline
    let change =
      baseline == .none
      ? [] : [DataTable.Column(title: StyledText("change, \(response.settings.unit)"), isNumber: true)]
    let rows = response.bins.map { bin in
      let rate = bin.value.map { StyledText($0.decimals(1)) } ?? .none
      let changed = baseline == .none ? [] : [bin.response.map { StyledText($0.change(1)) } ?? .none]
      return DataTable.Row(
        [StyledText(bin.bounds.lowerBound.shortest), StyledText(bin.bounds.upperBound.shortest), rate] + changed
          + [StyledText((100 * bin.coverage).decimals(0))])
    }
    let mean = response.baseline.map { " The mean is \($0.decimals(1)) /min." } ?? ""
    return DataTable(
      caption: StyledText(caption + mean),
      columns: [
        .init(title: "from, s", isNumber: true), .init(title: "to, s", isNumber: true),
        .init(title: "heart rate, /min", isNumber: true),
      ] + change + [.init(title: "known, %", isNumber: true)],
      groups: [.init(title: nil, rows: rows)])
  }

  /// The chart without the caption, which the report itself gives.
  private func bare<Kind: Chart>(_ chart: Kind) -> Kind {
    var chart = chart
    let caption = recording.trial?.caption.joined(separator: ", ") ?? ""
    chart.heading.subtitle.trimPrefix(caption)
    chart.heading.subtitle.trimPrefix(", ")
    return chart
  }
}

extension ResponseSettings {
  /// A description of the response, without a full stop.
  var sentence: String {
    let window = "from \(baselineWindow.lowerBound.shortest) to \(baselineWindow.upperBound.shortest) s"
    let compared =
      switch baseline {
      case .none: ""
      case .difference: ", less its mean \(window)"
      case .percent: ", as its change from the mean \(window), in percent"
      }
    return "The heart rate of each \(binWidth.shortest) s around the onset\(compared)"
  }
}
