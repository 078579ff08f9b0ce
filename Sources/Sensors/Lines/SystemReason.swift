import Basics

/// The system's words for an error number: `Connection refused`.
func systemReason(_ code: Int32) -> String { FileError("", "", code: code).reason }
