import Basics
import TestSupport
import Testing

@Suite("Watches of files")
struct FileWatchTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  @Test("A watch tells of a file that appears, is written to, or is put there under its name")
  func changes() async throws {
    let watch = FileWatch(scratch["x"])
    defer { watch.stop() }
    try File.create(scratch["x"], [])
    #expect(await watch.wait())
    try File(scratch["x"], .append).write([1])
    #expect(await watch.wait())
    let other = FileWatch(scratch["y"])
    defer { other.stop() }
    try Folder.rename(scratch["x"], to: scratch["y"])
    #expect(await other.wait())
  }

  @Test("A folder's watch tells of every name in it")
  func folder() async throws {
    let watch = FileWatch(folder: scratch.path)
    defer { watch.stop() }
    for name in ["a", "b"] {
      try Folder.create(scratch[name])
      #expect(await watch.wait())
    }
  }

  @Test("Whoever waits for a watch that is ended, or is cancelled, goes on")
  func end() async {
    let stopped = FileWatch(scratch["x"])
    async let answer = stopped.wait()
    stopped.stop()
    #expect(await answer == false)
    let waiting = Task { [scratch] in await FileWatch(scratch["x"]).wait() }
    waiting.cancel()
    #expect(await waiting.value == false)
  }
}
