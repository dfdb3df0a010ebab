import type { Readable } from 'node:stream';

/** Why a body was not read to its end. */
export type NotRead = 'too_large' | 'broken_off';

/** Reads a request's body of at most `most` bytes. How long it may take is limited by the server's `requestTimeout`. */
export function readBody(req: Readable, most: number): Promise<Buffer | NotRead> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) finish('too_large');
      else chunks.push(chunk);
    };
    const onEnd = () => finish(Buffer.concat(chunks));
    const onBroken = () => finish('broken_off');
    const finish = (result: Buffer | NotRead) => {
      req.off('data', onData).off('end', onEnd).off('close', onBroken).pause();
      resolve(result);
    };
    // The error listener stays: an error after the end would otherwise be unhandled.
    req.on('error', onBroken).on('data', onData).on('end', onEnd).on('close', onBroken);
  });
}
