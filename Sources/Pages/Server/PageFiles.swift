import Basics
import Study

/// The files of a page, which are part of the program.
///
/// Scripts and style sheets are addressed by their digest, so that a browser keeps them as long as they do not change.
struct PageFiles: Sendable {
  private var files: [String: PageFile]

  /// The participant's page.
  static let participant = PageFiles(
    page: PackageResources.page_html,
    parts: [
      ("page.css", PackageResources.page_css), ("link.js", PackageResources.link_js),
      ("entries.js", PackageResources.entries_js), ("typed.js", PackageResources.typed_js),
      ("form.js", PackageResources.form_js),
      ("page.js", PackageResources.page_js),
    ])

  /// The operator's console.
  static let console = PageFiles(
    page: PackageResources.console_html,
    parts: [
      ("console.css", PackageResources.console_css), ("link.js", PackageResources.link_js),
      ("chart.js", PackageResources.chart_js), ("dom.js", PackageResources.dom_js),
      ("start.js", PackageResources.start_js), ("beats.js", PackageResources.beats_js),
      ("results.js", PackageResources.results_js),
      ("house.js", PackageResources.house_js),
      ("console.js", PackageResources.console_js),
    ])

  /// Files of a page: `{{page.js}}`, in the page or in a later part, is the address of that part.
  private init(page: [UInt8], parts: [(name: String, bytes: [UInt8])]) {
    var addresses: [(String, String)] = []
    func addressed(_ bytes: [UInt8]) -> [UInt8] {
      let text = String(decoding: bytes, as: UTF8.self)
      return Array(addresses.reduce(text) { $0.replacing($1.0, with: $1.1) }.utf8)
    }
    files = [:]
    for part in parts {
      let bytes = addressed(part.bytes)
      let isStyle = part.name.hasSuffix(".css")
      let path = "/a/\(SHA256.digest(of: bytes)).\(isStyle ? "css" : "js")"
      files[path] = PageFile(
        type: "text/\(isStyle ? "css" : "javascript"); charset=utf-8", bytes: bytes, isPermanent: true)
      addresses.append(("{{\(part.name)}}", path))
    }
    // Browsers ask for a picture of the page by themselves.
    files["/favicon.ico"] = PageFile(type: "image/x-icon", bytes: [], isPermanent: true)
    files["/"] = PageFile(type: "text/html; charset=utf-8", bytes: addressed(page), isPermanent: false)
  }

  /// Adds pictures, by their digests.
  func adding(_ pictures: [StudyPicture: [UInt8]]) -> PageFiles {
    var all = self
    for (picture, bytes) in pictures {
      let type = (StudyPicture.Format.read(bytes)?.format ?? .png).rawValue
      all.files[Self.address(of: picture)] = PageFile(type: type, bytes: bytes, isPermanent: true)
    }
    return all
  }

  /// Where a picture is on the page.
  static func address(of picture: StudyPicture) -> String { "/p/\(picture.sha256)" }

  subscript(path: String) -> PageFile? { files[path] }
}
