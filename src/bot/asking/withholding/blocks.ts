/** The smallest parts of Markdown that can be left out without harm to the rest; put together they are the text. */
export interface Block {
  kind: 'paragraph' | 'heading' | 'item' | 'table' | 'row' | 'code' | 'quote' | 'rule' | 'blank';
  /** With its line ends and the blank lines behind it. */
  raw: string;
  /** Of a heading; 0 for any other. */
  level: number;
  /** In columns. */
  indent: number;
  /** Of a table’s row: the columns that hold numbers of issues, by their heads. */
  numbered: readonly number[];
}

const FENCE = /^[\s>]*(`{3,}|~{3,})([^\n]*)\s*$/u;
const HEADING = /^ {0,3}(#{1,6})(?:\s|$)/u;
const UNDERLINE = /^ {0,3}(?:=+|-+)\s*$/u;
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}\s*$/u;
const ITEM = /^[ \t]*(?:[-*+\u2022]|\d{1,9}[.)])(?:[ \t]|$)/u;
const DELIMITER = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*){0,100}\|?\s*$/u;
const NUMBER_HEAD =
  /^(?:#|no|nr|num|number|id|(?:issue|ticket|incident)s?(?:\s*(?:#|no|nr|num|number|id))?)\.?$/iu;

/** Whether a block has a blank line behind it. */
export function endsInGap(raw: string): boolean {
  return /\n[ \t]*\n[ \t\n]*$/u.test(raw.slice(-64));
}

/** Takes Markdown apart while it grows. */
export class Blocks {
  #open: Block | null = null;
  /** The sign that closes the code that is open. */
  #fence: string | null = null;
  /** A blank line stands behind the open block. */
  #gap = false;
  #begun: string[] = [];

  /** Text that goes on behind what was given before; answers the blocks that are complete by it. */
  push(text: string): Block[] {
    const whole: Block[] = [];
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#begun.push(text.slice(from, end + 1));
      from = end + 1;
      const done = this.#line(this.#begun.join(''));
      this.#begun = [];
      if (done !== null) whole.push(done);
    }
    if (from < text.length) this.#begun.push(text.slice(from));
    const parted = this.#endAtGap();
    return parted === null ? whole : [...whole, parted];
  }

  /** The block that ends at the blank line before words that have begun. */
  #endAtGap(): Block | null {
    const open = this.#open;
    if (open === null || !this.#gap || this.#fence !== null || this.#begun.length === 0) return null;
    const begun = this.#begun.join('');
    if (begun.trim() === '' || (open.kind === 'item' && indentOf(begun) > open.indent + 1)) return null;
    this.#open = null;
    this.#gap = false;
    return open;
  }

  /** Nothing follows. */
  end(): Block[] {
    const last = this.#begun.length === 0 ? null : this.#line(this.#begun.join(''));
    this.#begun = [];
    const open = this.#open;
    this.#open = null;
    return [last, open].filter((block) => block !== null);
  }

  /** What is not complete yet. */
  get rest(): string {
    return `${this.#open?.raw ?? ''}${this.#begun.join('')}`;
  }

  /** @returns the block that ends before this line; `null` if none does */
  #line(line: string): Block | null {
    const open = this.#open;
    if (this.#fence !== null && open !== null) {
      if (closes(line, this.#fence)) this.#fence = null;
      return this.#goOn(open, line);
    }
    if (line.trim() === '') {
      const isFirst = open === null;
      const block = open ?? blockOf('blank', '');
      this.#open = block;
      this.#gap = !isFirst || this.#gap;
      block.raw += line;
      return null;
    }
    const next = this.#next(line, open);
    if (next === null && open !== null) return this.#goOn(open, line);
    this.#open = next ?? blockOf('paragraph', line);
    this.#gap = false;
    return open;
  }

  #goOn(open: Block, line: string): null {
    open.raw += line;
    this.#gap = false;
    return null;
  }

  /** The block that begins with a line; `null` if it belongs to the one that is open. */
  #next(line: string, open: Block | null): Block | null {
    const indent = indentOf(line);
    const isInItem = open?.kind === 'item' && indent > open.indent + 1;
    const fence = FENCE.exec(line);
    if (fence !== null && !(fence[1]?.startsWith('`') && fence[2]?.includes('`'))) {
      this.#fence = fence[1] ?? '';
      return isInItem ? null : blockOf('code', line);
    }
    if (ITEM.test(line) && !RULE.test(line)) return blockOf('item', line);
    if (isInItem) return null;
    const goesOn = open !== null && !this.#gap;
    if (goesOn && open.kind === 'paragraph' && isTable(open.raw, line)) {
      open.kind = 'table';
      open.numbered = numberedIn(open.raw);
      return null;
    }
    if (goesOn && (open.kind === 'table' || open.kind === 'row') && line.includes('|'))
      return blockOf('row', line, { numbered: open.numbered });
    if (goesOn && open.kind === 'paragraph' && UNDERLINE.test(line)) {
      open.kind = 'heading';
      open.level = line.includes('=') ? 1 : 2;
      return null;
    }
    const heading = HEADING.exec(line)?.[1];
    if (heading !== undefined) return blockOf('heading', line, { level: heading.length });
    if (RULE.test(line)) return blockOf('rule', line);
    if (/^ {0,3}>/u.test(line)) return goesOn && open.kind === 'quote' ? null : blockOf('quote', line);
    return goesOn && ['paragraph', 'item', 'quote'].includes(open.kind) ? null : blockOf('paragraph', line);
  }
}

function blockOf(kind: Block['kind'], raw: string, more: Partial<Block> = {}): Block {
  return { kind, raw, level: 0, indent: indentOf(raw), numbered: [], ...more };
}

function indentOf(line: string): number {
  const [space = ''] = /^[ \t]*/u.exec(line) ?? [];
  return space.replaceAll('\t', '    ').length;
}

function closes(line: string, fence: string): boolean {
  const sign = line.replace(/^[\s>]*/u, '').trim();
  return sign.startsWith(fence) && sign.replaceAll(fence.charAt(0), '') === '';
}

function isTable(head: string, line: string): boolean {
  return line.includes('-') && line.includes('|') && DELIMITER.test(line) && head.includes('|');
}

/** The columns of a table whose heads say that they number issues. */
function numberedIn(head: string): number[] {
  const line = head.trimEnd().split('\n').at(-1) ?? '';
  return cellsOf(line).flatMap((cell, index) => (NUMBER_HEAD.test(cell) ? [index] : []));
}

/** The cells of a table’s row, without what formats them. */
export function cellsOf(row: string): string[] {
  const line = row.trim().replace(/^\|/u, '').replace(/\|$/u, '');
  return line.split('|').map((cell) => cell.replace(/[*_`\\]/gu, '').trim());
}
