import { createHash, timingSafeEqual } from 'node:crypto';

/** A key as it is kept: by its hash alone. */
export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The token of `Authorization: Bearer`; `null` without one. */
export function bearerOf(request: Request): string | null {
  return /^Bearer +(\S+)$/iu.exec(request.headers.get('authorization') ?? '')?.[1] ?? null;
}

/** Compares in constant time with every key, so that time tells nothing about any. */
export function keyOf<Key extends { hash: Buffer }>(keys: readonly Key[], token: string): Key | null {
  const hash = hashOf(token);
  return keys.reduce<Key | null>((found, key) => (timingSafeEqual(key.hash, hash) ? key : found), null);
}
