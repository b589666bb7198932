#include "CPeernoteCBOR.h"

#include <cbor.h>
#include <string.h>

static size_t encode_head(pn_cbor_kind kind, uint64_t argument, uint8_t *place) {
  switch (kind) {
    case pn_cbor_kind_unsigned:
      return cbor_encode_uint(argument, place, PN_CBOR_HEAD_MAX);
    case pn_cbor_kind_negative:
      return cbor_encode_negint(argument, place, PN_CBOR_HEAD_MAX);
    case pn_cbor_kind_bytes:
      return cbor_encode_bytestring_start(argument, place, PN_CBOR_HEAD_MAX);
    case pn_cbor_kind_text:
      return cbor_encode_string_start(argument, place, PN_CBOR_HEAD_MAX);
    case pn_cbor_kind_array:
      return cbor_encode_array_start(argument, place, PN_CBOR_HEAD_MAX);
    case pn_cbor_kind_map:
      return cbor_encode_map_start(argument, place, PN_CBOR_HEAD_MAX);
    case pn_cbor_kind_tag:
      return cbor_encode_tag(argument, place, PN_CBOR_HEAD_MAX);
    case pn_cbor_kind_bool:
      return cbor_encode_bool(argument != 0, place, PN_CBOR_HEAD_MAX);
    case pn_cbor_kind_null:
      return cbor_encode_null(place, PN_CBOR_HEAD_MAX);
    case pn_cbor_kind_double:
    case pn_cbor_kind_missing:
    case pn_cbor_kind_cut_head:
    case pn_cbor_kind_cut_payload:
    case pn_cbor_kind_indefinite:
    case pn_cbor_kind_simple:
    case pn_cbor_kind_reserved:
      break;
  }
  return 0;
}

intptr_t pn_cbor_write_head(pn_cbor_kind kind, uint64_t argument, uint8_t *place) {
  return (intptr_t)encode_head(kind, argument, place);
}

intptr_t pn_cbor_match(const uint8_t *bytes, intptr_t count, pn_cbor_kind kind, uint64_t argument,
                       const uint8_t *payload) {
  uint8_t head[PN_CBOR_HEAD_MAX];
  intptr_t size = (intptr_t)encode_head(kind, argument, head);
  if (size == 0 || size > count || memcmp(bytes, head, (size_t)size) != 0) return 0;
  if (kind != pn_cbor_kind_bytes && kind != pn_cbor_kind_text) return size;
  intptr_t length = (intptr_t)argument;
  if (length > count - size || memcmp(bytes + size, payload, (size_t)length) != 0) return 0;
  return size + length;
}

intptr_t pn_cbor_write_single(float value, uint8_t *place) {
  return (intptr_t)cbor_encode_single(value, place, PN_CBOR_HEAD_MAX);
}

intptr_t pn_cbor_write_double(double value, uint8_t *place) {
  return (intptr_t)cbor_encode_double(value, place, PN_CBOR_HEAD_MAX);
}
