import type { Readable } from 'node:stream';

/** Why a body was not read: it is larger than allowed, it broke off or came in thousands of tiny pieces, or there was no room. */
export type NotRead = 'too_large' | 'broken_off' | 'no_room';

/** How many bytes of bodies that nobody has verified yet are held together. */
export interface BodyBudget {
  /** Reads a body of at most `most` bytes. How long it may take is limited by the server's `requestTimeout`. */
  read(body: Readable, most: number): Promise<Buffer | NotRead>;
  /** The bytes that are held now. */
  held(): number;
}

/** Enough for eight bodies of the largest size; those of a genuine sender arrive at once, and are gone at once. */
const MOST_HELD = 32 * 1024 * 1024;
/**
 * What a piece of a body takes at least, in bytes: each is an object of its own. A chunked body may come in pieces of one
 * byte, and would hold hundreds of times what it says.
 */
const LEAST_PIECE = 256;

/**
 * Bounds what all bodies together may hold, for one way in: anybody can send the headers of a signed request, and a body
 * that never ends. Where there is no room for more, the bodies that have been arriving for longest are given up.
 */
export function createBodyBudget(most = MOST_HELD): BodyBudget {
  /** In the order in which they began. */
  const holders = new Set<{ size: number; giveUp: () => void }>();
  let held = 0;
  return {
    held: () => held,
    read: (body, largest) =>
      new Promise((resolve) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        const holder = { size: 0, giveUp: () => finish('no_room') };
        const onData = (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > largest) return finish('too_large');
          if (chunks.length * LEAST_PIECE >= largest) {
            finish('broken_off');
            // Each further piece costs more to read than it is worth: thousands of them arrive at once.
            body.destroy();
            return;
          }
          chunks.push(chunk);
          const size = Math.max(chunk.length, LEAST_PIECE);
          holder.size += size;
          held += size;
          for (const oldest of holders) {
            if (held <= most) break;
            oldest.giveUp();
          }
        };
        const onEnd = () => finish(Buffer.concat(chunks));
        const onBroken = () => finish('broken_off');
        const finish = (result: Buffer | NotRead) => {
          if (!holders.delete(holder)) return;
          held -= holder.size;
          body.off('data', onData).off('end', onEnd).off('close', onBroken).pause();
          chunks.length = 0;
          resolve(result);
        };
        holders.add(holder);
        // The error listener stays: an error after the end would otherwise be unhandled.
        body.on('error', onBroken).on('data', onData).on('end', onEnd).on('close', onBroken);
      }),
  };
}
