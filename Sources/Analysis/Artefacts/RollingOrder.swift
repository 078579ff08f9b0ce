/// A window of numbers kept in order, for medians and quartiles of a moving neighbourhood.
struct RollingOrder {
  private var sorted: [Double] = []

  /// The quantile for a share from 0 to 1, interpolated linearly (like pandas and NumPy).
  func quantile(_ share: Double) -> Double {
    let place = Double(sorted.count - 1) * share
    let low = Int(place)
    let high = min(low + 1, sorted.count - 1)
    return sorted[low] + (sorted[high] - sorted[low]) * (place - Double(low))
  }

  mutating func insert(_ number: Double) { sorted.insert(number, at: place(of: number)) }

  mutating func remove(_ number: Double) { sorted.remove(at: place(of: number)) }

  private func place(of number: Double) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Evaluates the neighbourhood of every index in a range; at the ends the neighbourhood is smaller.
  ///
  /// - Parameters:
  ///   - numbers: the numbers; none is NaN.
  ///   - range: the indices.
  ///   - width: the number of elements in a neighbourhood; odd.
  ///   - value: the function of the sorted neighbourhood.
  /// - Returns: the values, one for each index.
  static func over<Value>(
    _ numbers: [Double], in range: Range<Int>, width: Int, _ value: (borrowing RollingOrder) -> Value
  ) -> [Value] {
    let half = width / 2
    var order = RollingOrder()
    var (low, high) = (max(0, range.lowerBound - half), max(0, range.lowerBound - half))
    return range.map { place in
      while high < numbers.count, high <= place + half {
        order.insert(numbers[high])
        high += 1
      }
      while low < place - half {
        order.remove(numbers[low])
        low += 1
      }
      return value(order)
    }
  }
}
