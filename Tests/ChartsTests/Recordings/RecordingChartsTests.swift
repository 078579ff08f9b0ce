import Testing

@testable import Analysis
@testable import Charts
@testable import Recordings

@Suite("Charts of a recording")
struct RecordingChartsTests {
  static let kinds = ["heart rate", "range", "tachogram", "Poincaré", "spectrum"]

  static func chart(_ kind: String, _ charts: RecordingCharts) -> any Chart {
    switch kind {
    case "heart rate": charts.heartRate
    case "range": charts.ranges
    case "tachogram": charts.tachogram
    case "Poincaré": charts.poincare
    default: charts.spectrum
    }
  }

  @Test("Each kind says in a sentence that nothing was recorded", arguments: kinds)
  func nothing(kind: String) {
    let chart = Self.chart(kind, RecordingCharts(Trials.recording()))
    #expect(chart.braille(columns: 100).contains("No heart data were recorded in this trial"))
    #expect(chart.svg().contains("No heart data were recorded in this trial"))
  }

  @Test("One interval among many rates does not hide them, and a part stays locked to what the whole is")
  func oneInterval() {
    var recording = Recording(
      path: "few.json", beats: IntervalSeries([1000], ends: [30]),
      rates: HeartRates((0..<60).map { (time: Double($0), value: 75) }))
    recording.events = [.seconds(20, 40)]
    let charts = RecordingCharts(recording)
    let chart = charts.heartRate
    #expect(chart.plots[0].points.count == 60 && chart.heading.subtitle.contains("as the sensor said"))
    #expect(charts.source == .heartRates)
    #expect(chart.horizontal.title == "Time in the recording")
    #expect(chart.annotations.stimuli.map(\.onset) == [20] && chart.annotations.stimuli.map(\.offset) == [40])
    #expect(charts.cut(from: 30, to: 50).heartRate.annotations.stimuli.count == 1)
    #expect(charts.cut(from: 45, to: 50).heartRate.annotations.stimuli.isEmpty)
  }

