import { type Template, Templates } from '../../lib/templates.ts';

/** Lines of logs that differ only in their parameters. */
export class LogTemplates {
  readonly #templates = new Templates({ depth: 3, alike: 0.7 });
  readonly #known = new Map<string, Template>();

  /** The template of a line; the same object for lines that belong together. */
  of(level: string | null, message: string): Template {
    const masked = mask(message);
    const key = `${level ?? ''}\n${masked}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const words = masked
      .split(SEPARATORS)
      .filter((word) => word !== '')
      .slice(0, MOST_WORDS);
    const found = this.#templates.of(level ?? '', words);
    this.#known.set(key, found);
    return found;
  }

  at(id: string): Template | undefined {
    return this.#templates.at(Number(id));
  }
}

const SEPARATORS = /[\s,;:=()[\]{}"'|<>]+/u;
/** The beginning of a line says what it reports; lists of any length follow. */
const MOST_WORDS = 24;

function mask(message: string): string {
  return message.slice(0, 300).replaceAll(/\b[0-9a-f]{8}[0-9a-f-]*\b|\d+/giu, '#');
}
