import Basics
import Quantities
import TestSupport
import Testing

@testable import Bundles

@Suite("The claim of a session")
struct SessionClaimTests {
  let scratch: ScratchFolder
  let results: ResultsFolder

  init() throws {
    scratch = try ScratchFolder()
    results = ResultsFolder(scratch["results"], requiredBytes: 0)
  }

  private func holder(
    _ participant: String = "p1", _ study: String = "Calm", terminal: String? = "/dev/pts/7"
  ) -> SessionHolder {
    SessionHolder(
      participant: participant, study: study, process: 4711, host: "lab-2", terminal: terminal,
      since: WallTime(milliseconds: 1_795_262_400_000))
  }

  @Test(
    "One process has a session, whether it has a terminal or not, and the others learn which",
    arguments: [nil, "/dev/pts/7"])
  func refused(terminal: String?) throws {
    let first = holder(terminal: terminal)
    let claim = try results.claim(first)
    for _ in 0..<2 {
      let error = try #require(throws: SessionClaimError.self) { try results.claim(holder()) }
      #expect(error.holder == first && error.process != nil)
    }
    claim.end()
    try results.claim(holder()).end()
  }

  @Test("Other participants and other studies are free", arguments: [("p2", "Calm"), ("p1", "Pilot"), ("p", "1Calm")])
  func others(participant: String, study: String) throws {
    let claims = try [holder(), holder(participant, study)].map(results.claim)
    for claim in claims { claim.end() }
  }

  @Test(
    "Codes and names of any kind have claims of their own",
    arguments: ["P1", "p+1", "ä", "../p", String(repeating: "n", count: 400)])
  func names(name: String) throws {
    let claims = try [holder(), holder(name), holder("p1", name)].map(results.claim)
    #expect(throws: SessionClaimError.self) { try results.claim(holder(name)) }
    for claim in claims { claim.end() }
  }

  @Test("What a killed process left is claimed again, and no file of it remains", arguments: ["", "{", "not JSON\n"])
  func killed(content: String) throws {
    let claim = try results.claim(holder())
    let name = try #require(try Folder.names(in: results.sessionsFolder).first)
    claim.end()
    try results.makeReady()
    try Folder.ensure(results.sessionsFolder)
    let path = "\(results.sessionsFolder)/\(name)"
    try File.create(path, Array(content.utf8))
    // A holder of which nothing but the lock is known.
    let file = try LockedFile(path, .amend)
    #expect(try file.take())
    try file.hold {
      let error = try #require(throws: SessionClaimError.self) { try results.claim(holder()) }
      #expect(error.holder == nil && error.process != nil)
    }
  }

  @Test(
    "A results folder that was made for the claim goes with it, one that was there stays", arguments: [false, true])
  func folders(wasThere: Bool) throws {
    if wasThere { try Folder.create(results.path) }
    let (claim, recovered) = try results.begin(holder())
    #expect(recovered == [])
    claim?.end()
    #expect(Folder.exists(results.path) == wasThere)
    #expect(wasThere ? try Folder.names(in: results.path) == [] : true)
    claim?.end()
  }

  @Test("A claim that has ended does not take the next one away")
  func late() throws {
    let first = try results.claim(holder())
    first.end()
    let second = try results.claim(holder())
    first.end()
    #expect(throws: SessionClaimError.self) { try results.claim(holder()) }
    second.end()
  }

  @Test("What is claimed or was left claimed is found by the participant")
  func found() throws {
    let claims = try [holder(), holder("p1", "Pilot"), holder("p2")].map(results.claim)
    #expect(try results.studiesClaimed(by: "p1") == ["Calm", "Pilot"])
    #expect(try results.studiesClaimed(by: "p3") == [])
    for claim in claims { claim.end() }
    #expect(try results.studiesClaimed(by: "p1") == [])
  }
}
