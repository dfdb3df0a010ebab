/** A body is larger than the reader accepts. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

/** Limits on a JSON body. */
export interface BodyBounds {
  bytes: number;
  /** Values, including nested ones: their number determines the memory that the parsed body takes. */
  values: number;
  /** How deep values may be nested. */
  depth: number;
}

/** A whole body as text, without a byte order mark; rejects with `BodyTooLargeError` as soon as it exceeds `bounds`. */
export async function readText(chunks: AsyncIterable<Uint8Array>, bounds: BodyBounds): Promise<string> {
  const decoder = new TextDecoder();
  const outline = new Outline(bounds);
  let text = '';
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > bounds.bytes) throw new BodyTooLargeError(`the answer is longer than ${bounds.bytes} bytes`);
    outline.read(chunk);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Counts the values of a JSON text while it arrives, before it is parsed. */
class Outline {
  readonly #bounds: BodyBounds;
  #values = 0;
  #depth = 0;
  #isString = false;
  #isEscaped = false;

  constructor(bounds: BodyBounds) {
    this.#bounds = bounds;
  }

  read(chunk: Uint8Array): void {
    for (const byte of chunk) {
      if (this.#isString) this.#inString(byte);
      else if (byte === QUOTE) this.#isString = true;
      else if (byte === COMMA || byte === COLON) this.#values += 1;
      else if (OPENING.has(byte)) this.#open();
      else if (CLOSING.has(byte)) this.#depth -= 1;
    }
    if (this.#values > this.#bounds.values) {
      throw new BodyTooLargeError(`the answer has more than ${this.#bounds.values} values`);
    }
  }

  #inString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isString = false;
  }

  #open(): void {
    this.#values += 1;
    this.#depth += 1;
    if (this.#depth > this.#bounds.depth) {
      throw new BodyTooLargeError(`the answer is nested more than ${this.#bounds.depth} levels deep`);
    }
  }
}

/** About the first `limit` bytes of a body, or as many as arrived: only for display, never for data. */
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
