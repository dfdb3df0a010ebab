import { StringDecoder } from 'node:string_decoder';
import { setImmediate as nextTurn } from 'node:timers/promises';

interface ReadOptions {
  /** The most bytes that are read; the rest is cut off. */
  most: number;
  /** One JSON value a line, read as an array. */
  lines?: boolean | undefined;
  /**
   * Gets the items of each outermost array as they arrive, with the key of the array, and returns what is kept of them;
   * `null` ends the reading.
   */
  take?: ((items: readonly unknown[], key: string) => readonly unknown[] | null) | undefined;
}

interface ReadJson {
  /** `undefined` if it is no JSON. */
  value: unknown;
  /** Whether there was more than `most` bytes: the outermost arrays then end early. */
  isCut: boolean;
}

const [QUOTE, COMMA, OPEN, ESCAPE, CLOSE, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('",[\\]{}');
/** The key that precedes an array. */
const KEY = /"((?:[^"\\]|\\.)*)"\s*:\s*$/u;
const KEY_LENGTH = 100;

/**
 * Reads JSON while it arrives. The items of an outermost array (of which all long answers consist) are parsed a chunk
 * at a time, so that no answer, however long, occupies the event loop or is in memory as a whole. Rejects if the body
 * does.
 */
export async function readJson(body: AsyncIterable<Buffer>, options: ReadOptions): Promise<ReadJson> {
  const reader = new Reader(options);
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    const isCut = bytes > options.most;
    const isWanted = reader.read(isCut ? chunk.subarray(0, chunk.length - (bytes - options.most)) : chunk);
    // Leaving the loop ends the request.
    if (isCut || !isWanted) return { value: reader.finish(true), isCut };
    await nextTurn();
  }
  return { value: reader.finish(false), isCut: false };
}

class Reader {
  readonly #options: ReadOptions;
  /** The text around the outermost arrays, each of which is replaced by `[<its number>]`. */
  #around = '';
  readonly #arrays: { key: string; items: unknown[] }[] = [];
  /** Its end, in which the key of an array is looked for. */
  #tail = '';
  readonly #decoder = new StringDecoder('utf8');
  /** How many objects are open around the array. */
  #objects = 0;
  #isInside = false;
  #depth = 0;
  #isString = false;
  #isEscaped = false;
  /** The beginning of an item that goes on in the next chunk. */
  #begun: Buffer[] = [];
  #isBroken = false;
  #isWanted = true;

  constructor(options: ReadOptions) {
    this.#options = options;
    if (options.lines) this.#enter();
  }

  /** Returns false once nothing more is wanted. */
  read(chunk: Buffer): boolean {
    if (this.#options.lines) {
      const end = chunk.lastIndexOf('\n');
      if (end >= 0) this.#parse(chunk.subarray(0, end));
      this.#begun.push(chunk.subarray(end + 1));
    } else this.#scan(chunk);
    return this.#isWanted && !this.#isBroken;
  }

  finish(isCut: boolean): unknown {
    if (this.#isInside) {
      if (this.#options.lines && !isCut) this.#parse(Buffer.alloc(0));
      else if (!isCut) this.#isBroken = true;
      this.#around += ']';
    }
    if (this.#isBroken) return undefined;
    try {
      return this.#filled(JSON.parse(isCut ? this.#around + '}'.repeat(this.#objects) : this.#around));
    } catch {
      return undefined;
    }
  }

  #scan(chunk: Buffer): void {
    /** Where the text or the items begin that were not yet taken, and where the last complete item ends. */
    let from = 0;
    let complete = -1;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i];
      if (this.#isString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === ESCAPE) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isString = false;
      } else if (byte === QUOTE) this.#isString = true;
      else if (!this.#isInside) {
        if (byte === OPEN_OBJECT) this.#objects++;
        else if (byte === CLOSE_OBJECT) this.#objects--;
        else if (byte === OPEN) {
          this.#append(chunk.subarray(from, i));
          this.#enter();
          from = i + 1;
        }
      } else if (byte === COMMA && this.#depth === 0) complete = i;
      else if (byte === OPEN || byte === OPEN_OBJECT) this.#depth++;
      else if (byte === CLOSE && this.#depth === 0) {
        this.#parse(chunk.subarray(from, i));
        this.#around += ']';
        this.#isInside = false;
        from = i + 1;
        complete = -1;
      } else if (byte === CLOSE || byte === CLOSE_OBJECT) this.#depth--;
    }
    if (!this.#isInside) this.#append(chunk.subarray(from));
    else if (complete < 0) this.#begun.push(chunk.subarray(from));
    else {
      this.#parse(chunk.subarray(from, complete));
      this.#begun.push(chunk.subarray(complete + 1));
    }
  }

  #append(piece: Buffer): void {
    const text = this.#decoder.write(piece);
    this.#around += text;
    this.#tail = `${this.#tail}${text.slice(-KEY_LENGTH)}`.slice(-KEY_LENGTH);
  }

  #enter(): void {
    const key = KEY.exec(this.#tail)?.[1] ?? '';
    this.#tail = '';
    this.#around += `[${this.#arrays.length}`;
    this.#arrays.push({ key, items: [] });
    this.#isInside = true;
  }

  /** Complete items, the first of which may have begun before. */
  #parse(end: Buffer): void {
    const text = Buffer.concat([...this.#begun, end]).toString('utf8');
    this.#begun = [];
    const array = this.#arrays.at(-1);
    if (array === undefined || !this.#isWanted || text.trim() === '') return;
    const { lines, take } = this.#options;
    const items = itemsIn(
      lines
        ? text
            .split('\n')
            .filter((line) => line.trim() !== '')
            .join(',')
        : text,
    );
    const kept = items === null || take === undefined ? items : take(items, array.key);
    if (items === null) this.#isBroken = true;
    if (kept === null) this.#isWanted = false;
    for (const item of kept ?? []) array.items.push(item);
  }

  /** With its arrays in their places. */
  #filled(value: unknown): unknown {
    if (Array.isArray(value)) return this.#arrays[Number(value[0])]?.items ?? [];
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.#filled(inner)]));
  }
}

function itemsIn(text: string): unknown[] | null {
  try {
    return JSON.parse(`[${text}]`);
  } catch {
    return null;
  }
}
