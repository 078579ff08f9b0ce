import Basics
import Study

extension Bundle {
  /// The draw of the clip and its repetition in words, and why the clip could not be drawn again.
  package var replayedDraw: (lines: [String], problem: String?) {
    guard let draw = record.clip?.draw else {
      return (["no clip was drawn: the protocol names its clip, or has none"], nil)
    }
    let drawn = (draw.drawn ?? "none").visible
    let lines = [
      "drawn: “\(drawn)”, number \(draw.index) of \(draw.candidates.count), counted from 0",
      "seed \(draw.seed), generator \(draw.generator), purpose “\(draw.purpose)”",
    ]
    guard let again = draw.repeated() else {
      return (lines, "cannot repeat the draw: this station has no generator “\(draw.generator)”")
    }
    guard draw.holds, record.clip?.clip.name == draw.drawn else {
      return (lines, "the repeated draw gives another clip: “\((again.drawn ?? "none").visible)”")
    }
    return (lines + ["repeated draw: “\(drawn)”, the same clip"], nil)
  }
}
