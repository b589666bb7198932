#ifndef CBOR_EXPORT_H
#define CBOR_EXPORT_H

#define CBOR_EXPORT

#endif