  @Test(
    "The mean before the onset is the one that is measured there, and is left out where that has none",
    arguments: [(0.535, false), (20.0, true), (20.4, true)])
  func meanBefore(onset: Double, isKnown: Bool) throws {
    // The first beat began half a second after the trial's zero.
    let beats = Trials.beats(Array(repeating: 1000, count: 20) + Array(repeating: 800, count: 40), from: 0.5)
    let recording = Trials.recording(beats, trial: Trials.facts(onset...onset + 20))
    let analysed = AnalysedRecording(recording)
    let lines = RecordingCharts(analysed).heartRate.annotations.references
    let measured = analysed.measured(in: .preStimulus, [.timeWeightedHeartRate]).measurements[0].value
    #expect((measured != nil) == isKnown && lines.map(\.value) == [measured].compactMap(\.self))
    if isKnown { #expect((lines[0].value - 60).magnitude < 1e-9) }
  }

  @Test("A part has the rates that measures of the same window are taken from: that at its beginning came before")
  func ratesAtEdges() throws {
    let rates = (0..<60).map { (time: Double($0), value: 60 + Double($0)) }
    let recording = Recording(path: "rates.csv", rates: HeartRates(rates))
    let drawn = RecordingCharts(recording).cut(from: 10, to: 20).heartRate.plots[0].points.map(\.y)
    #expect(drawn == recording.ratesTrack.cut(from: 10, to: 20).spans.map(\.rate))
    #expect(drawn == (11...20).map { 60 + Double($0) })
  }

  @Test("Ranges are drawn of a recording far from its event", arguments: [-1e9, 1e9, 1e18, -1e300])
  func farEvent(onset: Double) throws {
    var recording = Recording(path: "rates.csv", rates: HeartRates((0..<60).map { (time: Double($0), value: 75) }))
    recording.events = [.seconds(onset, nil)]
    let ranges = RecordingCharts(recording).ranges.plots[0].ranges
    #expect(ranges.count { !$0.isUnset } == 1 && ranges.contains { $0.minimum == 75 && $0.maximum == 75 })
  }

  @Test("A sensor without intervals has a heart rate, and the other kinds say what is missing", arguments: kinds)
  func ratesAlone(kind: String) {
    let rates = (0..<60).map { (time: Double($0), value: 60 + Double($0 % 7)) }
    let text = Self.chart(kind, RecordingCharts(Trials.recording(rates: rates))).braille(columns: 100)
    #expect(text.contains("and no intervals between beats") == !["heart rate", "range"].contains(kind))
    #expect(!text.contains("No heart data"))
  }

  @Test("One beat is drawn, or is said to be too little", arguments: kinds)
  func oneBeat(kind: String) {
    let chart = Self.chart(kind, RecordingCharts(Trials.recording(Trials.beats([800]))))
    let text = chart.braille(columns: 100)
    switch kind {
    case "Poincaré": #expect(text.contains("No two intervals follow each other"))
    case "spectrum": #expect(text.contains("There are too few intervals without a gap for a spectrum."))
    default: #expect(!text.contains("No heart data"))
    }
    #expect(chart.svg().hasSuffix("</svg>\n"))
  }

  @Test("What is not a number is left out, in intervals and in rates", arguments: kinds)
  func noNumbers(kind: String) {
    let recording = Trials.recording(
      IntervalSeries([.nan, 900, -5, .infinity, 910], ends: [1, 2, 3, 4, 5]), rates: [(1, .nan), (.infinity, 60)])
    let charts = RecordingCharts(recording)
    let values: [Double] =
      switch kind {
      case "heart rate": charts.heartRate.plots[0].points.map { 60_000 / $0.y }
      case "range": charts.ranges.plots[0].ranges.filter { !$0.isUnset }.map { 60_000 / $0.minimum }
      case "tachogram": charts.tachogram.intervals.map(\.milliseconds)
      case "Poincaré": charts.poincare.intervals
      default: charts.spectrum.points.flatMap { [$0.x, $0.y] }
      }
    let known = values.filter { !$0.isNaN }.map { $0.rounded() }
    #expect(known == (kind == "spectrum" ? [] : [900, 910]))
    #expect(charts.heartRate.plots[0].points.map(\.x) == charts.tachogram.intervals.map(\.time))
    let words = Self.chart(kind, charts).svg().split { !$0.isLetter || $0.isUppercase }
    #expect(!words.contains { ["nan", "inf"].contains($0) })
  }

  @Test("A gap stays open in the heart rate and in the intervals")
  func gap() {
    let charts = RecordingCharts(Trials.recording(Trials.withGap))
    let points = charts.heartRate.plots[0].points
    let open = points.indices.filter { points[$0].y.isNaN }
    #expect(open == [20])
    #expect(points[19].x < points[20].x && points[20].x < points[21].x)
    #expect(charts.tachogram.intervals.filter { $0.milliseconds.isNaN }.count == 1)
  }

  @Test(
    "Rates that a sensor gives evenly are joined, however far apart; one that stands for a time alone is not",
    arguments: [(step: 1.0, gap: 2.1), (step: 1, gap: 3.5), (step: 5, gap: 11), (step: 60, gap: 200)])
  func rateGap(step: Double, gap: Double) {
    var time = 0.0
    let rates = (0..<20).map { index -> (time: Double, value: Double) in
      time += index == 10 ? gap : step
      return (time, 60 + Double(index))
    }
    let points = RecordingCharts(Trials.recording(rates: rates)).heartRate.plots[0].points
    #expect(points.indices.filter { points[$0].y.isNaN } == [10])
    #expect(points.filter(\.y.isFinite).map(\.y) == rates.map(\.value))
  }

  @Test("The stimulus is marked where it was measured, and the heart rate before it is a line")
  func stimulus() throws {
    let beats = Trials.beats(Array(repeating: 1000, count: 30) + Array(repeating: 800, count: 50))
    let charts = RecordingCharts(Trials.recording(beats, trial: Trials.facts(30.0...50.25)))
    let chart = charts.heartRate
    #expect(chart.annotations.stimuli == [StimulusMark(onset: 30, offset: 50.25, label: "calm")])
    #expect(charts.tachogram.annotations == Annotations(stimuli: chart.annotations.stimuli))
    #expect(try #require(chart.annotations.references.first).value == 60)
    #expect(chart.annotations.references[0].label == "mean before onset 60.0")
    #expect(RecordingCharts(Trials.recording(beats)).heartRate.annotations.references.isEmpty)
  }

  @Test("A heart rate of which little is known before the onset has no line for it")
  func noBaseline() {
    let beats = Trials.beats(Array(repeating: 1000, count: 40), from: 28)
    let recording = Trials.recording(beats, trial: Trials.facts(28.0...50))
    #expect(RecordingCharts(recording).heartRate.annotations.references.isEmpty)
  }

  @Test("Beats that were corrected are marked, and those that were recorded are not")
  func corrected() {
    var intervals = Trials.irregular(120)
    // A beat that was not detected.
    intervals[60] += intervals.remove(at: 61)
    let charts = RecordingCharts(Trials.recording(Trials.beats(intervals)))
    #expect(charts.tachogram.intervals.indices.filter { charts.tachogram.intervals[$0].isCorrected } == [60, 61])
    #expect(charts.tachogram.heading.subtitle.contains("119 intervals, 1 artefact corrected"))
    let raw = RecordingCharts(Trials.recording(Trials.beats(intervals)), AnalysisSettings(correction: .none))
    #expect(!raw.tachogram.intervals.contains { $0.isCorrected })
    #expect(raw.tachogram.intervals.map(\.milliseconds) == intervals)
  }

  @Test(
    "Ranges hold every heart rate, in thirty intervals at most",
    arguments: [0.5, 7, 29, 30, 31, 100, 299, 3600, 86_400, 400_000])
  func ranges(duration: Double) throws {
    let rates = (0...200).map { (time: 12 + duration * Double($0) / 200, value: 60 + Double($0 * 7 % 13)) }
    let chart = RecordingCharts(Trials.recording(rates: rates)).ranges
    let ranges = try #require(chart.plots.first).ranges
    #expect(ranges.count <= 30)
    #expect(ranges.filter { !$0.isUnset }.map(\.minimum).min() == 60)
    #expect(ranges.filter { !$0.isUnset }.map(\.maximum).max() == 72)
  }

  @Test("Ranges are as long as they are asked to be, empty where nothing is known, and the sound lies where it sounded")
  func widths() throws {
    let rates = [(time: 1.0, value: 60.0), (time: 9.5, value: 70), (time: 31, value: 65)]
    let charts = RecordingCharts(Trials.recording(rates: rates, trial: Trials.facts(10.0...25)))
    let chart = try charts.ranges(width: 10)
    #expect(chart.intervals == .even(from: 0, length: 10))
    #expect(chart.horizontal.range == 0...40)
    #expect(chart.plots[0].ranges == [ValueRange(60, 70), .unset, .unset, ValueRange(65)])
    // On an axis of time, where it sounded.
    #expect(chart.annotations.stimuli == [StimulusMark(onset: 10, offset: 25, label: "calm")])
    #expect(try charts.ranges(width: 0.5).heading.subtitle.contains("every 0.5 s"))
  }

  @Test(
    "A length that would make more intervals than can be drawn is refused, with one that would do",
    arguments: [(1e9, 0.1), (86_400, 0.1), (1e280, 10), (1e300, 1)])
  func tooManyIntervals(last: Double, width: Double) throws {
    let charts = RecordingCharts(Trials.recording(rates: [(time: 0, value: 60), (time: last, value: 61)]))
    #expect(charts.ranges.svg().hasSuffix("</svg>\n"))
    guard last < 1e290 else {
      // Such a time cannot be drawn, and the one that can is alone.
      #expect(try charts.ranges(width: width).plots[0].ranges == [ValueRange(60)])
      return
    }
    do {
      _ = try charts.ranges(width: width)
      Issue.record("nothing was refused")
    } catch {
      #expect(try charts.ranges(width: error.least * 1.0001).plots[0].ranges.count <= 2001)
      #expect(error.description.contains("or longer can be"))
      if last == 86_400 {
        #expect(
          error.description == "intervals of 0.1 s would be 864001 of them, and 2000 are the most that are drawn; "
            + "intervals of 43.3 s or longer can be")
      }
    }
  }

