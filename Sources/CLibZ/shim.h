#include <string.h>
#include <zlib.h>

/* Inflates raw DEFLATE (RFC 1951) of `count` bytes into at most `capacity` bytes.
   Returns how many bytes came out; -1 if the input is no complete stream that ends where it should;
   -2 if there is more than `capacity` bytes of output; -3 if there is no memory. */
static inline long pn_inflate_raw(
    const unsigned char *input, unsigned long count, unsigned char *output, unsigned long capacity) {
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  if (inflateInit2(&stream, -15) != Z_OK) return -3;
  stream.next_in = (unsigned char *)input;
  stream.avail_in = (uInt)count;
  stream.next_out = output;
  stream.avail_out = (uInt)capacity;
  int status = inflate(&stream, Z_FINISH);
  long produced = (long)stream.total_out;
  uInt left = stream.avail_in, room = stream.avail_out;
  inflateEnd(&stream);
  if (status == Z_STREAM_END) return left == 0 ? produced : -1;
  if (status == Z_MEM_ERROR) return -3;
  return status == Z_BUF_ERROR && room == 0 ? -2 : -1;
}
