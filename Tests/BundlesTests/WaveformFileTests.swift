import Basics
import Foundation
import Quantities
import TestSupport
import Testing

@testable import Bundles

@Suite("The file of a waveform")
struct WaveformFileTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private var path: String { scratch["ecg"] }

  private static func block(_ number: Int, frames: Int = 5, channels: Int = 2) -> WaveformBlock {
    WaveformBlock(
      time: .milliseconds(number * 20), arrived: .milliseconds(number * 20 + 25), channels: channels,
      values: (0..<frames * channels).map { Float(number) + Float($0) / 16 })
  }

  private func written(_ blocks: [WaveformBlock]) async throws -> [UInt8] {
    let writer = try WaveformWriter(path, clock: HandClock())
    for (number, block) in blocks.enumerated() { #expect(writer.append(block) == number) }
    try await writer.flush()
    #expect(writer.durable == blocks.count)
    return try File.contents(of: path)
  }

  private func read(_ bytes: [UInt8]) throws -> (blocks: [WaveformBlock], valid: Int, damaged: Int, foreign: Int) {
    let copy = scratch["copy-\(UInt64.random(in: .min ... .max))"]
    try File.create(copy, bytes)
    var reader = try WaveformReader(copy)
    var blocks: [WaveformBlock] = []
    while let entry = try reader.next() {
      if let first = entry.block.values.first {
        #expect(UInt32(littleEndian: bytes[entry.offset..<entry.offset + 4]) == first.bitPattern)
      }
      blocks.append(entry.block)
    }
    return (blocks, reader.validBytes, reader.damagedBlocks, reader.foreignBytes)
  }

  @Test("What was appended is read again, bit for bit", arguments: [(1, 1), (5, 2), (1000, 16), (0, 3)])
  func roundTrip(frames: Int, channels: Int) async throws {
    var blocks = (0..<4).map { Self.block($0, frames: frames, channels: channels) }
    if frames > 0 { blocks[1].values[0] = .nan }
    let bytes = try await written(blocks)
    let (found, valid, damaged, foreign) = try read(bytes)
    #expect(found.map { $0.values.map(\.bitPattern) } == blocks.map { $0.values.map(\.bitPattern) })
    #expect(found.map(\.time) == blocks.map(\.time) && found.map(\.arrived) == blocks.map(\.arrived))
    #expect((valid, damaged, foreign) == (bytes.count, 0, 0))
  }

  @Test("Frames lie in the file as little-endian single-precision numbers, after 48 bytes")
  func layout() async throws {
    let bytes = try await written([
      WaveformBlock(time: .nanoseconds(258), arrived: .nanoseconds(-1), channels: 1, values: [1, -2.5])
    ])
    #expect(Array(bytes[..<16]) == Array("STWF".utf8) + [48, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0])
    #expect(Array(bytes[16..<32]) == [2, 1, 0, 0, 0, 0, 0, 0] + Array(repeating: 255, count: 8))
    #expect(Array(bytes[48...]) == [0, 0, 0x80, 0x3F, 0, 0, 0x20, 0xC0])
  }

  @Test("A file that is cut at any byte has all blocks before the cut")
  func cut() async throws {
    let blocks = (0..<4).map { Self.block($0) }
    let bytes = try await written(blocks)
    let length = bytes.count / 4
    for end in 0...bytes.count {
      let (found, valid, damaged, _) = try read(Array(bytes[..<end]))
      #expect(found == Array(blocks.prefix(end / length)), "cut at \(end)")
      #expect(valid == end / length * length && damaged == 0)
    }
  }

  @Test("A byte that is changed anywhere costs the block that it lies in, and no other")
  func damaged() async throws {
    let blocks = (0..<3).map { Self.block($0) }
    let bytes = try await written(blocks)
    let length = bytes.count / 3
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 0x41
      let found = try read(changed).blocks
      var expected = blocks
      expected.remove(at: place / length)
      #expect(found == expected, "byte \(place)")
    }
  }

  @Test("Bytes that are no block are skipped and counted", arguments: [1, 47, 48, 70_000])
  func foreign(count: Int) async throws {
    let blocks = (0..<2).map { Self.block($0) }
    let bytes = try await written(blocks)
    let half = bytes.count / 2
    let (found, _, damaged, foreign) = try read(
      Array(bytes[..<half]) + Array(repeating: UInt8(ascii: "S"), count: count) + Array(bytes[half...]))
    #expect(found == blocks && damaged == 0 && foreign == count)
  }

  @Test("Blocks that neither the disk nor memory takes are counted by frames")
  func fullMemory() throws {
    let writer = try WaveformWriter(path, clock: HandClock(), limit: 0)
    for number in 0..<3 { #expect(writer.append(Self.block(number)) == nil) }
    #expect(writer.droppedFrames == 15)
  }

  @Test("A file that is removed is written again with all of its blocks")
  func removed() async throws {
    let writer = try WaveformWriter(path, clock: HandClock())
    for number in 0..<3 { writer.append(Self.block(number)) }
    try await writer.flush()
    try Folder.removeFile(path)
    for number in 3..<5 { writer.append(Self.block(number)) }
    try await writer.flush()
    #expect(try read(File.contents(of: path)).blocks == (0..<5).map { Self.block($0) })
  }
}
