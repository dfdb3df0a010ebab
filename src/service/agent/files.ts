import { z } from 'zod';
import { amount, joinNames } from '../investigation/format.ts';
import { patternOf } from '../investigation/log-patterns.ts';
import { namedIn } from '../investigation/names.ts';
import { code } from './echo.ts';
import { tool } from './tool.ts';
import { type AttachedFile, type ErrorLine, errorLines, linesOf, type Turn } from './understand.ts';

const MOST_FILES = 3;
const MOST_PATTERNS = 5;
const LONGEST = 300;
const THE_FILE =
  /\b(?:this|the|that|these|my|attached)\s+(?:\w+\s+)?(?:files?|logs?|attachments?|output|dump|trace(?:back)?|stack ?trace|csv|json|yaml|config)\b|\battach/iu;
const POINTS = /\b(?:this|it|here|in there)\b/iu;

/** What does this log say? */
export const file = tool({
  name: 'file',
  answers: 'what errors an attached text file has, the most frequent first',
  example: 'What does this log say? (with a text file attached)',
  input: z.object({
    files: z.array(z.object({ name: z.string(), text: z.string() })).default([]),
  }),
  isOffline: true,
  fill: (turn) => ({ files: chosen(turn).map(({ name, text }) => ({ name, text })) }),
  run: ({ files }, { view }) => {
    const services = view.services().map(({ name }) => name);
    return {
      data: {
        files: files.map(({ name, text }) => ({
          name,
          ...countLines(text),
          errors: errorLines(text).length,
        })),
      },
      text: files.map((one) => inFile(one, services)).join('\n\n'),
    };
  },
});

export function isOfFile({ question, files, attached, named }: Turn): boolean {
  if (files.length === 0) return false;
  if (files.some(({ name }) => question.toLowerCase().includes(name.toLowerCase()))) return true;
  return named.length === 0 && (THE_FILE.test(question) || (attached && POINTS.test(question)));
}

/** The files named by the question, or all of them. */
function chosen({ question, files }: Turn): readonly AttachedFile[] {
  const named = files.filter(({ name }) => question.toLowerCase().includes(name.toLowerCase()));
  return (named.length > 0 ? named : files).slice(0, MOST_FILES);
}

function inFile({ name, text }: AttachedFile, services: readonly string[]): string {
  const { all, warnings } = countLines(text);
  const errors = errorLines(text);
  const head = `${quoted(name)} has ${amount(all, '{line}')}`;
  const warn = warnings === 0 ? '' : ` and ${amount(warnings, '{warning}')}`;
  if (errors.length === 0) return `${head}${warn}, but no errors.`;
  const patterns = [...Map.groupBy(errors, ({ text: line }) => patternOf(line)).values()].sort(
    (a, b) => b.length - a.length,
  );
  const more = patterns.length - MOST_PATTERNS;
  const named = namedIn(errors.map((line) => line.text).join('\n'), services)
    .filter(({ score }) => score === 1)
    .map(({ service }) => service);
  return [
    `${head}, with ${amount(errors.length, '{error}')}${warn}. Most frequent first:`,
    '',
    ...patterns.slice(0, MOST_PATTERNS).map(described),
    ...(more > 0 ? [`- … and ${amount(more, '{other kind}')}`] : []),
    ...(named.length > 0
      ? [
          '',
          `They mention ${joinNames(named)}: ask me how ${named.length === 1 ? 'it is' : 'they are'} doing.`,
        ]
      : []),
  ].join('\n');
}

function described(lines: readonly ErrorLine[]): string {
  const [first] = lines;
  if (first === undefined) return '';
  const where =
    lines.length === 1 ? `line ${first.number}` : `${lines.length} times, first in line ${first.number}`;
  return `- ${where}: ${quoted(first.text)}`;
}

function quoted(text: string): string {
  return code(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}

const WARNING = /\b(?:warn|warning)\b/iu;

/** The number of non-blank lines, and how many of them are warnings. */
function countLines(text: string): { all: number; warnings: number } {
  const lines = linesOf(text);
  const errors = new Set(errorLines(text).map(({ number }) => number));
  const warnings = lines.filter((line) => WARNING.test(line.text) && !errors.has(line.number)).length;
  return { all: lines.length, warnings };
}