  @Test("Of a short window spectrum and ellipse say that it is too short, and for what")
  func tooShort() {
    let charts = RecordingCharts(Trials.recording(Trials.breathing(25)), AnalysisSettings(correction: .none))
    let spectrum = charts.spectrum
    #expect(spectrum.heading.subtitle.contains("s is too short for LF and HF"))
    #expect(spectrum.heading.subtitle.contains("no frequency in VLF"))
    #expect(spectrum.heading.subtitle.contains("Welch, window Hann"))
    // What cannot be had is not shaded.
    #expect(spectrum.bands.map(\.name) == ["LF", "HF"])
    #expect(spectrum.svg().contains(" LF: The window of "))
    #expect(charts.poincare.heading.subtitle.contains("s is too short for SD1 and SD2"))
    let long = RecordingCharts(Trials.recording(Trials.breathing(3200)), AnalysisSettings(correction: .none))
    #expect(!long.spectrum.heading.subtitle.contains("short") && !long.poincare.heading.subtitle.contains("short"))
    #expect(long.spectrum.bands.count == 3)
  }

  @Test("In a Poincaré plot no interval follows one from before a gap, and the ellipse is that of the measures")
  func poincare() throws {
    let charts = RecordingCharts(Trials.recording(Trials.withGap), AnalysisSettings(correction: .none))
    let chart = charts.poincare
    #expect(chart.intervals.count == 41 && chart.intervals[20].isNaN)
    let analysis = HeartAnalysis(Trials.withGap)
    let ellipse = try #require(chart.ellipse)
    #expect(ellipse.sd1 == analysis.measurement(.sd1).value)
    #expect(ellipse.sd2 == analysis.measurement(.sd2).value)
    #expect(ellipse.mean == analysis.measurement(.meanNN).value)
  }

