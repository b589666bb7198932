/// How a law is broken.
package struct Fault: Error, CustomStringConvertible {
  /// What was found, and what should have been.
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// What is thrown; `nil` if nothing is.
package func fault(of body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return "\(error)"
  }
}

/// Throws a fault unless something holds.
package func expect(
  _ condition: Bool, _ description: @autoclosure () -> String
) throws(Fault) {
  guard condition else { throw Fault(description()) }
}

/// Throws a fault that shows both values unless they are equal.
package func expectEqual<Value: Equatable>(
  _ found: Value, _ wanted: Value, _ description: @autoclosure () -> String
) throws(Fault) {
  guard found == wanted else {
    throw Fault("\(description())\n  found:  \(found)\n  wanted: \(wanted)")
  }
}

/// Throws a fault that says where two byte strings differ, unless they are equal.
package func expectSameBytes(
  _ found: [UInt8], _ wanted: [UInt8], _ description: @autoclosure () -> String
) throws(Fault) {
  guard found != wanted else { return }
  let place = zip(found, wanted).prefix { $0 == $1 }.count
  throw Fault(
    "\(description()): \(found.count) and \(wanted.count) bytes differ from byte \(place)")
}
