import Basics
import Testing

@Suite("Places in a text")
struct TextPlaceTests {
  @Test(
    "Lines and columns count from 1, columns in characters",
    arguments: [
      (0, "1:1"), (1, "1:2"), (3, "1:3"), (4, "1:4"), (5, "2:1"), (6, "3:1"), (10, "3:2"), (11, "3:3"), (99, "3:3"),
    ])
  func places(offset: Int, place: String) {
    let text = Array("aé|\n\n😀x".utf8)
    #expect(TextPlace(offset: offset, in: text).description == place)
    #expect(TextPlace.places(of: [11, offset, 0], in: text)[offset]?.description == place)
  }

  @Test("A path is written as RFC 6901 says")
  func pointers() {
    #expect(JSONPointer.root.description == "")
    #expect(JSONPointer(["steps", "a/b", "m~n", ""]).description == "/steps/a~1b/m~0n/")
    #expect(JSONPointer.root.appending("steps").appending(2) == JSONPointer(["steps", "2"]))
  }
}
