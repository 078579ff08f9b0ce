import Recordings
import Testing

@testable import Analysis

@Suite("Artefact corrections")
struct ArtefactCorrectionTests {
  @Test(
    "are read from text, and written so that they are read again",
    arguments: [
      ("none", ArtefactCorrection.none, "none"), ("lipponen-tarvainen", .lipponenTarvainen, "lipponen-tarvainen"),
      ("range", .range(RangeFilter()), "range:300-2000"),
      ("range:300-2000", .range(RangeFilter(limits: 300...2000)), "range:300-2000"),
      ("range:272.5-1500", .range(RangeFilter(limits: 272.5...1500)), "range:272.5-1500"),
      ("range:300-2000,20%", .range(RangeFilter(greatestDeviation: 0.2)), "range:300-2000,20%"),
      ("range:300-2000,7%", .range(RangeFilter(greatestDeviation: 0.07)), "range:300-2000,7%"),
      ("range:300-2000,12.5%", .range(RangeFilter(greatestDeviation: 0.125)), "range:300-2000,12.5%"),
      ("range:300-1e308", .range(RangeFilter(limits: 300...1e308)), "range:300-1e+308"),
    ])
  func text(text: String, correction: ArtefactCorrection, description: String) {
    #expect(ArtefactCorrection(text) == correction)
    #expect("\(correction)" == description)
    #expect(ArtefactCorrection(description) == correction)
  }

  @Test("every form that is offered is one", arguments: ArtefactCorrection.words)
  func words(word: String) { #expect(ArtefactCorrection(word) != nil) }

  @Test(
    "other texts are none",
    arguments: [
      "", "kubios", "Range", "range:", "range:300", "range:2000-300", "range:300-300", "range:-300-2000",
      "range:0-2000", "range:300-inf", "range:nan-2000", "range:300-2000,", "range:300-2000,20", "range:300-2000,-20%",
      "range:300-2000,0%", "range:300-2000,20%,5%", "range:,20%", "range:300:2000", "none:300-2000",
    ])
  func others(text: String) { #expect(ArtefactCorrection(text) == nil) }

  @Test("does what it says")
  func correct() {
    var intervals = [Double](repeating: 800, count: 30)
    (intervals[10], intervals[20]) = (393, 1232)
    let series = IntervalSeries(intervals)
    #expect(ArtefactCorrection.none.correct(series) == CorrectedSeries(uncorrected: series))
    #expect(ArtefactCorrection.lipponenTarvainen.correct(series) == LipponenTarvainen().correct(series))
    #expect(ArtefactCorrection("range")?.correct(series).artefacts.isEmpty == true)
    let filtered = ArtefactCorrection("range:300-2000,20%")?.correct(series)
    #expect(filtered?.artefacts.map(\.index) == [10, 20])
    #expect(filtered?.method == "range filter: 300 to 2000 ms, at most 20 % away from the median of 11")
    #expect(ArtefactCorrection("range:400-1200")?.correct(series).artefacts.map(\.index) == [10, 20])
  }
}
