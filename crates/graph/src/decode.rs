//! Getting at a document's bytes: plain, gzip or zstd, told apart by their first bytes, never more than the limit.

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;

use crate::Error;

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// Reads a document to its end and decompresses it if need be.
///
/// # Errors
///
/// When reading fails, when the compressed data is damaged, or when more than `limit` bytes come out.
pub fn read_document(mut input: impl Read, limit: u64) -> Result<Vec<u8>, Error> {
    let mut head = Vec::with_capacity(4);
    input.by_ref().take(4).read_to_end(&mut head).map_err(|source| Error::Read { source })?;
    let is_gzip = head.starts_with(GZIP);
    let is_zstd = head.starts_with(ZSTD);
    let whole = io::Cursor::new(head).chain(input);
    if is_gzip {
        bounded(MultiGzDecoder::new(whole), limit, |source| Error::Compressed { format: "gzip", source })
    } else if is_zstd {
        let damaged = |source| Error::Compressed { format: "zstd", source };
        let decoder = zstd::Decoder::new(whole).map_err(damaged)?;
        bounded(decoder, limit, damaged)
    } else {
        bounded(whole, limit, |source| Error::Read { source })
    }
}

fn bounded(input: impl Read, limit: u64, failed: impl FnOnce(io::Error) -> Error) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    input.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > limit {
        return Err(Error::TooLarge { limit });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn every_encoding_gives_the_same_bytes() {
        let text = br#"{"meta":{}}"#;
        for encoded in [text.to_vec(), gzip(text), zstd::encode_all(text.as_slice(), 3).unwrap()] {
            assert_eq!(read_document(encoded.as_slice(), 1000).unwrap(), text);
        }
        assert_eq!(read_document([].as_slice(), 10).unwrap(), b"");
    }

    #[test]
    fn a_bomb_stops_at_the_limit() {
        let zeros = vec![0; 20 << 20];
        for bomb in [gzip(&zeros), zstd::encode_all(zeros.as_slice(), 3).unwrap(), zeros.clone()] {
            let refused = read_document(bomb.as_slice(), 1 << 20);
            assert!(matches!(refused, Err(Error::TooLarge { limit: 1_048_576 })), "{refused:?}");
        }
    }

    #[test]
    fn exactly_the_limit_is_accepted() {
        assert_eq!(read_document([b' '; 10].as_slice(), 10).unwrap().len(), 10);
        assert!(read_document([b' '; 11].as_slice(), 10).is_err());
    }

    #[test]
    fn damaged_compression_is_named() {
        let mut cut = gzip(b"some text that is long enough");
        cut.truncate(15);
        assert!(matches!(read_document(cut.as_slice(), 1000), Err(Error::Compressed { format: "gzip", .. })));
        let cut = &zstd::encode_all(b"some text".as_slice(), 3).unwrap()[..8];
        assert!(matches!(read_document(cut, 1000), Err(Error::Compressed { format: "zstd", .. })));
    }
}
