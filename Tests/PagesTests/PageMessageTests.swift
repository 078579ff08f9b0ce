import Basics
import Bundles
import Session
import Study
import TestSupport
import Testing

@testable import Pages

@Suite("The messages of a page")
struct PageMessageTests {
  private static func message(_ text: String) -> PageMessage? { PageMessage(Array(text.utf8)) }

  @Test(
    "An answer is read with its value, times and device",
    arguments: [
      (#""do":"value","value":7"#, ScreenAnswer.Deed.value(.integer(7))),
      (#""do":"value","value":1.5"#, .value(.decimal(1.5))), (#""do":"value","value":false"#, .value(.boolean(false))),
      (#""do":"value","value":"1990-02-28""#, .value(.text("1990-02-28"))),
      (#""do":"value","value":["a","b"]"#, .value(.choices(["a", "b"]))), (#""do":"goOn""#, .goOn),
      (#""do":"skip""#, .skip), (#""do":"side","value":"left""#, .side(.left)),
      (#""do":"gain","value":-12.5"#, .gain(-12.5)),
    ])
  func answers(members: String, deed: ScreenAnswer.Deed) throws {
    let text =
      #"{"kind":"answer","client":3,"number":8,"made_ms":12.5,"first_ms":2,"changes":4,"device":"touch",\#(members)}"#
    let message = try #require(Self.message(text))
    #expect(
      message
        == PageMessage(
          client: 3,
          content: .answer(.init(screen: 8, deed: deed, made: 12.5, firstContact: 2, changes: 4, device: .touch))))
  }

  @Test(
    "What is no message is refused",
    arguments: [
      "", "[]", "{}", #"{"kind":"help"}"#, #"{"kind":"help","client":-1,"made_ms":1}"#,
      #"{"kind":"help","client":1.5,"made_ms":1}"#, #"{"kind":"help","client":1,"made_ms":"1"}"#,
      #"{"kind":"help","client":1,"made_ms":1e300}"#, #"{"kind":"nothing","client":1}"#,
      #"{"kind":"answer","client":1,"number":1,"made_ms":1,"changes":0,"device":"line","do":"goOn"}"#,
      #"{"kind":"answer","client":1,"number":1,"made_ms":1,"changes":0,"device":"key","do":"end"}"#,
      #"{"kind":"answer","client":1,"number":1,"made_ms":1,"changes":0,"device":"key","do":"side","value":"top"}"#,
      #"{"kind":"answer","client":1,"number":1,"made_ms":1,"changes":0,"device":"key","do":"value","value":{"a":1}}"#,
      #"{"kind":"answer","client":1,"number":1,"made_ms":1,"changes":0,"device":"key","do":"value","value":[1]}"#,
      #"{"kind":"rating","client":1,"number":1,"value":101}"#,
      #"{"kind":"painted","client":1,"number":1,"at_ms":1,"frame_ms":-1}"#,
      #"{"kind":"key","client":1,"number":1,"key":"a key with a long name","made_ms":1}"#,
    ])
  func refused(text: String) { #expect(Self.message(text) == nil) }

  @Test("Of messages that are changed at random, none makes the reader fail")
  func mutations() {
    let whole = Array(
      #"{"kind":"answer","client":1,"number":2,"made_ms":3.25,"first_ms":1,"changes":4,"device":"key","do":"value","value":[]}"#
        .utf8)
    var generator = SplitMix64(seed: 39)
    var read = 0
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0...generator.next() % 3 {
        let place = Int(generator.next() % UInt64(bytes.count))
        bytes[place] = UInt8(truncatingIfNeeded: generator.next())
      }
      if PageMessage(bytes) != nil { read += 1 }
    }
    #expect(read > 0 && read < 2000)
  }
}
