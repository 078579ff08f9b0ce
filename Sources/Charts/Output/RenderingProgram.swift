import Basics
import Glibc

/// A program that makes other formats of our pictures and pages, run as a child.
///
/// It has an empty profile in a private temporary folder, which is removed afterwards.
package enum RenderingProgram: String, Sendable {
  /// The program of librsvg, for charts.
  case rsvgConvert = "rsvg-convert"
  /// The browser, for reports.
  case chromium

  /// Makes a PNG of a picture.
  ///
  /// - Parameters:
  ///   - svg: the picture.
  ///   - scale: the pixels per point.
  /// - Returns: the file's bytes.
  /// - Throws: ``RenderingError``.
  package static func png(of svg: String, scale: Double) async throws(RenderingError) -> [UInt8] {
    try await rsvgConvert.render(svg, ["--format=png", "--zoom=\(scale)", "--output=result"])
  }

  /// Makes a PDF of a picture, with one page of its size.
  ///
  /// - Throws: ``RenderingError``.
  package static func pdf(of svg: String) async throws(RenderingError) -> [UInt8] {
    try await rsvgConvert.render(svg, ["--format=pdf", "--output=result"])
  }

  /// Prints a page as a PDF, in the format that its print style says.
  ///
  /// - Throws: ``RenderingError``.
  package static func print(_ html: String) async throws(RenderingError) -> [UInt8] {
    // No name has an address: neither the browser nor the page reaches a network.
    var options = [
      "--headless", "--disable-gpu", "--no-first-run", "--host-resolver-rules=MAP * ~NOTFOUND",
      "--user-data-dir=profile", "--generate-pdf-document-outline", "--no-pdf-header-footer", "--print-to-pdf=result",
    ]
    // Chromium refuses to start its sandbox for root. The page is ours: it has no scripts, and loads nothing.
    if geteuid() == 0 { options.append("--no-sandbox") }
    return try await chromium.render(html, options)
  }

  /// Runs the program on a document in its folder, where it leaves the file “result”.
  private func render(_ document: String, _ options: [String]) async throws(RenderingError) -> [UInt8] {
    let result = await WaitingThread.run { () -> Result<[UInt8], ProgramStart.Failure> in
      let folder: TemporaryFolder
      do throws(FileError) { folder = try TemporaryFolder() } catch { return .failure(.file(error)) }
      return folder.use { folder in
        Result { () throws(ProgramStart.Failure) in try render(document, options, in: folder) }
      }
    }
    do { return try result.get() } catch { throw RenderingError(program: self, failure: error) }
  }

  private func render(
    _ document: String, _ options: [String], in folder: String
  ) throws(ProgramStart.Failure) -> [UInt8] {
    let name = self == .chromium ? "document.html" : "document.svg"
    let programs = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/bin:/bin"
    // The folder's own path could be too long for the browser's sockets.
    let environment = ["PATH=\(programs)", "HOME=\(folder)", "TMPDIR=.", "LANG=C.UTF-8"]
    do throws(FileError) {
      try File.create("\(folder)/\(name)", Array(document.utf8), isPrivate: true)
    } catch { throw .file(error) }
    try ProgramStart([rawValue] + options + [name], environment: environment).run(in: folder)
    do throws(FileError) { return try File.contents(of: "\(folder)/result") } catch {
      throw error.isMissing ? .failed(reason: "it made no file") : .file(error)
    }
  }
}

/// Why a program made no picture or page.
package struct RenderingError: Error, Hashable, Sendable, CustomStringConvertible {
  let program: RenderingProgram
  /// What went wrong with it.
  let failure: ProgramStart.Failure

  /// What failed, why, and what to do.
  package var description: String {
    let (failed, package, instead) =
      switch program {
      case .rsvgConvert:
        ("cannot draw the chart as PNG or PDF", "librsvg2-bin", "draw it as SVG, which any browser prints")
      case .chromium:
        ("cannot print the report as PDF", "chromium", "write the page with --output and print it in any browser")
      }
    let (reason, remedy) =
      switch failure {
      case .missing:
        ("the program \(program.rawValue) is missing", "install it with apt-get install \(package)")
      case .notStarted(let reason): ("\(program.rawValue) could not be started: \(reason)", "try again")
      case .failed(let reason): ("\(program.rawValue) failed: \(reason)", "install \(package) again")
      case .unfinished(let limit):
        ("\(program.rawValue) did not end within \(Int(limit.seconds)) s", "try again on a computer that is less busy")
      case .file(let error): ("\(error)", "let TMPDIR name a folder that can be written")
      }
    return "\(failed): \(reason); \(remedy), or \(instead)"
  }
}
