import Basics
import TestSupport
import Testing

@testable import Laboratory

@Suite("Sending to nginx by WebDAV", .timeLimit(.minutes(5)))
struct WebDAVTests {
  private let bench: BaggedTrials
  private let bundle: OutgoingBundle

  init() throws {
    bench = try BaggedTrials(1)
    bundle = try OutgoingBundle(bench.path(of: bench.trials[0]), of: bench.trials[0])
  }

  private func delivery(_ server: WebDAVServer, _ token: String = "lab:s3cret") throws -> WebDAVDelivery {
    let destination = try Destination(server.address, form: nil, isInsecure: false)
    guard case .webDAV(let url) = destination.kind else { throw MissingProgram(name: "WebDAV") }
    #expect("\(destination.row.address)/" == server.address)
    let found = try AccessToken.find(file: nil) { $0 == AccessToken.variable ? token : nil }
    return WebDAVDelivery(try HTTPClient(), folder: url, token: found)
  }

  @Test("An archive is put, read back and moved; the same one again is found there")
  func arrives() async throws {
    let server = try WebDAVServer()
    for _ in 0..<2 {
      guard case .sent(.readBack, _) = try await delivery(server).deliver(bundle, at: .now) else {
        Issue.record("it was not sent: \(server.complaints)")
        return
      }
    }
    #expect(try Folder.names(in: server.path("")) == ["\(bundle.trial).tar"])
    let unpacked = try ScratchFolder()
    #expect(try Program.run("tar", ["-xf", server.path("\(bundle.trial).tar"), "-C", unpacked.path]).status == 0)
    #expect(try Program.run("diff", ["-r", bench.path(of: bundle.trial), unpacked[bundle.trial]]).status == 0)
  }

  @Test("Other data under the trial's name are kept")
  func taken() async throws {
    let server = try WebDAVServer()
    let path = server.path("\(bundle.trial).tar")
    try File.create(path, Array("mine".utf8))
    #expect(try await delivery(server).deliver(bundle, at: .now) == .refused(.taken, .bundle))
    #expect(try File.contents(of: path) == Array("mine".utf8))
  }

  @Test("A wrong password is a matter of the settings")
  func password() async throws {
    let server = try WebDAVServer()
    let outcome = try await delivery(server, "lab:wrong").deliver(bundle, at: .now)
    #expect(outcome == .refused(.status(401, detail: nil), .settings))
    #expect(try Folder.names(in: server.path("")).isEmpty)
  }
}
