import Basics

/// The system's description of an error number: `Connection refused`.
func systemReason(_ code: Int32) -> String { FileError("", "", code: code).reason }
