package import Basics
import Quantities
import Recordings

extension ChannelAnalysis {
  /// The analysis as JSON, in the recording's unit.
  package var json: JSONValue {
    let series = recording.series
    return [
      "path": .string(series.path), "sensor": .string(series.sensor), "recorder": .string(series.recorder),
      "quantityType": .string(series.type.identifier), "unit": .string(series.unit.symbol),
      "nominalRate_Hz": .finite(recording.nominalRate),
      "trial": recording.trial.map(RecordingAnalysis.json) ?? nil,
      "event": recording.event.map(RecordingAnalysis.json) ?? nil,
      "samples": .integer(series.times.count), "withoutContact": .integer(series.withoutContact),
      "measures": measured.json, "phases": .array(phases.map(\.json)),
      "response": settings.map { settings in response.map(json) ?? missing(settings) } ?? nil,
    ]
  }

  private func json(_ response: LockedResponse) -> JSONValue {
    [
      "onset_s": .finite(response.onset), "baseline": .finite(response.baseline),
      "baselineCoverage": .finite(response.baselineCoverage?.share), "reason": response.reason?.json ?? nil,
      "settings": json(response.settings),
      "bins": .array(
        response.bins.map { bin in
          [
            "from_s": .finite(bin.bounds.lowerBound), "to_s": .finite(bin.bounds.upperBound),
            "value": .finite(bin.value), "response": .finite(bin.response), "coverage": .finite(bin.coverage),
          ]
        }),
    ]
  }

  private func missing(_ settings: ResponseSettings) -> JSONValue {
    [
      "onset_s": nil, "baseline": nil, "baselineCoverage": nil, "reason": recording.onsetIsMissing.json,
      "settings": json(settings), "bins": [],
    ]
  }

  private func json(_ settings: ResponseSettings) -> JSONValue {
    var members = settings.json.object ?? [:]
    if settings.baseline != .percent { members["unit"] = .string(recording.series.unit.symbol) }
    return .object(members)
  }
}

extension ChannelMeasures {
  /// The window with its numbers.
  var json: JSONValue {
    [
      "window": RecordingAnalysis.json(placed), "samples": .integer(count), "coverage": .finite(coverage),
      "mean": .finite(numbers?.mean), "sd": .finite(numbers?.deviation), "min": .finite(numbers?.minimum),
      "median": .finite(numbers?.median), "max": .finite(numbers?.maximum),
      "slope_perMinute": .finite(numbers?.slope), "reason": missing?.json ?? nil,
    ]
  }
}
