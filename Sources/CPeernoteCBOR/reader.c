#include "CPeernoteCBOR.h"
