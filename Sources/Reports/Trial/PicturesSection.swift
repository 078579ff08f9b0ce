import Basics
import Bundles
import Quantities
import Study

extension ReportedTrial {
  /// The pictures that the participant's page has painted, and when; `nil` where there were none.
  var picturesSection: Section? {
    let screens = bundle.record.screens.filter { !$0.pictures.isEmpty }
    guard !screens.isEmpty else { return nil }
    let onset = bundle.record.playback?.onset
    let pictures = screens.flatMap { screen in
      screen.pictures.map { picture in
        Fact(
          screen.step,
          .given(picture.file) + StyledText(": " + time(of: screen.painted, from: onset) + size(of: picture.size)))
      }
    }
    return Section("Timing of the pictures", [.paragraph(StyledText(delaySentence)), .facts(pictures)])
  }

  private var delaySentence: String {
    guard let delay = bundle.record.monitor?.delay else {
      return "The delay of the monitor was not measured, and is not in these times; “station check screen” measures it."
    }
    return "The times include the delay of the monitor, \(delay.median.milliseconds.decimals(1)) ± "
      + "\(delay.uncertainty.milliseconds.decimals(1)) ms."
  }

  private func time(of painted: MeasuredTime, from onset: MeasuredTime?) -> String {
    let shown = "painted at \(seconds(painted.time.seconds, 3)) ± \(painted.uncertainty.milliseconds.decimals(1)) ms"
    guard let onset else { return shown }
    let late = (painted.time - onset.time).milliseconds
    return shown + ", \(late.magnitude.decimals(1)) ms \(late < 0 ? "before" : "after") the onset of the clip"
  }

  private func size(of size: PictureSize) -> String {
    let pixels = "; \(size.width.decimals(0)) × \(size.height.decimals(0)) pixels of a page"
    let width = size.widthInMillimetres.map { "\($0.decimals(1)) mm wide" } ?? "the width in millimetres is not known"
    return "\(pixels), \(width)"
  }
}
