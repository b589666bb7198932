/// How content is written as JSON, and read.
public enum JSONForm: String, CaseIterable, Hashable, Sendable {
  /// As other programs expect it: no type is marked.
  ///
  /// Texts are strings, lists and sets arrays, counters numbers; bytes are strings in base 64, times
  /// strings as in ISO 8601, UUIDs strings, and doubles that are no numbers in JSON the strings
  /// `NaN`, `Infinity` and `-Infinity`. So the JSON alone does not tell a text or a time from a
  /// string, a set from a list, a counter from an integer; ``Document/node(fromJSON:as:at:roundingNumbers:)``
  /// takes the types from what the document holds. Of members of a set that are written alike, such
  /// as no bytes and an empty string, one is left then. Read by itself, all objects are maps, all arrays
  /// lists, and all else values.
  case plain
  /// As plain JSON where that tells the type: maps, lists, and null, truth values, finite numbers and
  /// strings as values. All else is an object with one member, whose name tells the type:
  ///
  /// | in JSON | stands for |
  /// |---|---|
  /// | `{"$text": "…"}` | a text |
  /// | `{"$set": […]}` | a set |
  /// | `{"$counter": 5}` | a counter |
  /// | `{"$bytes": "…"}` | bytes, in base 64 |
  /// | `{"$timestamp": "2026-11-20T14:02:11Z"}` | a time |
  /// | `{"$uuid": "…"}` | a UUID |
  /// | `{"$double": "NaN"}` | a double that is no number in JSON |
  ///
  /// A map with one key that would look like that has one more `$` in front of it. Nothing of the
  /// content is lost: what is read is equal to what was written. It does not hold the history, and
  /// so neither conflicts nor deleted text.
  case exact
}
