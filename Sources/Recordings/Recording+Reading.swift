public import Bundles
internal import Files
internal import JSON

extension Recording {
  /// The recordings of a bundle, in the order of its heart file.
  ///
  /// - Throws: ``RecordingError`` where the heart file cannot be read.
  public static func read(_ bundle: Bundle) throws(RecordingError) -> [Recording] {
    try heart(bundle.heartFile, path: bundle.path, trial: TrialFacts(bundle))
  }

  static func heart(_ file: String, path: String, trial: TrialFacts?) throws(RecordingError) -> [Recording] {
    let document: JSONValue
    do {
      document = try JSONReader.read(try File.contents(of: file)).value
    } catch {
      throw .unreadable(path: path, reason: "\(error)")
    }
    guard let items = document["items"]?.array else { throw .unreadable(path: path, reason: "it has no “items”") }
    var heart = HeartDocument()
    for item in items { heart.take(item) }
    return heart.recordings(path: path, trial: trial)
  }
}
