/// Elements in one growing block of memory, addressed by index.
///
/// The nodes of the tracker's trees live in pools and point at each other by index, so that
/// nothing is counted or copied on the way. Elements are changed in place. Indices are checked in
/// debug builds only.
@safe
struct Pool<Element: BitwiseCopyable>: ~Copyable {
  private var base: UnsafeMutablePointer<Element>
  private var capacity: Int
  /// How many elements there are; their indices are `0 ..< count`.
  private(set) var count = 0

  init(minimumCapacity: Int = 16) {
    capacity = max(minimumCapacity, 1)
    unsafe base = .allocate(capacity: capacity)
  }

  deinit {
    unsafe base.deallocate()
  }

  /// Forgets all elements, and keeps the memory.
  mutating func removeAll() {
    count = 0
  }

  var byteCount: Int { count * MemoryLayout<Element>.stride }

  /// Sorts all elements; O(n log n).
  mutating func sort(by isLess: (Element, Element) -> Bool) {
    var elements = unsafe UnsafeMutableBufferPointer(start: base, count: count)
    unsafe elements.sort(by: isLess)
  }

  /// Makes room for that many elements, so that up to then none is copied because others come.
  mutating func reserve(_ wanted: Int) {
    if wanted > capacity { move(toCapacity: wanted) }
  }

  /// Appends an element and returns its index; amortized O(1).
  @inline(__always)
  mutating func append(_ element: Element) -> Int32 {
    if count == capacity { grow() }
    unsafe (base + count).initialize(to: element)
    count += 1
    return Int32(truncatingIfNeeded: count - 1)
  }

  /// Appends `repetitions` copies of an element and returns the index of the first.
  mutating func append(_ element: Element, repetitions: Int) -> Int32 {
    while count + repetitions > capacity { grow() }
    unsafe (base + count).initialize(repeating: element, count: repetitions)
    count += repetitions
    return Int32(truncatingIfNeeded: count - repetitions)
  }

  @inline(__always)
  package subscript(index: Int32) -> Element {
    _read {
      assert(index >= 0 && index < count, "an index outside the pool")
      yield unsafe base[Int(index)]
    }
    _modify {
      assert(index >= 0 && index < count, "an index outside the pool")
      yield unsafe &base[Int(index)]
    }
  }

  /// Copies `length` elements to another place; the two may overlap.
  @inline(__always)
  mutating func move(from source: Int32, to target: Int32, length: Int32) {
    assert(source >= 0 && target >= 0 && length >= 0)
    assert(Int(max(source, target)) + Int(length) <= count, "a move outside the pool")
    unsafe (base + Int(target)).update(from: base + Int(source), count: Int(length))
  }

  @inline(__always)
  package subscript(index: some LogIndex) -> Element {
    _read { yield self[index.rawValue] }
    _modify { yield &self[index.rawValue] }
  }

  private mutating func grow() { move(toCapacity: capacity * 2) }

  private mutating func move(toCapacity capacity: Int) {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    unsafe larger.moveInitialize(from: base, count: count)
    unsafe base.deallocate()
    unsafe base = larger
    self.capacity = capacity
  }
}
