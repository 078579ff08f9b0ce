/// The formats in which watches, chest straps and their programs export what they recorded.
package enum DeviceFormat: String, CaseIterable, Hashable, Sendable {
  /// The binary files of Garmin and many other makers.
  case fit
  /// Tracks with heart rates in their extensions.
  case gpx
  /// A training session as Polar Flow exports it in CSV.
  case polarFlow
  /// The text files of Polar's older programs.
  case polarHRM
  /// Activities of Garmin's Training Center.
  case tcx

  /// What a file is, for messages.
  package var title: String {
    switch self {
    case .fit: "FIT file"
    case .gpx: "GPX track"
    case .polarFlow: "session exported by Polar Flow"
    case .polarHRM: "Polar HRM file"
    case .tcx: "TCX file"
    }
  }
}
