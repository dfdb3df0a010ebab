import { createHash } from 'node:crypto';

/**
 * The identity of a problem: 16 hexadecimal digits over the format's name and its key parts, in order. The same for the
 * firing, every repeat and the recovery; another format never yields the same.
 */
export function fingerprintOf(format: string, ...parts: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([format, ...parts]))
    .digest('hex')
    .slice(0, 16);
}
