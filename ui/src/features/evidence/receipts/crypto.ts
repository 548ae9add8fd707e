// The few things that verification needs of the browser.

/** SHA-256 and Ed25519 are offered only where the browser trusts the connection. */
export const canVerify = (): boolean => typeof crypto !== 'undefined' && crypto.subtle !== undefined;

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

export function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The bytes that hex digits stand for; the caller has looked that they are such. */
export function bytes(digits: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** A key's id: the first 16 hex digits of the hash of its bytes. */
export async function keyId(key: string): Promise<string> {
  return hex(await sha256(bytes(key))).slice(0, 16);
}

export function importKey(key: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes(key), { name: 'Ed25519' }, false, ['verify']);
}

/** Whether a signature over the 64 digits of a hash is that of a key. */
export function isSigned(key: CryptoKey, hash: string, signature: string): Promise<boolean> {
  return crypto.subtle.verify({ name: 'Ed25519' }, key, bytes(signature), new TextEncoder().encode(hash));
}
