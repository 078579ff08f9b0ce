package import Basics

/// What can go wrong between a trial and its bundle.
package enum BundleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The disk under the results folder has too little room for a trial, in bytes.
  case tooLittleRoom(folder: String, free: Int, needed: Int)
  /// The results folder does not take files.
  case unwritable(folder: String, FileError)
  /// A trial of this identifier is there already.
  case taken(path: String)
  /// The file of a clip is not the one that was listed.
  case clipChanged(path: String)
  /// A trial cannot be made into a bundle, though what is in its folder is untouched.
  case unfinished(trial: String, folder: String, reason: String)
  /// A trial cannot be made into a bundle, and its journal is no longer in its folder.
  case lost(trial: String, folder: String, reason: String)
  /// The disk refuses a trial's journal, and records wait in memory.
  case unwritten(trial: String, waiting: Int, FileError)
  /// A trial's journal has no head, so that nothing can be made of it.
  case headless(folder: String, reason: String)
  /// What is there is not a bundle, or not a readable one.
  case unreadable(path: String, reason: String)

  /// What was tried, why it failed, and what to do.
  package var description: String {
    switch self {
    case .tooLittleRoom(let folder, let free, let needed):
      "cannot record into “\(folder.visible)”: only \(free >> 20) MiB are free on its disk, and a trial needs \(needed >> 20); "
        + "make room or choose another folder with --results"
    case .unwritable(let folder, let error):
      "cannot record into “\(folder.visible)”: \(error); choose a folder that you may write with --results"
    case .taken(let path):
      "cannot open the trial “\(path.visible)”: there is one of that name, and nothing is overwritten"
    case .clipChanged(let path):
      "cannot embed “\(path.visible)”: the file has changed since the clips were read; read them again"
    case .unfinished(let trial, let folder, let reason):
      "cannot write the bundle of trial \(trial): \(reason); everything recorded is safe in “\(folder.visible)”, "
        + "and “station recover” completes it when the cause is gone"
    case .lost(let trial, let folder, let reason):
      "cannot write the bundle of trial \(trial): \(reason); its journal was removed from “\(folder.visible)” while it was in use, "
        + "and what was recorded is not on the disk; restore the folder from a backup or the trash and run “station recover”"
    case .unwritten(let trial, let waiting, let error):
      "cannot finish trial \(trial): \(error); \(waiting) of its records wait in memory: make room before this program ends"
    case .headless(let folder, let reason):
      "cannot make a bundle of “\(folder.visible)”: \(reason); look at its journal by hand"
    case .unreadable(let path, let reason): "cannot read the bundle “\(path.visible)”: \(reason)"
    }
  }
}
