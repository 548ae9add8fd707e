//! Keys and signatures made with openssl 3.0 over [`MESSAGE`], by these commands; the private keys were thrown away.
//!
//! ```console
//! $ printf 'a bundle of rules\n' > m
//! $ openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out p256.pem   # P-384, P-521, secp256k1 alike
//! $ openssl genpkey -algorithm ed25519 -out ed25519.pem
//! $ openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.pem      # 1024 alike
//! $ openssl pkey -in p256.pem -pubout                                               # each public key
//! $ openssl dgst -sha256 -sign p256.pem m | openssl base64 -A                       # RSA alike, P-384 with -sha384
//! $ openssl pkeyutl -sign -rawin -inkey ed25519.pem -in m | openssl base64 -A
//! ```

pub(super) const MESSAGE: &[u8] = b"a bundle of rules\n";
/// `openssl dgst -sha256 -binary m | base64`, and the same for the other two.
pub(super) const SHA256: &str = "yKjTPqTWMgzGfKbPNLRF0WVhqQFCtliQPhmAhr8/wCI=";
pub(super) const SHA384: &str = "dC36beUM5flHUd1ffxlsrmo0Q8CPY0U9FgSxlJmEULgbsMTTytmFt95hDSBWg+nt";
pub(super) const SHA512: &str =
    "9t9ewp8ARdu9gkVZY/ZpuX5UPGTuZR8mUZ2eCC+BTjLcwbO5QysnExkyToB8rhssaPxvvDuPMp7d9LH/qKKcaw==";

pub(super) const P256_KEY: &str = "\
-----BEGIN PUBLIC KEY-----\n\
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE0kmnWxDOBPo4QxJ4b0183W8nXQXF\n\
+X8Pec88qnUybV/2Z49yV/pMTFmeepbRNiLoxl54hrmkUuKbA3KEr385hg==\n\
-----END PUBLIC KEY-----\n";
pub(super) const P256_SIGNATURE: &str =
    "MEUCIQCH/CYSniu3NnIPVHoFNSXFftlpsDXodQrm3nX1ATVMpgIgK71GI5YvmbnteUaxcB5rMv7psU9AU1brueI3PL5lqRg=";

pub(super) const OTHER_P256_KEY: &str = "\
-----BEGIN PUBLIC KEY-----\n\
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEcKegXRycBcQdDZ4bDXOi/s35WcFq\n\
R7nWnfJsc0Jw6n4NwYK39oOapWmbZoyQZnbfoNYvYi5ZzOCuziFy3qzZ+g==\n\
-----END PUBLIC KEY-----\n";
pub(super) const OTHER_P256_SIGNATURE: &str =
    "MEUCIEgQPTjAP3zvN925/kJp51cs+S2/WZF9EGawBlf+w2CAAiEA/YVoNvwT4VC721JrEl27qxiUnLUqWaq3MIKj1mf0DxQ=";

pub(super) const P384_KEY: &str = "\
-----BEGIN PUBLIC KEY-----\n\
MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAE4mkrNuNBMeo/tFQ+uTNSSJPJRC0cNUy8\n\
Vmai48F7JAbFSEDA+rpgqUelb5jNHwQ1IsdojgzcOFH3+X+K6xc+mCmqGfUfdjnL\n\
yCDfUS89U0XUNm55Lq1M+WVAoItUruQH\n\
-----END PUBLIC KEY-----\n";
pub(super) const P384_SIGNATURE: &str = "MGQCMD+sZqlXHKO6ge+WM7R5HJUHgF5NS+2Eo3Owvy9dL689wqGLTMnjaTm6sBmzXSarLwIwcXQEi80VtXsZN7ObBU0i8phK0ByNqJ9AITN3QUrBo9HRns3AcExHlPlTx9ePhlU1";

pub(super) const ED25519_KEY: &str = "\
-----BEGIN PUBLIC KEY-----\n\
MCowBQYDK2VwAyEAaL2tYo/uvqGr1GBk/bQLWnNfdm7GY+EUjk5boyUCUbs=\n\
-----END PUBLIC KEY-----\n";
pub(super) const ED25519_SIGNATURE: &str =
    "rXg1y+WkcD1SlC5o/9Pe/XB1+1Rnsf8KoaRWQwRUIOjlsXMj9o/oIEkDjguAl42Hj8SrIs6/o3Xr8/XhfqjJBw==";

pub(super) const RSA_KEY: &str = "\
-----BEGIN PUBLIC KEY-----\n\
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAstF0Tqas1VKbH04AIx59\n\
HkobzPclwgIdgvHT0QO1etsNl9JB5HSvz4BRCeZ7lS/eymnuBK+MPRiQEhVnWmhd\n\
LOUMedWAsuFnRb2jYyK3Lj+wVJkeRse0MVbVwwlI2XQyFM1oegzSqab3g5aqfJYS\n\
SA+Add//EMA5EjhMMcTTa/6qGuzFv4An83SpTpknqQX9ZFSLMnRgYSBaBkmT2pZU\n\
5riBjbJG6MUz4iTacpUqvU2wZPUxXr2Ksw2OoLuxu27Ujz+jluu3ZyEDzuG9VIU5\n\
XSxeS/XyT7lkXUeLwM8sTYHi0n8ssXXRwsi1wttKPcs3xqkyXIciJrEE3hXtZgUd\n\
+QIDAQAB\n\
-----END PUBLIC KEY-----\n";
pub(super) const RSA_SIGNATURE: &str = "elX5k0eAyJmjvXIpPa3JaFLbI86O+zpOR+X7+hvfTZ1ScCBGoKodireeGD/meN0S4pl4VL0SnTQzcvLnq880HNZ9AxW9jB0claMkqHf4qODhQrs4Jkz8A5MpjyPepy7f9n601iZ69yJcFizxkZpj/1I2EnJjcpb2J6ChSyyTy2y7W5w2ACFnGvBthMKSrCB7mJYrTUKeZaRdveBiLBVSHkPEB2x1dtCUeMEGL0Cmb0koIKjp1UcOcm2KjEAcuZG9P9JAlJrqmxig+6Lfa4qq6vBP4ezdEqBKJuJNhJKoex1RL1hHUNdooPAZL6g055kO1cDG/Tfux1pG8k5SV43a8w==";

