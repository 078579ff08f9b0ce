import Study

extension TrialRecord {
  /// The record of a trial that was kept in memory: what the result in its bundle would say.
  ///
  /// - Parameters:
  ///   - journal: its journal, from the record that opens it on.
  ///   - blocks: the blocks of its waveforms, each with the name of its file without extension.
  package init(journal: [JournalRecord], blocks: [(file: String, block: WaveformBlock)]) {
    let account = TrialAccount(of: journal)
    var cuts = account.opening.recorders.map { RecorderCut($0, in: account) }
    for record in journal {
      for index in cuts.indices {
        switch record.event {
        case .reading(let reading): _ = cuts[index].take(reading, at: record.time)
        case .sample(let sample): _ = cuts[index].take(sample, at: record.time)
        default: break
        }
      }
    }
    for (file, block) in blocks {
      for index in cuts.indices where cuts[index].waveformFile == file { cuts[index].take(block) }
    }
    self.init(of: account, cuts: cuts, embeddedClip: nil)
  }
}
