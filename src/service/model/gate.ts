/** A line of what was looked up, under an id that the model cites. */
export interface EvidenceLine {
  id: string;
  text: string;
}

interface Gated {
  /** What may be shown, each with the id of the line that it shortens. */
  sentences: { words: string; id: string }[];
  leftOut: number;
}

/**
 * Leaves of what a model wrote only the sentences that shorten a line which they cite: their words stand in it, in its
 * order, but for articles and the like. So each number, name and word of cause is the line's, nothing changes its role, and
 * nothing is said of how two lines are related. A denial or a doubt in the line must not be shortened away. What the line
 * quotes is somebody else's: it stays a quote, and whole.
 */
export function gate(text: string, lines: readonly EvidenceLine[]): Gated {
  const known = new Map(lines.map(({ id, text: line }) => [id, line]));
  const sentences: Gated['sentences'] = [];
  const all = sentencesOf(text);
  for (const { words, ids } of all) {
    const borneBy = ids.find((id) => shortens(words, known.get(id)));
    if (borneBy === undefined || ids.some((id) => !known.has(id))) continue;
    sentences.push({ words, id: borneBy });
  }
  return { sentences, leftOut: all.length - sentences.length };
}

const CITATION = /\s*\[(a\d+(?:\s*,\s*a\d+)*)\]/gu;

/** Sentences without their citations, which stand before or after the full stop. */
function sentencesOf(text: string): { words: string; ids: string[] }[] {
  return text
    .replaceAll(/([.!?])((?:\s*\[a\d[^\]]*\])+)/gu, '$2$1')
    .split(/\n+|(?<=[.!?])\s+/u)
    .flatMap((sentence) => {
      const ids = [...sentence.matchAll(CITATION)].flatMap(([, list = '']) => list.split(/\s*,\s*/u));
      const words = sentence
        .replaceAll(CITATION, '')
        .replace(/^\s*(?:[-*•]|\d+\.)\s+/u, '')
        .trim();
      return words === '' ? [] : [{ words, ids }];
    });
}

/** What makes a link, a mention or markup of a text, also where a line has it. */
const ACTIVE = /:\/\/|\bwww\.|[<>@`|\\]|\]\(/u;
/** Words that a sentence may add without saying anything. */
const FREE = new Set(
  'a an the is are was were has have been of in on at and it its this that there'.split(' '),
);
/** Words that turn a claim around, or weaken it. */
const TURNS =
  /^(?:no|not|none|never|nothing|nobody|without|neither|nor|cannot|\p{L}+n[’']t|only|may|might|could|probably|perhaps|possibly|likely|suspects?|suspected|unless|if|about|almost)$/u;

function shortens(sentence: string, line: string | undefined): boolean {
  if (line === undefined || ACTIVE.test(sentence)) return false;
  const [stated, borne] = [wordsOf(sentence), wordsOf(line)];
  let at = 0;
  for (const word of stated) {
    const found = borne.indexOf(word, at);
    if (found >= 0) at = found + 1;
    else if (!FREE.has(word)) return false;
  }
  const hasContent = stated.filter((word) => !FREE.has(word)).length >= FEWEST_WORDS;
  const turns = (words: readonly string[]) => words.filter((word) => TURNS.test(word)).join(' ');
  return hasContent && turns(stated) === turns(borne);
}

/** Fewer say nothing. */
const FEWEST_WORDS = 2;

/** Its words, a quote as one of them. */
function wordsOf(text: string): string[] {
  return text.split(QUOTE).flatMap((part, at) => (at % 2 === 1 ? [part] : plainWords(part)));
}

const QUOTE = /("[^"]*"|“[^”]*”)/u;

function plainWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s,;()[\]"“”„*_]+/u)
    .map((word) => word.replaceAll(/^[‘’'.:]+|[‘’'.:!?]+$/gu, ''))
    .filter((word) => word !== '');
}
