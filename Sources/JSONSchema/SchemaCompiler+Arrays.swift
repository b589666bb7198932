import PeernoteJSON

// Keywords about arrays.

extension SchemaCompiler {
  func items(
    _ part: Int, _ inner: [Int], in schema: Int, _ draft: Draft
  ) throws(Schema.Fault) -> Rule {
    if case .array = value(part) {
      guard draft < .draft2020 else {
        throw index.fault(
          part, "a schema is expected here; in \(draft.name) an array of schemas is prefixItems")
      }
      return elements(first: inner, others: self[schema, .additionalItems])
    }
    let first = draft < .draft2020 ? nil : self[schema, .prefixItems]
    return elements(first: first.map { Array(index.source.parts(of: $0)) } ?? [], others: part)
  }

  /// Schemas for the first elements, and one for all others.
  func elements(first: [Int], others: Int?) -> Rule {
    .array { check, elements in
      for (place, element) in elements.enumerated() where check.goesOn {
        guard let schema = place < first.count ? first[place] : others else { break }
        check.descend(String(place), element, schema)
        check.evaluated.insert(place)
      }
    }
  }

  func contains(
    _ wanted: Int, in schema: Int, _ draft: Draft
  ) throws(Schema.Fault) -> Rule {
    let hasCounts = draft >= .draft2019
    let minimum = hasCounts ? self[schema, .minContains] : nil
    let maximum = hasCounts ? self[schema, .maxContains] : nil
    let least = try minimum.map { part throws(Schema.Fault) in try count(part) } ?? 1
    let most = try maximum.map { part throws(Schema.Fault) in try count(part) }
    return .array { check, elements in
      var count = 0
      for (place, element) in elements.enumerated() where check.stepsLeft >= 0 {
        let fits = check.descend(String(place)) { $0.isValid(element, wanted, marking: false) }
        guard fits else { continue }
        count += 1
        if draft >= .draft2020 { check.evaluated.insert(place) }
      }
      if count < least { check.add("must hold at least \(least) elements that fit, not \(count)") }
      if let most, count > most {
        check.add("must hold at most \(most) elements that fit, not \(count)")
      }
    }
  }

  func unevaluatedElements(_ schema: Int) -> Rule {
    .array(isLast: true) { check, elements in
      for (place, element) in elements.enumerated()
      where check.goesOn && !check.evaluated.contains(place) {
        check.descend(String(place), element, schema)
      }
      check.evaluated.insertAll()
    }
  }
}
