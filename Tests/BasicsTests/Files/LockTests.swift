import Glibc
import TestSupport
import Testing

@testable import Basics

@Suite("Locks that others hold")
struct LockTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  @Test("A lock that is not given up is an error with the process that holds it")
  func held() throws {
    let holder = try File(scratch["x"], .append)
    #expect(try holder.lock())
    #expect(LockHolder(of: scratch["x"])?.process == getpid())
    let other = try File(scratch["x"], .append)
    let error = try #require(throws: LockError.self) { try other.waitForLock(within: .milliseconds(10)) }
    #expect(error.holder?.process == getpid())
    #expect(error.path == scratch["x"])
    #expect(error.waited >= .milliseconds(10))
  }

  @Test("A lock that nobody holds is taken, and has no holder before")
  func free() throws {
    let file = try File(scratch["x"], .append)
    #expect(LockHolder(of: scratch["x"]) == nil)
    try file.waitForLock(within: .zero)
    #expect(LockHolder(of: scratch["x"]) != nil)
  }
}
