/** A line of a file that reports a problem. */
export interface ErrorLine {
  /** Counted from 1. */
  number: number;
  text: string;
}

const ERROR =
  /\b(?:error|err|fatal|panic|critical|crit|severe|emerg|exception|traceback|failed|failure|refused|killed|oom|out of memory)\b|\b\w+(?:Error|Exception)\b|"(?:level|severity)":\s*"(?:error|fatal|critical)"/iu;
/** Phrases that report an error count of zero. */
const NO_ERROR =
  /\b(?:no|0|zero|without) (?:errors?|failures?|exceptions?)\b|\b(?:errors?|failed|failures?)\s*[:=]\s*0\b/iu;
const WARNING = /\b(?:warn|warning)\b/iu;

/** The lines of a text that report errors. */
export function errorLines(text: string): ErrorLine[] {
  return linesOf(text).filter((line) => ERROR.test(line.text) && !NO_ERROR.test(line.text));
}

/** The number of non-blank lines, and how many of them are warnings. */
export function countLines(text: string): { all: number; warnings: number } {
  const lines = linesOf(text);
  const warnings = lines.filter((line) => WARNING.test(line.text) && !ERROR.test(line.text)).length;
  return { all: lines.length, warnings };
}

function linesOf(text: string): ErrorLine[] {
  return text
    .split('\n')
    .map((line, i) => ({ number: i + 1, text: line.trim() }))
    .filter((line) => line.text !== '');
}
