/// The part of libcbor that Peernote uses, with one signature for every libcbor version.
///
/// Reading: libcbor's streaming decoder reports an item by calling one of two dozen functions;
/// `pn_cbor_read` turns that into a value. Only the item's head is read: nothing is allocated,
/// and no payload is copied or looked at. libcbor's tree loader is not used, since it allocates
/// whatever a declared length asks for.
///
/// Writing: `pn_cbor_write_*` put the head of an item, in its shortest form, at a place that has
/// room for `PN_CBOR_HEAD_MAX` bytes, and return its size in bytes.
#ifndef CPEERNOTECBOR_H
#define CPEERNOTECBOR_H

#include <stdint.h>

/// The largest head of an item in bytes: an initial byte and an argument of 64 bits.
#define PN_CBOR_HEAD_MAX 9

/// What stands at a place: an item, or the reason why there is none.
typedef enum __attribute__((enum_extensibility(closed))) pn_cbor_kind : uint8_t {
  /// `argument` is the number.
  pn_cbor_kind_unsigned,
  /// The number is -1 minus `argument`.
  pn_cbor_kind_negative,
  /// `argument` is the length in bytes; all of them are there, right after the head.
  pn_cbor_kind_bytes,
  /// As with bytes. Whether they are UTF-8 is not checked.
  pn_cbor_kind_text,
  /// `argument` is the count of elements.
  pn_cbor_kind_array,
  /// `argument` is the count of pairs.
  pn_cbor_kind_map,
  /// `argument` is the tag number.
  pn_cbor_kind_tag,
  /// `argument` is 0 or 1.
  pn_cbor_kind_bool,
  pn_cbor_kind_null,
  /// `number` is the value.
  pn_cbor_kind_double,

  /// There are no bytes at all.
  pn_cbor_kind_missing,
  /// The bytes end within the head.
  pn_cbor_kind_cut_head,
  /// The bytes end within the payload; `argument` is its declared length.
  pn_cbor_kind_cut_payload,
  /// A string or container of indefinite length, or the byte that ends one.
  pn_cbor_kind_indefinite,
  /// The value "undefined", or a simple value without a meaning.
  pn_cbor_kind_simple,
  /// An initial byte that RFC 8949 reserves.
  pn_cbor_kind_reserved,
} pn_cbor_kind;

/// The head of an item.
typedef struct pn_cbor_item {
  uint64_t argument;
  double number;
  /// The size of the head in bytes; 0 unless all of it is there and begins an item.
  uint8_t head_size;
  pn_cbor_kind kind;
} pn_cbor_item;

/// Reads the head of the item at the start of `count` bytes.
///
/// Checks that the bytes are well-formed as far as that item's own bytes go (RFC 8949, section
/// 5.3.1), not that its argument has the shortest form.
pn_cbor_item pn_cbor_read(const uint8_t *bytes, intptr_t count);

/// Goes over the items at the start of `count` bytes that hold no others and have their argument in
/// the initial byte, which most items do.
///
/// Stops before any other item, one that is cut included, and after `most` items. Stores the number of
/// bytes in `size`, and returns the number of items.
intptr_t pn_cbor_pass_short(const uint8_t *bytes, intptr_t count, intptr_t most, intptr_t *size);

/// The size of an item that is known, head and payload, if `count` bytes begin with it in its
/// shortest form; 0 if something else stands there.
///
/// A kind and an argument describe the item, as in `pn_cbor_item`; `payload` is that of a string.
/// Takes less time than reading the item.
intptr_t pn_cbor_match(const uint8_t *bytes, intptr_t count, pn_cbor_kind kind, uint64_t argument,
                       const uint8_t *payload);

/// Writes the head of an item that a kind and an argument describe, as in `pn_cbor_item`.
///
/// For a kind that is not an item, and for floating-point numbers, it writes nothing.
intptr_t pn_cbor_write_head(pn_cbor_kind kind, uint64_t argument, uint8_t *place);

/// Writes a floating-point number in 5 bytes.
intptr_t pn_cbor_write_single(float value, uint8_t *place);

/// Writes a floating-point number in 9 bytes.
intptr_t pn_cbor_write_double(double value, uint8_t *place);

#endif
