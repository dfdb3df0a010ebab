/** A body is longer than the reader accepts. */
export class BodyTooLongError extends Error {
  override readonly name = 'BodyTooLongError';

  constructor(limit: number) {
    super(`the answer is longer than ${limit} bytes`);
  }
}

/** The whole of a body as text, without a byte order mark; rejects with `BodyTooLongError` beyond `limit` bytes. */
export async function readText(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > limit) throw new BodyTooLongError(limit);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** About the first `limit` bytes of a body, or what of them arrived: for what is only shown, never for data. */
export async function readStart(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      text += decoder.decode(chunk, { stream: true });
      if (bytes >= limit) break;
    }
  } catch {
    return text;
  }
  return text;
}
