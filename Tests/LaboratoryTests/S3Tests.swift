import Basics
import TestSupport
import Testing

@testable import Laboratory

@Suite("Sending to S3")
struct S3Tests {
  private let bench: BaggedTrials
  private let bundle: OutgoingBundle

  init() throws {
    bench = try BaggedTrials(1)
    bundle = try OutgoingBundle(bench.path(of: bench.trials[0]), of: bench.trials[0])
  }

  private static let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"

  private func delivery(_ server: Receiver, secret: String = secret, folder: String = "study/pre") throws -> S3Delivery
  {
    let address = server.url(folder, scheme: "s3+http")
    let destination = try Destination(address, form: nil, isInsecure: false)
    guard case .s3(let url) = destination.kind else { throw MissingProgram(name: "S3") }
    #expect(destination.row.address == address)
    let signing = try S3Signing(nil) { name in
      ["AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE", "AWS_SECRET_ACCESS_KEY": secret, "AWS_REGION": "eu-central-1"][name]
    }
    return S3Delivery(try HTTPClient(), folder: url, signing: signing)
  }

  @Test("An archive is put with a signature that a server checks by Amazon's published arithmetic, once")
  func arrives() async throws {
    let server = try await Receiver(script: "s3.py")
    for _ in 0..<2 {
      guard case .sent(.checksum, _) = try await delivery(server).deliver(bundle, at: .now) else {
        Issue.record("it was not sent")
        return
      }
    }
    let log = String(decoding: try File.contents(of: server.folder["log"]), as: UTF8.self)
    let path = "/study/pre/\(bundle.trial).tar"
    #expect(log == "HEAD \(path) None\nPUT \(path) None\nHEAD \(path) None\nHEAD \(path) None\n")
    let unpacked = try ScratchFolder()
    let object = server.folder["object-\(bundle.trial).tar"]
    #expect(try Program.run("tar", ["-xf", object, "-C", unpacked.path]).status == 0)
    #expect(try Program.run("diff", ["-r", bench.path(of: bundle.trial), unpacked[bundle.trial]]).status == 0)
  }

  @Test("A wrong secret and a missing bucket are matters of the settings")
  func settings() async throws {
    let server = try await Receiver(script: "s3.py")
    #expect(
      try await delivery(server, secret: "wrong").deliver(bundle, at: .now)
        == .refused(.status(403, detail: nil), .settings))
    #expect(
      try await delivery(server, folder: "other").deliver(bundle, at: .now)
        == .refused(.status(404, detail: nil), .settings))
  }

  @Test("A key is needed, and an address names a bucket")
  func refusals() throws {
    #expect(throws: AccessTokenError.noKey) { try S3Signing(nil) { _ in nil } }
    #expect(throws: DestinationError.noBucket) {
      try Destination("s3+https://s3.example.org/", form: nil, isInsecure: false)
    }
  }
}
