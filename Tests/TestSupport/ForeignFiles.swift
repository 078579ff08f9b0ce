/// Beginnings of files that hold no recording in a form that is read, each with a word of what is said of it.
package enum ForeignFiles: Sendable {
  /// Texts of other programs that neither an analysis nor a replay nor an import takes.
  package static let texts: [(text: String, word: String)] = [
    ("<?xml version=\"1.0\"?>\n<kml xmlns=\"x\">", "KML"), ("<!DOCTYPE html><html>", "web page"),
    ("Kubios HRV analysis\n1,2\n", "report of Kubios"), ("{\\rtf1\\ansi", "RTF"),
    ("<?xml version=\"1.0\"?><ClinicalDocument>", "clinical document"),
    (#"{"resourceType":"Observation","value":1}"#, "FHIR"),
    (#"[{"type":"heartrate","data":[60,61],"series_type":"time"}]"#, "Strava"),
    (#"{"heartrate":{"data":[60,61]},"time":{"data":[0,1]}}"#, "Strava"),
    ("{\"exercises\":[{\"samples\":{}}]}", "Polar Flow"),
    ("{\"kind\":\"trial.open\",\"t_ns\":0}\n{}", "journal of a trial"), ("%PDF-1.7", "PDF"), ("BZh9", "bzip2"),
  ]

  /// Files that are no UTF-8 text.
  package static let binary: [(bytes: [UInt8], word: String)] = [
    ([0x89] + Array("PNG".utf8), "PNG"), ([0xFF, 0xD8, 0xFF, 0xE0], "JPEG"), ([0x93] + Array("NUMPY".utf8), "NumPy"),
    ([0xD0, 0xCF, 0x11, 0xE0], "Excel"),
    ([0xFF, 0xFE, 0x74, 0], "UTF-16;"), ([0x74, 0, 0x69, 0, 0x6D, 0, 0x65, 0], "UTF-16LE;"),
    ([0, 0x74, 0, 0x69, 0, 0x6D, 0, 0x65], "UTF-16BE;"), ([0xFF, 0xFE, 0, 0, 0x74, 0, 0, 0], "UTF-32;"),
    ([0x74, 0, 0, 0, 0x69, 0, 0, 0], "UTF-32LE;"), ([1, 2, 0, 4, 5], "binary"),
    (Array("gr".utf8) + [0xF6] + Array("ße\n".utf8), "WINDOWS-1252"), ([0x1F, 0x8B, 8], "gzip"),
  ]
}