  @Test("A spectrum is that of the preset's measures, with its bands", arguments: AnalysisPreset.named.map(\.name))
  func spectrum(name: String) throws {
    let preset = try #require(AnalysisPreset.named.first { $0.name == name })
    let beats = Trials.breathing(300)
    let chart = RecordingCharts(Trials.recording(beats), AnalysisSettings(preset: preset, correction: .none)).spectrum
    let spectrum = try #require(HeartAnalysis(beats, preset: preset).powerSpectrum)
    #expect(chart.points.map(\.y) == spectrum.densities)
    #expect(chart.bands.last?.to == preset.spectrum.hf.upperBound)
    #expect(chart.heading.subtitle.contains("preset “\(name)”"))
  }

  @Test("A part holds what lies wholly in it, at its own times, and the sounds that were heard in it")
  func cut() {
    let charts = RecordingCharts(Trials.recording(Trials.breathing(100), trial: Trials.facts(40.0...60)))
    let rest = charts.cut(from: 0, to: 39)
    #expect(rest.heartRate.plots[0].points.allSatisfy { $0.x <= 39 })
    #expect(rest.heartRate.annotations.stimuli.isEmpty)
    let music = charts.cut(from: 39, to: 62)
    #expect(music.heartRate.annotations.stimuli.count == 1)
    #expect(music.heartRate.plots[0].points.allSatisfy { $0.x >= 40 && $0.x <= 62 })
    let rates = RecordingCharts(Trials.recording(rates: [(1, 60), (5, 61), (9, 62)])).cut(from: 4, to: 6)
    #expect(rates.heartRate.plots[0].points == [DataPoint(5, 61)])
  }

  @Test("What sounds while a trial runs is shaded up to the present, and marked at its onset alone")
  func live() {
    let chart = LineChart.heartRates(
      [("strap", HeartRates([(time: 3, value: 62), (time: 1, value: 60), (time: 2, value: 61)]))],
      sounds: [TrialFacts.Sound(onset: 2)], clip: "calm", window: 0...10, now: 8)
    #expect(chart.plots.map(\.name) == ["strap"])
    // One that came late stands at its time.
    #expect(chart.plots[0].points.map(\.x) == [1, 2, 3])
    #expect(chart.annotations.spans == [ShadedSpan(from: 2, to: 8, label: "calm")])
    #expect(chart.annotations.instants == [MarkedInstant(at: 2, label: "onset")])
    let over = LineChart.heartRates(
      [], sounds: [TrialFacts.Sound(onset: 2, offset: 4)], clip: nil, window: 0...10, now: 10)
    #expect(over.annotations.stimuli == [StimulusMark(onset: 2, offset: 4, label: "sound")])
    #expect(over.braille().contains("No heart rate yet"))
    let gone = LineChart.heartRates(
      [], sounds: [TrialFacts.Sound(onset: 2, offset: 4)], clip: nil, window: 5...10, now: 10)
    #expect(gone.annotations.stimuli.isEmpty)
    let silent = LineChart.heartRates(
      [("strap", HeartRates([(time: 3, value: 62)]))], sounds: [], clip: nil, window: 100...700, now: 700)
    #expect(silent.isEmpty && silent.braille().contains("No heart rate in the time that is shown"))
  }

  @Test("A file of a simulated sensor is marked in every chart", arguments: kinds)
  func simulated(kind: String) {
    for (sensor, isMarked) in [("simulated:seed=7", true), ("strap", false)] {
      let recording = Recording(path: "heart.json", sensor: sensor, beats: Trials.breathing(400))
      let charts = RecordingCharts(recording)
      #expect(Self.chart(kind, charts).svg().contains("simulated data") == isMarked)
      var ranges = TrialRanges(by: .clip)
      ranges.add(charts)
      #expect(ranges.chart.heading.isSimulated == isMarked)
    }
  }
}
