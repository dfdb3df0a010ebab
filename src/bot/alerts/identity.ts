import { createHash } from 'node:crypto';

/**
 * The identity of an alert: a hash of the format's name and its key parts, in order, as 16 hexadecimal digits. It is the
 * same for the alert, its repeats and its recovery, and differs between formats.
 */
export function fingerprintOf(format: string, ...parts: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([format, ...parts]))
    .digest('hex')
    .slice(0, 16);
}
