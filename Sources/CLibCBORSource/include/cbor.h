/* The part of libcbor 0.11.0 that is compiled here: reading and writing single items. The files are
   those of https://github.com/PJK/libcbor, unchanged, but for this one, configuration.h and
   cbor_export.h, which its build makes. */
#ifndef LIBCBOR_CBOR_H
#define LIBCBOR_CBOR_H

#include "cbor/callbacks.h"
#include "cbor/common.h"
#include "cbor/encoding.h"
#include "cbor/streaming.h"

#endif
