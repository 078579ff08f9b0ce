import Foundation
import Testing

@testable import Basics

extension Xoshiro256StarStar: RandomNumberGenerator {}

@Suite("Values that become JSON and back")
struct JSONCodingTests {
  private enum Mood: String, Codable { case calm, wild }

  private struct Tag: Hashable, Codable {
    var name: String
    var numbers: [Int]
  }

  private struct Mixed: Hashable, Codable {
    var text: String
    var isSo: Bool
    var count: Int
    var small: UInt8
    var ratio: Double
    var single: Float
    var missing: String?
    var mood: Mood
    var tag: Tag
    var tags: [Tag]
    var byName: [String: Tag]
    var holes: [Double?]
  }

  @Test(
    "Structures, lists, dictionaries, choices and what is missing are what Foundation makes of them",
    arguments: 0..<50 as Range<UInt64>)
  func likeFoundation(seed: UInt64) throws {
    var generator = Xoshiro256StarStar(seed: seed)
    func word() -> String {
      String((0..<Int.random(in: 0...5, using: &generator)).map { _ in "aé\"\\/\n😀".randomElement(using: &generator)! })
    }
    func tag() -> Tag {
      Tag(
        name: word(),
        numbers: (0..<Int.random(in: 0...3, using: &generator)).map { _ in Int.random(in: 0...999, using: &generator) })
    }
    let value = Mixed(
      text: word(), isSo: Bool.random(using: &generator), count: Int.random(in: 0...(1 << 53), using: &generator),
      small: UInt8.random(in: 0...255, using: &generator), ratio: Double.random(in: -1e6...1e6, using: &generator),
      single: Float(Int.random(in: 0...1000, using: &generator)) / 8,
      missing: Bool.random(using: &generator) ? word() : nil, mood: Bool.random(using: &generator) ? .calm : .wild,
      tag: tag(), tags: (0..<Int.random(in: 0...3, using: &generator)).map { _ in tag() },
      byName: ["x": tag(), word(): tag()],
      holes: [1.5, nil])
    let ours = try JSONValue(encoding: value)
    let theirs = try JSONEncoder().encode(value)
    #expect(try JSONReader.read([UInt8](theirs)).value == ours)
    #expect(try ours.decoded(as: Mixed.self) == value)
    #expect(try JSONDecoder().decode(Mixed.self, from: Data(ours.encoded())) == value)
  }

  private struct Sound: Hashable, Codable {
    var onset: Duration
    var offset: Duration?
    var seed: UInt64
    var loudness: Double?
    var at: WallTime
  }

  @Test("Durations are nanoseconds, large seeds are texts, times are RFC 3339, and what is not finite is missing")
  func ours() throws {
    let sound = Sound(
      onset: .nanoseconds(-1_500_000_001), seed: .max, loudness: .infinity,
      at: WallTime(milliseconds: 1_700_000_000_000))
    let value: JSONValue = [
      "onset_ns": -1_500_000_001, "seed": "18446744073709551615", "at": "2023-11-14T22:13:20.000Z",
    ]
    #expect(try JSONValue(encoding: sound) == value)
    #expect(
      try JSONValue(encoding: sound, writesNull: true)
        == .object(#require(value.object).merging(["offset_ns": .null, "loudness": .null]) { $1 }))
    var read = sound
    read.loudness = nil
    #expect(try value.decoded(as: Sound.self) == read)
    let longest = try JSONValue(encoding: ["length": Duration.seconds(Int64.max)])
    #expect(longest == ["length_ns": 9_007_199_254_740_992])
  }

  private struct Colour: Hashable, FlatInJSON { var red: Int }
  private struct Lamp: Hashable, Codable, CheckedInJSON {
    var name: String
    var colour: Colour
    var jsonProblem: String? { name.isEmpty ? "a lamp has a name" : nil }
  }

  @Test("Members of a flat type stand among those of the object that holds it")
  func flat() throws {
    let lamp = Lamp(name: "a", colour: Colour(red: 3))
    let value: JSONValue = ["name": "a", "red": 3]
    #expect(try JSONValue(encoding: lamp) == value)
    #expect(try value.decoded(as: Lamp.self) == lamp)
  }

  @Test(
    "What does not fit is refused with its place",
    arguments: [
      (["name": "", "red": 1], "", "a lamp has a name"), (["name": "a"], "", "“red” is missing"),
      (["name": "a", "red": -1], "/red", "expected a whole number from 0 to 9007199254740992"),
      (["name": "a", "red": 1.5], "/red", "expected a whole number from 0 to 9007199254740992"),
      (["name": 7, "red": 1], "/name", "expected a string"), (["lamp"], "", "expected an object"),
      (["name": nil, "red": 1], "", "“name” is missing"),
    ] as [(JSONValue, String, String)])
  func refused(value: JSONValue, path: String, reason: String) {
    let error = #expect(throws: JSONCodingError.self) { try value.decoded(as: Lamp.self) }
    #expect(error?.path.description == path)
    #expect(error?.reason == reason)
  }

  @Test("An unknown word and a wrong element are named by their paths")
  func places() {
    struct Room: Codable {
      var moods: [Mood]
      var wait: Duration?
      var size: UInt8
    }
    func problem(_ value: JSONValue) -> String {
      do throws(JSONCodingError) {
        return "\(try value.decoded(as: Room.self))"
      } catch {
        return "\(error)"
      }
    }
    #expect(problem(["moods": ["calm", "sad"], "size": 1]) == "/moods/1: “sad” is not known here")
    #expect(
      problem(["moods": [], "wait_ns": 0.5, "size": 1])
        == "/wait_ns: expected a whole number of nanoseconds within 2^53")
    #expect(problem(["moods": [], "size": 256]) == "/size: expected a whole number from 0 to 255")
  }
}
