#include "CPeernoteCBOR.h"

#include <cbor.h>
#include <stdbool.h>
#include <stddef.h>

// Lengths pass through size_t, in libcbor before 0.9 without a check that they fit.
_Static_assert(sizeof(size_t) == sizeof(uint64_t), "a 64-bit machine");

// The type of a length in libcbor's callbacks.
#if CBOR_MAJOR_VERSION == 0 && CBOR_MINOR_VERSION < 9
typedef size_t callback_length;
#else
typedef uint64_t callback_length;
#endif

// Each callback stores what it is told in the item that `context` points to.

static void store(void *context, pn_cbor_kind kind, uint64_t argument) {
  pn_cbor_item *item = context;
  item->kind = kind;
  item->argument = argument;
}

static void store_number(void *context, double number) {
  pn_cbor_item *item = context;
  item->kind = pn_cbor_kind_double;
  item->number = number;
}

static void on_uint8(void *context, uint8_t value) {
  store(context, pn_cbor_kind_unsigned, value);
}

static void on_uint16(void *context, uint16_t value) {
  store(context, pn_cbor_kind_unsigned, value);
}

static void on_uint32(void *context, uint32_t value) {
  store(context, pn_cbor_kind_unsigned, value);
}

static void on_uint64(void *context, uint64_t value) {
  store(context, pn_cbor_kind_unsigned, value);
}

static void on_negint8(void *context, uint8_t argument) {
  store(context, pn_cbor_kind_negative, argument);
}

static void on_negint16(void *context, uint16_t argument) {
  store(context, pn_cbor_kind_negative, argument);
}

static void on_negint32(void *context, uint32_t argument) {
  store(context, pn_cbor_kind_negative, argument);
}

static void on_negint64(void *context, uint64_t argument) {
  store(context, pn_cbor_kind_negative, argument);
}

static void on_bytes(void *context, cbor_data payload, callback_length length) {
  (void)payload;
  store(context, pn_cbor_kind_bytes, length);
}

static void on_text(void *context, cbor_data payload, callback_length length) {
  (void)payload;
  store(context, pn_cbor_kind_text, length);
}

static void on_array(void *context, callback_length count) {
  store(context, pn_cbor_kind_array, count);
}

static void on_map(void *context, callback_length count) {
  store(context, pn_cbor_kind_map, count);
}

static void on_tag(void *context, uint64_t number) { store(context, pn_cbor_kind_tag, number); }

static void on_float(void *context, float number) { store_number(context, number); }

static void on_double(void *context, double number) { store_number(context, number); }

static void on_bool(void *context, bool value) { store(context, pn_cbor_kind_bool, value); }

static void on_null(void *context) { store(context, pn_cbor_kind_null, 0); }

static void on_undefined(void *context) { store(context, pn_cbor_kind_simple, 0); }

static void on_indefinite(void *context) { store(context, pn_cbor_kind_indefinite, 0); }

static const struct cbor_callbacks callbacks = {
    .uint8 = on_uint8,
    .uint16 = on_uint16,
    .uint32 = on_uint32,
    .uint64 = on_uint64,
    .negint8 = on_negint8,
    .negint16 = on_negint16,
    .negint32 = on_negint32,
    .negint64 = on_negint64,
    .byte_string_start = on_indefinite,
    .byte_string = on_bytes,
    .string = on_text,
    .string_start = on_indefinite,
    .indef_array_start = on_indefinite,
    .array_start = on_array,
    .indef_map_start = on_indefinite,
    .map_start = on_map,
    .tag = on_tag,
    .float2 = on_float,
    .float4 = on_float,
    .float8 = on_double,
    .undefined = on_undefined,
    .null = on_null,
    .boolean = on_bool,
    .indef_break = on_indefinite,
};

// The low five bits of an initial byte, and the high three, RFC 8949 section 3. The kinds up to that
// of tags have the numbers of the major types.
enum { additional_information = 0x1f, one_byte_argument = 24, eight_byte_argument = 27 };
enum { kind_shift = 5, string_kinds = 0x40, array_kinds = 0x80, simple_kinds = 0xe0 };
enum { cbor_false = 0xf4, cbor_null = 0xf6 };
_Static_assert(pn_cbor_kind_text == 3 && pn_cbor_kind_tag == 6, "the major types' numbers");

static uint8_t head_size(uint8_t initial) {
  uint8_t information = initial & additional_information;
  if (information < one_byte_argument || information > eight_byte_argument) return 1;
  return (uint8_t)(1 + (1 << (information - one_byte_argument)));
}

pn_cbor_item pn_cbor_read(const uint8_t *bytes, intptr_t count) {
  pn_cbor_item item = {.kind = pn_cbor_kind_missing};
  if (count <= 0) return item;
  uint8_t initial = bytes[0];

  // Most items have their argument in the initial byte, where nothing is left to decode; half of the
  // time for an item went into the calls back. And of tags libcbor before 0.11 takes 6 to 20 for
  // malformed.
  if (initial < simple_kinds && (initial & additional_information) < one_byte_argument) {
    store(&item, (pn_cbor_kind)(initial >> kind_shift), initial & additional_information);
    item.head_size = 1;
    bool is_string = item.kind == pn_cbor_kind_bytes || item.kind == pn_cbor_kind_text;
    if (is_string && (uint64_t)(count - 1) < item.argument) item.kind = pn_cbor_kind_cut_payload;
    return item;
  }

  struct cbor_decoder_result result = cbor_stream_decode(bytes, (size_t)count, &callbacks, &item);
  switch (result.status) {
    case CBOR_DECODER_FINISHED:
      item.head_size = head_size(initial);
      break;
    case CBOR_DECODER_NEDATA: {
      uint8_t size = head_size(initial);
      if (count < size) {
        item.kind = pn_cbor_kind_cut_head;
      } else {
        // `required` is the sum of head and payload, modulo 2^64.
        store(&item, pn_cbor_kind_cut_payload, (uint64_t)result.required - size);
        item.head_size = size;
      }
      break;
    }
    case CBOR_DECODER_ERROR: {
      bool simple = initial >= 0xe0 && (initial & additional_information) <= one_byte_argument;
      item.kind = simple ? pn_cbor_kind_simple : pn_cbor_kind_reserved;
      break;
    }
  }
  return item;
}

intptr_t pn_cbor_pass_short(const uint8_t *bytes, intptr_t count, intptr_t most, intptr_t *size) {
  intptr_t passed = 0;
  intptr_t offset = 0;
  for (; passed < most && offset < count; passed++) {
    uint8_t initial = bytes[offset];
    bool is_constant = initial >= cbor_false && initial <= cbor_null;
    uint8_t argument = initial & additional_information;
    if (!is_constant && (initial >= array_kinds || argument >= one_byte_argument)) break;
    intptr_t length = !is_constant && initial >= string_kinds ? 1 + argument : 1;
    if (length > count - offset) break;
    offset += length;
  }
  *size = offset;
  return passed;
}
