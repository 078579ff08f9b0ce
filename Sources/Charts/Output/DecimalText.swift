/// A coordinate or length in an SVG file, rounded to hundredths without trailing zeros.
func hundredths(_ number: Double) -> String {
  let rounded = Int((number * 100).rounded())
  let (whole, rest) = (rounded.magnitude / 100, rounded.magnitude % 100)
  var text = rounded < 0 ? "-" : ""
  if whole > 0 || rest == 0 { text += String(whole) }
  if rest > 0 { text += rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)" }
  return text
}
