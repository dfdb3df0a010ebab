import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from './clock.ts';

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

const GUESSES = 20;
const MINUTE_MS = 60_000;
const MOST_ADDRESSES = 10_000;

export const TOO_MANY_GUESSES = 'Too many wrong keys came from this address. Try again in a minute.';

/** Limits how many wrong keys an address may try. */
export interface GuessLimit {
  /**
   * For how long a request is refused unread, in milliseconds; 0 if it is not. A key that was right from this address before
   * is always admitted; no other is looked for, or the answer would say which guess was right.
   */
  blockedMs(address: string, token: string | null): number;
  tried(address: string, token: string | null, isRight: boolean): void;
}

/** Twenty wrong ones a minute; behind a proxy, all who call share its address. */
export function createGuessLimit(clock: Pick<Clock, 'now'>): GuessLimit {
  const addresses = new Map<string, { wrong: number; until: number; right: Set<string> }>();
  return {
    blockedMs: (address, token) => {
      const found = addresses.get(address);
      if (found === undefined || found.wrong < GUESSES) return 0;
      const isKnown = token !== null && found.right.has(hashOf(token).toString('hex'));
      return isKnown ? 0 : Math.max(0, found.until - clock.now());
    },
    tried: (address, token, isRight) => {
      const known = addresses.get(address);
      const [oldest] = addresses.keys();
      if (known === undefined && addresses.size >= MOST_ADDRESSES && oldest !== undefined)
        addresses.delete(oldest);
      const found = known ?? { wrong: 0, until: 0, right: new Set<string>() };
      if (isRight && token !== null) found.right.add(hashOf(token).toString('hex'));
      if (!isRight) {
        const isOver = found.until <= clock.now();
        found.wrong = isOver ? 1 : found.wrong + 1;
        if (isOver) found.until = clock.now() + MINUTE_MS;
      }
      addresses.set(address, found);
    },
  };
}

const Peer = z.object({ incoming: z.object({ socket: z.object({ remoteAddress: z.string() }) }) });

/** The address that a request came from; empty where nobody knows it. */
export function addressIn(env: unknown): string {
  return Peer.safeParse(env).data?.incoming.socket.remoteAddress ?? '';
}
