import Basics
import Bundles
import Quantities
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
      (#""do":"skip""#, .skip), (#""do":"back""#, .back), (#""do":"side","value":"left""#, .side(.left)),
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
          content: .answer(
            .init(screen: 8, deed: .plain(deed), made: 12.5, firstContact: 2, changes: 4, device: .touch))))
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

  @Test("The answers of a form are read with their own times, changes and devices")
  func form() throws {
    let parts =
      #"{"age":{"value":42,"first_ms":5,"changes":2,"device":"touch"},"ok":{"value":true,"changes":1,"device":"key"}}"#
    let text =
      #"{"kind":"answer","client":1,"number":1,"made_ms":9,"changes":3,"device":"key","do":"answers","value":\#(parts)}"#
    let message = try #require(Self.message(text))
    let expected: [String: PageMessage.Part] = [
      "age": .init(value: .integer(42), firstContact: 5, changes: 2, device: .touch),
      "ok": .init(value: .boolean(true), firstContact: nil, changes: 1, device: .key),
    ]
    guard case .answer(let answer) = message.content else { return #expect(Bool(false)) }
    #expect(answer.deed == .answers(expected))
    let moment = Moment(nanoseconds: 7)
    let deed = answer.deed.deed { $0.map { _ in moment } }
    #expect(
      deed
        == .answers([
          "age": FormAnswer(value: .integer(42), firstContact: moment, changes: 2, device: .touch),
          "ok": FormAnswer(value: .boolean(true), firstContact: nil, changes: 1, device: .key),
        ]))
    #expect(Self.message(text.replacing(#""changes":2"#, with: #""changes":-2"#)) == nil)
  }

  @Test("A painted screen is read with its pictures")
  func painted() throws {
    let digest = String(repeating: "a", count: 64)
    let text =
      #"{"kind":"painted","client":1,"number":4,"at_ms":5,"frame_ms":16.7,"pictures":[{"sha256":"\#(digest)","width":80,"height":40.5,"width_mm":20}]}"#
    #expect(
      Self.message(text)?.content
        == .painted(
          screen: 4, .init(time: 5, distance: 16.7),
          [.init(sha256: digest, size: PictureSize(width: 80, height: 40.5, widthInMillimetres: 20))]))
    #expect(Self.message(text.replacing(digest, with: "short")) == nil)
    #expect(Self.message(text.replacing(#""width":80"#, with: #""width":-80"#)) == nil)
  }

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