/// `openssl pkey -pubin -in p256.pub -outform DER | sha256sum`
pub(super) const P256_FINGERPRINT: &str = "sha256:5196bdf85bc16f0276ef8ae01858f6219e777dc226d216157d99400a2441c594";

/// The hash that the key is not for: `-sha384` with P-256, `-sha256` with P-384, and `-sigopt rsa_padding_mode:pss`.
pub(super) const P256_WITH_SHA384: &str =
    "MEYCIQDHv8Vi9lfAKMnyo74dvUG2H1u6FNUpmi64rHXAqDsbtAIhAOcO7XUqVaZs6lhQW/lh2XAZGIV3w6GwN/ae+5H0M//U";
pub(super) const P384_WITH_SHA256: &str = "MGQCMEofZgm7RC2o6JQ2FIKlWzyi1QnUcs2bDLmhRueo9cMThxHixkHvJ9ZsufIp8vjXkQIwI+79yFgRfLBELRVJbhR4hzOv066nKvp7nMyRLAHd6eZfXbo1SbuAXt7sZpWeKnaH";
pub(super) const RSA_PSS: &str = "a35FIMrBQUjUeHKGOzBJwkgRloMBc6cEHiVaeb1GOQl+fl37s7jgsCFTzW6EvFbHyaM4wFHCosdzRtIsJm5zrKWsdVzdAssduc9WWM9crASeXjgnTTJz0veeOMfErZ9EVTxrHSa0Fe5OPfuoNhbJj1jvBlvgPEcBSxCYcxRFfcjQzyPP4UcwLzQ8nxvcxwNWn8aQzSLhGu9qbTZ6H4YWfkiuRU6+6VY45ysZLHnYjHPQv3PjXq21gPTw2FzJwnXj/KS3N/M9jR04EvKOj59t1Msjch1mNhqlYRL7Dm3w+TNu0ciW/Ghol85LEkrf++Ubq93MKgJ5xscQTBY0a/vyvw==";

pub(super) const P521_KEY: &str = "\
-----BEGIN PUBLIC KEY-----\n\
MIGbMBAGByqGSM49AgEGBSuBBAAjA4GGAAQBUO/kgC5eydmVIawhopocG2Uw6vQZ\n\
jjms2mPbbdkzWaLmRg/66015oBLohjtzIZHwlsgMjcRT6Y0t1EaKqyM6C38AZRiA\n\
hcTJMH6tsEzRpysCXHBVl/bGSj7wkp4Sm6hLMi6n2JePv0GnacBQr4YYVwNNwlAj\n\
31AnReelJTEbuEfoB2M=\n\
-----END PUBLIC KEY-----\n";
pub(super) const SECP256K1_KEY: &str = "\
-----BEGIN PUBLIC KEY-----\n\
MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAERkoM6LLiuOc1anKCkfnLaQx0MLhFpANv\n\
ILLmAXaAKaFyffeYdia04AG1lFVyFVAUrTmRKrJZ10B4RzFBlp7iuw==\n\
-----END PUBLIC KEY-----\n";
pub(super) const WEAK_RSA_KEY: &str = "\
-----BEGIN PUBLIC KEY-----\n\
MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDRnKaWXPS3jO1Tup4Wf/TyGFPO\n\
cnga/YDK0F6dxuKU6np36GzvQUn8ZQbmYv6umhGY5vdlFPV2ydsMmDVnN1R+udH/\n\
eCJQrYXpHpTW4QVgiI8akG48gVGy2cgjm7DU/5D7Nc5zNIoZMwuzEooCrRNnUaNP\n\
7rrrnvh3BwPa0BMZDQIDAQAB\n\
-----END PUBLIC KEY-----\n";
/// `openssl ec -in p256.pem -pubout -conv_form compressed`
pub(super) const COMPRESSED_KEY: &str = "\
-----BEGIN PUBLIC KEY-----\n\
MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgAC0kmnWxDOBPo4QxJ4b0183W8nXQXF\n\
+X8Pec88qnUybV8=\n\
-----END PUBLIC KEY-----\n";
/// `openssl rsa -in rsa.pem -RSAPublicKey_out`
pub(super) const PKCS1_KEY: &str = "\
-----BEGIN RSA PUBLIC KEY-----\n\
MIIBCgKCAQEAstF0Tqas1VKbH04AIx59HkobzPclwgIdgvHT0QO1etsNl9JB5HSv\n\
z4BRCeZ7lS/eymnuBK+MPRiQEhVnWmhdLOUMedWAsuFnRb2jYyK3Lj+wVJkeRse0\n\
MVbVwwlI2XQyFM1oegzSqab3g5aqfJYSSA+Add//EMA5EjhMMcTTa/6qGuzFv4An\n\
83SpTpknqQX9ZFSLMnRgYSBaBkmT2pZU5riBjbJG6MUz4iTacpUqvU2wZPUxXr2K\n\
sw2OoLuxu27Ujz+jluu3ZyEDzuG9VIU5XSxeS/XyT7lkXUeLwM8sTYHi0n8ssXXR\n\
wsi1wttKPcs3xqkyXIciJrEE3hXtZgUd+QIDAQAB\n\
-----END RSA PUBLIC KEY-----\n";
