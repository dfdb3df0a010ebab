import { randomBytes } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Gives `size` random bytes; injected, so that a test may repeat itself. */
export type Random = (size: number) => Uint8Array;

/** The machine's own randomness. */
export const systemRandom: Random = (size) => randomBytes(size);

/** An id as Slack writes them: a prefix and `length` capitals and digits, e.g. `Ev04K2M9QXYZ`. */
export function newId(random: Random, prefix: string, length = 10): string {
  return prefix + Array.from(random(length), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}

/** `2 * bytes` hex digits. */
export function newHex(random: Random, bytes: number): string {
  return Buffer.from(random(bytes)).toString('hex');
}

/** A random UUID (version 4), as envelope ids are. */
export function newUuid(random: Random): string {
  const hex = newHex(random, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
