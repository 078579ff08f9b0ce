import TestSupport
import Testing

@testable import Pages

@Suite("The user of a connection")
struct ClientOwnerTests {
  private static let table = """
      sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
       0: 0100007F:8A3C 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 100 1 0000 100 0 0 10 0
       1: 0100007F:8A3C 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1001        0 101 1 0000 20 4 30 10 -1
       2: 0100007F:C350 0100007F:8A3C 01 00000000:00000000 00:00000000 00000000  1002        0 102 1 0000 20 4 30 10 -1
       3: 0200007F:C352 0100007F:8A3C 01 00000000:00000000 00:00000000 00000000  1004        0 103 1 0000 20 4 30 10 -1
       4: 0100007F:C351 0100007F:0050 01 00000000:00000000 00:00000000 00000000  1003        0 103 1 0000 20 4 30 10 -1
    """

  @Test(
    "It is that of the client's end, to this server alone",
    arguments: [(0xC350, 0x8A3C, 1002), (0xC351, 0x8A3C, nil), (0x8A3C, 0xC350, 1001), (0xC352, 0x8A3C, nil)]
      as [(Int, Int, UInt32?)])
  func owners(port: Int, server: Int, user: UInt32?) {
    #expect(ClientOwner.user(ofPort: UInt16(port), to: UInt16(server), in: Array(Self.table.utf8)) == user)
  }

  @Test("Tokens have 128 bits, differ, and are met by themselves alone")
  func tokens() {
    let tokens = (0..<100).map { _ in PageToken() }
    #expect(Set(tokens).count == 100)
    #expect(tokens.allSatisfy { $0.text.wholeMatch(of: /[0-9a-f]{32}/) != nil })
    #expect(tokens[0].isMeant(by: "Bearer \(tokens[0].text)") && !tokens[0].isMeant(by: "Bearer \(tokens[1].text)"))
    #expect(!tokens[0].isMeant(by: tokens[0].text) && !tokens[0].isMeant(by: ""))
  }
}
