import Basics

/// What readers need of the document beside a waveform's blocks, besides the places of the blocks.
package struct WaveformSidecar: Hashable, Sendable, Decodable {
  /// The unit of the values; `nil` where the journal does not say what the blocks are.
  package let unit: String?
  /// The names of the channels, in the order of a frame's values.
  package let channels: [String]?

  /// The format of the document.
  package static let format = "station.waveform/1"
}

extension Bundle {
  /// The sidecar of a recording's waveform; `nil` if it cannot be read.
  package func waveformSidecar(of recording: TrialRecord.Recording) -> WaveformSidecar? {
    guard recording.file.hasSuffix(BundleFile.blocks) else { return nil }
    let file = "\(recording.file.dropLast(BundleFile.blocks.count)).json"
    guard let bytes = try? open(file).contents(limit: Self.largestResult) else { return nil }
    return try? JSONReader.read(bytes).value.decoded()
  }
}
