/** What the lines before a question say about its issue. */
interface ThreadIssue {
  number: number;
  title: string;
  service: string | null;
  rootCause: string | null;
}

/** A text file attached to a question. */
export interface AttachedFile {
  name: string;
  text: string;
}

/** A question, and the context that precedes it in the same text. */
export interface ParsedQuestion {
  question: string;
  issue: ThreadIssue | null;
  /** What people said in the thread, one line each. */
  talk: string[];
  /** What was asked in an earlier conversation. */
  asked: string[];
  files: AttachedFile[];
}

const ASKS = /^The question:[^\S\n]*$/gmu;
const FILE = /(?:^|\n\n)Attached file ([^\n]+):\n/gu;
const NOT_READ = /(?:^|\n\n)Not read: [^\n]*$/u;
const TALK = 'Said in this thread before:';
const ASKED = 'Asked and answered before:';

/**
 * Parses a question as composed by Gumshoe: it follows the last line `The question:`. Without that line the whole text
 * is the question, or only its last paragraph if an earlier one describes an issue.
 */
export function parseQuestion(text: string): ParsedQuestion {
  const mark = [...text.matchAll(ASKS)].at(-1);
  if (mark === undefined) return { ...plainly(text), talk: [], asked: [], files: [] };
  const question = text.slice(mark.index + mark[0].length).trim();
  const before = text.slice(0, mark.index).trimEnd();
  const starts = [...before.matchAll(FILE)];
  const files = starts.map((start, i) => ({
    name: start[1] ?? '',
    text: before.slice(start.index + start[0].length, starts[i + 1]?.index).replace(NOT_READ, ''),
  }));
  const parts = before.slice(0, starts[0]?.index).split(/\n\n+/u);
  const asked = linesAfter(ASKED, parts).flatMap((line) => /^Question: (.+)$/u.exec(line)?.[1] ?? []);
  return { question, issue: issueIn(parts[0] ?? ''), talk: linesAfter(TALK, parts), asked, files };
}

function plainly(text: string): Pick<ParsedQuestion, 'question' | 'issue'> {
  const paragraphs = text.trim().split(/\n\s*\n/u);
  const issue = issueIn(paragraphs.slice(0, -1).join('\n'));
  return { question: (issue ? (paragraphs.at(-1) ?? '') : text).trim(), issue };
}

function linesAfter(heading: string, parts: readonly string[]): string[] {
  const part = parts.find((one) => one.startsWith(`${heading}\n`));
  return part === undefined ? [] : part.split('\n').slice(1);
}

function issueIn(text: string): ThreadIssue | null {
  const about = /^.*?issue #(\d+)[:\s]*(.*)$/imu.exec(text);
  if (about === null) return null;
  return {
    number: Number(about[1]),
    title: about[2] ?? '',
    service: /\bservice:\s*([\w.-]+\w)/iu.exec(text)?.[1] ?? null,
    rootCause: /^root cause:\s*(.+)$/imu.exec(text)?.[1] ?? null,
  };
}
