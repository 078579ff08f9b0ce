import Basics
import Study

/// What became of a trial's markers.
struct MarkerAccount {
  /// The markers, in the order in which they were sent or failed.
  private(set) var markers: [SentMarker] = []

  mutating func take(_ event: JournalEvent) { if case .marked(let marker) = event { markers.append(marker) } }

  /// The markers of onsets and offsets that failed, for each output: how many, and why the first did.
  ///
  /// Without one of the others, such as that of the trial's beginning, recordings can still be aligned.
  var failures: [Caveat] {
    let all = markers.filter { $0.failure != nil && ($0.event == .onset || $0.event == .offset) }
    var order: [String] = []
    for marker in all where !order.contains(marker.output) { order.append(marker.output) }
    return order.map { output in
      let failed = all.filter { $0.output == output }
      return .markersFailed(output: output, count: failed.count, reason: failed.first?.failure ?? "")
    }
  }

  /// The codes that were sent further from the onset than is tolerated.
  func shifts(from segments: [TrialRecord.Segment], beyond tolerance: Duration) -> [Caveat] {
    markers.compactMap { marker in
      guard marker.code != nil, marker.event == .onset, marker.failure == nil, let sent = marker.sent,
        let onset = segments.last(where: { $0.segment == marker.segment })?.onset
      else { return nil }
      let distance = sent.time - onset.time
      return abs(distance.seconds) > tolerance.seconds ? .markerShifted(output: marker.output, by: distance) : nil
    }
  }
}
