import Basics
import Foundation
import Glibc
import Quantities
import Synchronization
import TestSupport
import Testing

@testable import station

@Suite("Printing to devices that are slow")
struct ConsoleTests {
  @Test(
    "What is printed during a trial waits for no reader; lines beyond the mailbox are counted, and the last status wins"
  )
  func unread() async throws {
    let pipe = Pipe()
    let console = Console(output: pipe.fileHandleForWriting.fileDescriptor, errors: STDERR_FILENO, terminalType: nil)
    StoppedTerminalTests.fill(pipe.fileHandleForWriting.fileDescriptor)
    console.decouple()
    let count = 5 * ConsoleWriter.maxLines
    for number in 0..<count { console.line("line \(number)") }
    #expect(!console.drain(within: .milliseconds(10)))
    #expect(console.outputError != nil)
    let said = Transcript()
    Self.read(pipe.fileHandleForReading, into: said)
    console.drain()
    try pipe.fileHandleForWriting.close()
    await said.waitForEnd()
    // The first line stands behind what had filled the pipe.
    let lines = said.lines.dropFirst().compactMap { $0.hasPrefix("line ") ? Int($0.dropFirst(5)) : nil }
    let omitted = said.lines.compactMap { $0.hasPrefix("(") ? Int($0.dropFirst().prefix { $0.isNumber }) : nil }
    #expect(1 + lines.count + omitted.reduce(0, +) == count)
    #expect(lines == lines.sorted() && lines.first == 1)
    // As many as the mailbox holds, and those that the writer had taken before.
    #expect((ConsoleWriter.maxLines - 1...2 * ConsoleWriter.maxLines).contains(lines.count))
  }

  @Test("What answers a command waits for its reader, and is whole and in order")
  func answers() async throws {
    let pipe = Pipe()
    let said = Transcript()
    Self.read(pipe.fileHandleForReading, into: said)
    let console = Console(output: pipe.fileHandleForWriting.fileDescriptor, errors: STDERR_FILENO, terminalType: nil)
    let lines = (0..<20_000).map { "row \($0)" }
    for line in lines { console.data(line) }
    try pipe.fileHandleForWriting.close()
    await said.waitForEnd()
    #expect(said.lines.dropLast() == lines[...])
  }

  @Test("Lines wait while the whole screen is taken, and a status while the operator is asked")
  func screen() async throws {
    let terminal = try Terminal()
    let console = Console(
      output: terminal.far.fileDescriptor, errors: terminal.far.fileDescriptor, terminalType: "xterm")
    console.decouple()
    console.show(screen: { _ in ["Hello"] })
    console.report("the strap is lost")
    console.show(prompt: "discard? ")
    console.show(status: "0:02 left")
    let said = Transcript()
    Self.read(terminal.near, into: said)
    try await said.wait(for: "discard? ")
    #expect(said.text.contains("Hello") && !said.text.contains("strap") && !said.text.contains("0:02 left"))
    console.show(prompt: "")
    try await said.wait(for: "0:02 left")
    console.leaveScreen()
    try await said.wait(for: "station: the strap is lost")
    let parts = said.text.components(separatedBy: "\u{1B}[?1049l")
    #expect(parts.count == 2 && parts[1].contains("strap"))
  }

  @Test("A screen counts as painted only when a terminal that was stopped goes on")
  func stopped() async throws {
    let terminal = try Terminal()
    let far = terminal.far.fileDescriptor
    let console = Console(output: far, errors: far, terminalType: "xterm")
    console.decouple()
    let said = Transcript()
    Self.read(terminal.near, into: said)
    // Each round needs the writer to be ahead of this test, which is likely, not certain.
    for round in 0..<50 {
      try #require(tcflow(far, TCOOFF) == 0)
      let (drawn, draws) = AsyncStream.makeStream(of: Void.self)
      let (painted, paints) = AsyncStream.makeStream(of: Moment.self)
      console.show(
        screen: { _ in
          draws.yield()
          return ["Do you agree to \(round)?"]
        }, painted: { paints.yield($1) })
      for await _ in drawn { break }
      let restarted = MonotonicClock().now
      try #require(tcflow(far, TCOON) == 0)
      for await moment in painted {
        #expect(moment >= restarted)
        break
      }
      try await said.wait(for: "agree to \(round)?")
    }
  }

  @Test("A console that is decoupled again goes on writing")
  func decoupledAgain() throws {
    let output = try FileHandle(forWritingTo: URL(filePath: "/dev/null"))
    let console = Console(output: output.fileDescriptor, errors: output.fileDescriptor, terminalType: nil)
    for number in 0..<200 {
      console.decouple()
      console.line("line \(number)")
      #expect(console.drain())
    }
    withExtendedLifetime(output) {}
  }

  /// Reads a device on a thread of its own, to its end or to its error.
  private static func read(_ handle: FileHandle, into transcript: Transcript) {
    Thread.detachNewThread {
      var buffer = [UInt8](repeating: 0, count: 1 << 14)
      while case let count = unsafe Glibc.read(handle.fileDescriptor, &buffer, buffer.count), count > 0 {
        transcript.take(buffer[..<count])
      }
      transcript.end()
    }
  }

  @Test("Whether input has ended is seen without taking any of it")
  func inputHasEnded() throws {
    let scratch = try ScratchFolder()
    try Data("x".utf8).write(to: URL(filePath: scratch["one"]))
    try Data().write(to: URL(filePath: scratch["none"]))
    func hasEnded(_ path: String) throws -> Bool {
      let file = try FileHandle(forReadingFrom: URL(filePath: path))
      return withExtendedLifetime(file) { Keyboard.hasEnded(file.fileDescriptor) }
    }
    #expect(try hasEnded("/dev/null"))
    #expect(try hasEnded(scratch["none"]))
    #expect(try !hasEnded(scratch["one"]))
    #expect(Keyboard.hasEnded(-1))
    let pipe = Pipe()
    let reading = pipe.fileHandleForReading.fileDescriptor
    #expect(!Keyboard.hasEnded(reading))
    try pipe.fileHandleForWriting.write(contentsOf: Data("x".utf8))
    try pipe.fileHandleForWriting.close()
    #expect(!Keyboard.hasEnded(reading))
    _ = try pipe.fileHandleForReading.read(upToCount: 1)
    #expect(Keyboard.hasEnded(reading))
  }
}
