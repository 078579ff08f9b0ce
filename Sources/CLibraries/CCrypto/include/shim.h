#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libcrypto of OpenSSL 3 as the station uses it: opened at the first digest, signature or text in base 64, since many commands
// need none. A computer without it, or where it fails, ends the program with one sentence: nothing may go on with a wrong
// digest.

/// A SHA-256 that is being computed.
typedef struct ccrypto_hash ccrypto_hash;

/// An empty one; a copy that goes on by itself; the next bytes.
ccrypto_hash *ccrypto_hash_new(void);
ccrypto_hash *ccrypto_hash_copy(const ccrypto_hash *);
void ccrypto_hash_update(ccrypto_hash *, const uint8_t *bytes, size_t count);

/// Writes the 32 bytes of the digest; nothing may follow.
void ccrypto_hash_finish(ccrypto_hash *, uint8_t *digest);
void ccrypto_hash_free(ccrypto_hash *);

/// Ed25519: the public key of a secret one, of 32 bytes each, and the 64 bytes of a signature.
void ccrypto_public_key(const uint8_t *secret, uint8_t *point);
void ccrypto_sign(const uint8_t *secret, const uint8_t *message, size_t count, uint8_t *signature);

/// Whether a signature of 64 bytes is that of the key's owner; `false` also for a key that is none.
bool ccrypto_accepts(const uint8_t *point, const uint8_t *message, size_t count, const uint8_t *signature);

/// Base 64: writes the text and a zero; returns its length.
int ccrypto_encode(uint8_t *text, const uint8_t *bytes, int count);

/// Writes the bytes of a text, with zeros for its padding; returns how many, or −1.
int ccrypto_decode(uint8_t *bytes, const uint8_t *text, int count);
