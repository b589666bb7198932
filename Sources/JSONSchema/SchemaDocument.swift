package import PeernoteJSON

/// A JSON value with the name that others refer to it by.
package struct SchemaDocument: Sendable {
  /// An absolute URI, such as the file's; empty if it has no name.
  package var uri: String
  package var json: JSON

  package init(uri: String, json: JSON) {
    (self.uri, self.json) = (uri, json)
  }

  /// A JSON value in a file.
  ///
  /// - Parameters:
  ///   - path: the absolute path, in the bytes of the file system.
  ///   - json: what the file holds.
  package init(path: [UInt8], json: JSON) {
    self.init(uri: "file://" + URIReference.escaped(path, keeping: "/"), json: json)
  }
}
