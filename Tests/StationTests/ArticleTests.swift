import Basics
import Foundation
import TestSupport
import Testing

@Suite("What the articles show")
struct ArticleTests {
  private static let articles = [
    "WritingAProtocol", "AskingQuestions", "AskingForConsent", "SoundInASession", "FollowingHeartbeats",
  ]

  private static func text(of article: String) throws -> String {
    try String(contentsOfFile: "\(Repository.root)/Sources/station/Station.docc/\(article).md", encoding: .utf8)
  }

  @Test(
    "The complete protocol of an article is valid as it stands",
    arguments: ["WritingAProtocol", "AskingQuestions", "SoundInASession"])
  func example(article: String) async throws {
    #expect(try await validate(article, []) == 0)
  }

  @Test("The study of the article on designs is valid with the clips that are shipped")
  func design() async throws {
    #expect(try await validate("DesigningAStudy", ["--clips", "\(Repository.root)/Clips"]) == 0)
  }

  /// The status of validating an article's first protocol.
  private func validate(_ article: String, _ options: [String]) async throws -> Int32 {
    let bench = try Bench()
    let parts = try Self.text(of: article).components(separatedBy: "```json\n")
    let example = try #require(parts.dropFirst().first?.components(separatedBy: "```").first)
    try bench.write(example.replacing(#""folder": "Clips""#, with: #""folder": "clips""#), to: "example.json")
    let (status, _, complaints) = try await bench.run(["validate", "example.json"] + options)
    #expect(complaints.isEmpty)
    return status
  }

  @Test("The articles on protocols name every key of the schema")
  func keys() throws {
    let bytes = try Data(contentsOf: URL(filePath: "\(Repository.root)/protocols/protocol.schema.json"))
    var keys: Set<String> = []
    func collect(_ value: JSONValue) {
      if case .object(let members) = value["properties"] { keys.formUnion(members.map(\.key)) }
      switch value {
      case .object(let members): for member in members { collect(member.value) }
      case .array(let elements): for element in elements { collect(element) }
      default: break
      }
    }
    collect(try JSONReader.read(Array(bytes)).value)
    #expect(keys.count > 40)
    let article = try Self.articles.map(Self.text).joined()
    let missing = keys.filter { !article.contains("`\($0)`") && !article.contains("\"\($0)\"") }
    #expect(missing.isEmpty)
  }
}
