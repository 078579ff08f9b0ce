#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>

#include "shim.h"
#include <lazy.h>

#define CCRYPTO_FUNCTIONS(entry) \
  entry(OPENSSL_init_crypto) \
  entry(EVP_MD_fetch) \
  entry(EVP_MD_CTX_new) \
  entry(EVP_MD_CTX_free) \
  entry(EVP_MD_CTX_copy_ex) \
  entry(EVP_DigestInit_ex2) \
  entry(EVP_DigestUpdate) \
  entry(EVP_DigestFinal_ex) \
  entry(EVP_PKEY_new_raw_private_key) \
  entry(EVP_PKEY_new_raw_public_key) \
  entry(EVP_PKEY_get_raw_public_key) \
  entry(EVP_PKEY_free) \
  entry(EVP_DigestSignInit) \
  entry(EVP_DigestSign) \
  entry(EVP_DigestVerifyInit) \
  entry(EVP_DigestVerify) \
  entry(EVP_EncodeBlock) \
  entry(EVP_DecodeBlock)

LAZY_FUNCTIONS(CCRYPTO_FUNCTIONS)

/// Looked up once: that takes longer than a short digest.
static EVP_MD *sha256;

static const char *start(void) {
  // Without the computer's configuration, which may switch algorithms off, and without a clean-up at exit while other threads
  // still compute.
  functions.OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT, 0);
  return (sha256 = functions.EVP_MD_fetch(0, "SHA256", 0)) ? 0 : "it has no SHA-256";
}

LAZY_LIBRARY("libcrypto.so.3", CCRYPTO_FUNCTIONS, start)

static void check(bool succeeded, const char *what) {
  if (succeeded) return;
  fprintf(stderr, "station: cannot use OpenSSL: %s; apt-get install libssl3\n", what);
  _Exit(1);
}

static void require_library(void) {
  const char *problem = lazy_open();
  check(!problem, problem);
}

static EVP_MD_CTX *new_context(void) {
  require_library();
  EVP_MD_CTX *context = functions.EVP_MD_CTX_new();
  check(context, "out of memory");
  return context;
}

ccrypto_hash *ccrypto_hash_new(void) {
  EVP_MD_CTX *context = new_context();
  check(functions.EVP_DigestInit_ex2(context, sha256, 0) == 1, "SHA-256 does not start");
  return (ccrypto_hash *)context;
}

ccrypto_hash *ccrypto_hash_copy(const ccrypto_hash *hash) {
  EVP_MD_CTX *context = new_context();
  check(functions.EVP_MD_CTX_copy_ex(context, (const EVP_MD_CTX *)hash) == 1, "SHA-256 cannot be copied");
  return (ccrypto_hash *)context;
}

void ccrypto_hash_update(ccrypto_hash *hash, const uint8_t *bytes, size_t count) {
  check(functions.EVP_DigestUpdate((EVP_MD_CTX *)hash, bytes, count) == 1, "SHA-256 takes no more bytes");
}

void ccrypto_hash_finish(ccrypto_hash *hash, uint8_t *digest) {
  check(functions.EVP_DigestFinal_ex((EVP_MD_CTX *)hash, digest, 0) == 1, "SHA-256 does not end");
}

void ccrypto_hash_free(ccrypto_hash *hash) { functions.EVP_MD_CTX_free((EVP_MD_CTX *)hash); }

static EVP_PKEY *private_key(const uint8_t *secret) {
  require_library();
  EVP_PKEY *key = functions.EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, 0, secret, 32);
  check(key, "it refuses a private key");
  return key;
}

void ccrypto_public_key(const uint8_t *secret, uint8_t *point) {
  EVP_PKEY *key = private_key(secret);
  size_t count = 32;
  check(functions.EVP_PKEY_get_raw_public_key(key, point, &count) == 1 && count == 32, "it gives no public key");
  functions.EVP_PKEY_free(key);
}

void ccrypto_sign(const uint8_t *secret, const uint8_t *message, size_t count, uint8_t *signature) {
  EVP_PKEY *key = private_key(secret);
  EVP_MD_CTX *context = new_context();
  size_t size = 64;
  check(
    functions.EVP_DigestSignInit(context, 0, 0, 0, key) == 1 &&
      functions.EVP_DigestSign(context, signature, &size, message, count) == 1 && size == 64,
    "it does not sign");
  functions.EVP_MD_CTX_free(context);
  functions.EVP_PKEY_free(key);
}

bool ccrypto_accepts(const uint8_t *point, const uint8_t *message, size_t count, const uint8_t *signature) {
  require_library();
  EVP_PKEY *key = functions.EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, 0, point, 32);
  if (!key) return false;
  EVP_MD_CTX *context = new_context();
  bool accepts = functions.EVP_DigestVerifyInit(context, 0, 0, 0, key) == 1 &&
                 functions.EVP_DigestVerify(context, signature, 64, message, count) == 1;
  functions.EVP_MD_CTX_free(context);
  functions.EVP_PKEY_free(key);
  return accepts;
}

int ccrypto_encode(uint8_t *text, const uint8_t *bytes, int count) {
  require_library();
  return functions.EVP_EncodeBlock(text, bytes, count);
}

int ccrypto_decode(uint8_t *bytes, const uint8_t *text, int count) {
  require_library();
  return functions.EVP_DecodeBlock(bytes, text, count);
}
