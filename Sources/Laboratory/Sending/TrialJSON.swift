import Basics

/// A trial as one JSON document: `{"format":"station.trial/1","heart":{"items":[…]},"result":{…}}`.
///
/// Heart data and result are those of the bundle, byte for byte; their schemas and that of the whole are in `protocols/`.
package enum TrialJSON: Sendable {
  /// The value of the member `format`.
  package static let format = "station.trial/1"
  /// The media type.
  package static let type = "application/json"

  /// The document of a bundle.
  ///
  /// - Throws: ``SendProblem`` for files that cannot be read, are not what the manifest says, or are not JSON.
  package static func bytes(of bundle: OutgoingBundle) throws(SendProblem) -> [UInt8] {
    let (heart, result) = (try bundle.contents(of: BundleFiles.heart), try bundle.contents(of: BundleFiles.result))
    for (name, bytes) in [(BundleFiles.heart, heart), (BundleFiles.result, result)] {
      guard (try? JSONReader.read(bytes)) != nil else { throw .bundleUnreadable("“\(name)” is not JSON") }
    }
    return Array("{\"format\":\"\(format)\",\"heart\":".utf8) + heart + Array(",\"result\":".utf8) + result
      + Array("}\n".utf8)
  }
}
