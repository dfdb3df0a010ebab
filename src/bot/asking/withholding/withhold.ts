import { type Block, Blocks, endsInGap } from './blocks.ts';
import type { Names } from './names.ts';
import { Scanner, type ScanResult } from './scan.ts';

/** Looks up an issue that is not known here: whether the readers may not see it. Never rejects. */
export type LookUp = (number: number) => Promise<boolean>;

/** How deep a paragraph that begins like a heading reaches: less far than any heading. */
const LIKE_HEADING = 7;
/** So much is read before anything else has its turn. */
const AT_ONCE = 32_768;
/** The same of blocks, which may be as short as a line each. */
const BLOCKS_AT_ONCE = 200;
/** If nothing is known to be hidden, words are shown as they come, up to what may be the number of an issue. */
const CANDIDATE =
  /(?:[#\uff03]|(?:issue|ticket|incident|number)[a-z_]*)[^\p{L}\n]{0,16}(?:(?:number|num|nr|nos?|id)[^\p{L}\n]{0,8})?[\p{N}]|(?<![\p{L}\p{N}])p[\p{N}]|gumshoe-|archives\//iu;
/** A passage that goes on about what was named before it. */
const GOES_ON =
  /^[\s>*_`#+-]*(?:it|its|it[’']s|this|that|these|those|they|their|them|he|she|(?:the )?(?:root )?cause|(?:the )?(?:status|results?|investigation|evidence|remediation|fix|remedy|next steps?|severity|confidence|impact|timeline|summary)|what to do|caused by|because|due to)(?![\p{L}\p{N}_-])/iu;
/** A line that stands for a heading: all in bold, but for what is added in brackets. */
const LIKE_A_HEADING =
  /^\s*(?:\*\*|__)[^\n]{1,500}(?:\*\*|__)[^\p{L}\p{N}\n]*(?:\([^()\n]*\))?[^\p{L}\p{N}\n]*\n*$/u;

/** How far it reaches that something is withheld: a heading’s section, an item with what is below it, a table, a list. */
type Scope = { level: number } | { indent: number } | 'rows' | 'list';

interface Waiting {
  block: Block;
  found: ScanResult;
  /** How much of it is shown already: more than nothing only if nothing is hidden. */
  shown: number;
}

/**
 * Takes an answer as it grows, and gives back what of it its readers may see: whole blocks of Markdown, each after it was
 * compared with what names an issue that they may not see. What was given stays, and the rest is put behind it.
 */
export class Withholder {
  readonly #names: Names;
  readonly #lookUp: LookUp;
  readonly #blocks = new Blocks();
  readonly #scanner: Scanner;
  #waiting: Waiting[] = [];
  #taken = '';
  #shown = '';
  #begunShown = 0;
  /** The words of the blocks that wait. */
  #words = 0;
  /** What the next blocks belong to, if that is withheld. */
  #under: Scope | null = null;
  #isBehindWithheld = false;
  #owesGap = false;
  #lastKind: Block['kind'] | null = null;
  #withheld = false;

  constructor(names: Names, lookUp: LookUp) {
    this.#names = names;
    this.#lookUp = lookUp;
    this.#scanner = new Scanner(names);
  }

  /** Whether anything was left out so far. */
  get withheld(): boolean {
    return this.#withheld;
  }

  /** @param soFar all that has arrived, which begins with what was given before */
  async grow(soFar: string): Promise<string> {
    const more = soFar.slice(this.#taken.length);
    this.#taken = soFar;
    for (let from = 0; from < more.length; from += AT_ONCE) {
      await this.#read(this.#blocks.push(more.slice(from, from + AT_ONCE)));
      if (more.length > AT_ONCE) await otherWork();
    }
    await this.#release(this.#names.reach);
    if (this.#names.isEmpty) this.#showBegun();
    return this.#shown;
  }

  /** @param isWhole false if the answer breaks off: what may be the beginning of a name is left out too */
  async end(isWhole: boolean): Promise<string> {
    await this.#read(this.#blocks.end());
    const last = this.#waiting.at(-1);
    if (!isWhole && last?.found.isCut) last.found.hides = true;
    await this.#release(0);
    return this.#shown;
  }

  async #read(blocks: readonly Block[]): Promise<void> {
    for (const [index, block] of blocks.entries()) {
      if (index % BLOCKS_AT_ONCE === BLOCKS_AT_ONCE - 1) await otherWork();
      const reading = this.#scanner.read(block);
      let step = reading.next();
      while (!step.done) {
        if (block.raw.length > AT_ONCE) await otherWork();
        step = reading.next();
      }
      const shown = Math.min(this.#begunShown, block.raw.length);
      this.#begunShown -= shown;
      this.#words += step.value.words;
      this.#waiting.push({ block, found: step.value, shown });
    }
  }

  /** Lets go what no name can reach any more. */
  async #release(reach: number): Promise<void> {
    let count = 0;
    for (const waiting of this.#waiting) {
      if (this.#words - waiting.found.words < reach && !endsInGap(waiting.block.raw)) break;
      count += 1;
      this.#words -= waiting.found.words;
      const names = waiting.found.hides || (await this.#namesUnknown(waiting.found));
      if (this.#hides(waiting, names)) this.#leaveOut(waiting);
      else this.#show(waiting);
      if (count % BLOCKS_AT_ONCE === 0) await otherWork();
    }
    // All at once: to take the first away moves all others.
    this.#waiting = this.#waiting.slice(count);
  }

  async #namesUnknown({ unknown }: ScanResult): Promise<boolean> {
    for (const number of unknown) if (await this.#lookUp(number)) return true;
    return false;
  }

  #hides({ block, found }: Waiting, names: boolean): boolean {
    if (block.kind === 'blank') return false;
    if (this.#under !== null && endsAt(this.#under, block, found)) this.#under = null;
    if (names) this.#under ??= scopeOf(block);
    const goesOn = this.#isBehindWithheld && !found.shows && block.kind !== 'row' && GOES_ON.test(block.raw);
    const hides = names || this.#under !== null || goesOn;
    this.#isBehindWithheld = hides;
    return hides;
  }

  #leaveOut({ block, shown }: Waiting): void {
    this.#withheld = true;
    this.#owesGap ||= shown > 0 || endsInGap(block.raw);
  }

  #show({ block, shown }: Waiting): void {
    const isNextItem = block.kind === 'item' && this.#lastKind === 'item';
    if (this.#owesGap && !isNextItem && this.#shown !== '' && !endsInGap(this.#shown)) {
      this.#shown += this.#shown.endsWith('\n') ? '\n' : '\n\n';
    }
    this.#owesGap = false;
    this.#lastKind = block.kind;
    this.#shown += block.raw.slice(shown);
  }

  #showBegun(): void {
    if (this.#waiting.length > 0 || this.#under !== null || this.#isBehindWithheld) return;
    const { rest } = this.#blocks;
    const candidate = CANDIDATE.exec(rest)?.index ?? rest.length;
    if (candidate <= this.#begunShown) return;
    this.#shown += rest.slice(this.#begunShown, candidate);
    this.#begunShown = candidate;
  }
}

function endsAt(scope: Scope, { kind, level, indent, raw }: Block, { shows }: ScanResult): boolean {
  if (scope === 'rows') return kind !== 'row';
  if (scope === 'list') return kind === 'paragraph' || kind === 'heading' || kind === 'rule';
  if ('indent' in scope) return indent <= scope.indent;
  if (kind === 'heading') return level <= scope.level;
  return scope.level === LIKE_HEADING && (shows || kind === 'rule' || LIKE_A_HEADING.test(raw));
}

function scopeOf({ kind, level, indent, raw }: Block): Scope | null {
  if (kind === 'heading') return { level };
  if (kind === 'item') return { indent };
  if (kind === 'table') return 'rows';
  if (kind !== 'paragraph') return null;
  if (LIKE_A_HEADING.test(raw)) return { level: LIKE_HEADING };
  return /:[*_]*\s*$/u.test(raw) ? 'list' : null;
}

function otherWork(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
