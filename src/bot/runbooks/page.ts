import { parseDocument } from 'yaml';
import { z } from 'zod';

/** A step of a runbook, as its author numbered it. Texts are data, whoever wrote them. */
interface Step {
  /** The heading that it is under; empty for none. */
  heading: string;
  number: string;
  text: string;
}

/** A page that says what to do about some alerts. */
export interface Runbook {
  /** Its file below the folder that `RUNBOOKS` names, or its address. */
  path: string;
  title: string;
  /** Where people read it; `null` for a file. */
  url: string | null;
  /** What its front matter says that it is about; an empty list says nothing. */
  about: About;
  steps: Step[];
}

interface About {
  alerts: string[];
  /** Patterns in which `*` is any text. */
  services: string[];
  causes: string[];
}

export interface ReadPage {
  runbook: Runbook;
  /** What of its front matter cannot be read, each with its line. */
  problems: string[];
}

/** Of a longer page the beginning is read. */
export const MAX_PAGE = 200_000;
const MAX_FRONT_MATTER = 10_000;
const MAX_STEPS = 40;
const MAX_STEP = 2_000;
const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(?<yaml>[\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/u;

/** Reads a page of Markdown; what cannot be read is skipped. */
export function readPage(text: string, { path, url }: Pick<Runbook, 'path' | 'url'>): ReadPage {
  const source = text.slice(0, MAX_PAGE);
  const [front = '', yaml] = FRONT_MATTER.exec(source) ?? [];
  const { about, title, problems } = yaml === undefined ? NOTHING : readFrontMatter(yaml);
  const body = source.slice(front.length).replace(/<!--[\s\S]*?(?:-->|$)/gu, '');
  const heading = /^#[ \t]+(?<words>.+)$/mu.exec(body)?.groups?.words;
  return {
    runbook: {
      path,
      url,
      about,
      title: title ?? (inWords((heading ?? '').slice(0, MAX_STEP)) || stemOf(path)),
      steps: stepsOf(body),
    },
    problems: problems.map((problem) => `${path}, ${problem}`),
  };
}

/** `payments` of `alerts/payments.md`. */
export function stemOf(path: string): string {
  return (path.split('/').at(-1) ?? '').replace(/\.(?:md|markdown)$/iu, '');
}

interface FrontMatter {
  about: About;
  title: string | null;
  problems: string[];
}

const NOTHING: FrontMatter = { about: { alerts: [], services: [], causes: [] }, title: null, problems: [] };
const Names = z.union([z.string(), z.array(z.string())]).transform((names) =>
  [names]
    .flat()
    .map((name) => name.trim())
    .filter((name) => name !== ''),
);

function readFrontMatter(yaml: string): FrontMatter {
  if (yaml.length > MAX_FRONT_MATTER)
    return {
      ...NOTHING,
      problems: [`line 2: the front matter is longer than ${MAX_FRONT_MATTER} characters`],
    };
  const document = parseDocument(yaml);
  // The line of the opening `---` comes first.
  const lineAt = (offset: number) => yaml.slice(0, offset).split('\n').length + 1;
  const [error] = document.errors;
  if (error !== undefined) {
    const what = error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/u, '') ?? 'no YAML';
    return { ...NOTHING, problems: [`line ${lineAt(error.pos[0])}: ${what}`] };
  }
  const content = z.record(z.string(), z.unknown()).safeParse(contentOf(document));
  if (!content.success) return { ...NOTHING, problems: ['line 2: the front matter has no keys'] };
  const problems: string[] = [];
  const names = (...keys: string[]): string[] =>
    keys.flatMap((key) => {
      const value = content.data[key];
      if (value === undefined || value === null) return [];
      const read = Names.safeParse(value);
      if (read.success) return read.data;
      const at = new RegExp(`^${key}[ \t]*:`, 'mu').exec(yaml)?.index ?? 0;
      problems.push(`line ${lineAt(at)}: ${key} is neither a text nor a list of texts`);
      return [];
    });
  const about = {
    alerts: names('alert', 'alerts'),
    services: names('service', 'services'),
    causes: names('cause', 'causes'),
  };
  return { about, title: names('title')[0] ?? null, problems };
}

/** Nothing for what grows without end once its aliases are followed. */
function contentOf(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 }) ?? {};
  } catch {
    return undefined;
  }
}

const NUMBERED = /^ ?(?<number>\d{1,3})[.)][ \t]+(?<text>\S.*)$/u;
const BULLET = /^ ?[-*+][ \t]+(?:\[[ xX]\][ \t]+)?(?<text>\S.*)$/u;
const STEP_HEADING =
  /^#{2,4}[ \t]+(?:step[ \t]+)?(?<number>\d{1,3})(?:[.):]|[ \t]*[-–—])?[ \t]+(?<text>\S.*)$/iu;
const HEADING = /^#{1,6}[ \t]+(?<words>.+)$/u;

/** The numbered items of a page; where there are none, its numbered headings, or else the items of its lists. */
function stepsOf(body: string): Step[] {
  const lines = body.split(/\r?\n/u);
  for (const kind of ['numbered', 'headings', 'bullets'] as const) {
    const steps = stepsIn(lines, kind);
    if (steps.length > 0) return steps;
  }
  return [];
}

function stepsIn(lines: readonly string[], kind: 'numbered' | 'headings' | 'bullets'): Step[] {
  const steps: Step[] = [];
  let open: { step: Step; lines: string[] } | null = null;
  let heading = '';
  let isCode = false;
  let before = '';
  const close = () => {
    if (open !== null) steps.push({ ...open.step, text: textOf(open.lines) });
    open = null;
  };
  for (const line of lines) {
    const isFence = /^\s*(?:```|~~~)/u.test(line);
    const found = isCode || isFence ? null : beginning(line, kind);
    const words = isCode ? undefined : HEADING.exec(line)?.groups?.words;
    if (found !== null) {
      close();
      if (steps.length >= MAX_STEPS) break;
      open = {
        step: { heading, number: found.number || String(steps.length + 1), text: '' },
        lines: [found.text],
      };
    } else if (words !== undefined) {
      close();
      // The page's own title is above all of it.
      heading = line.startsWith('# ') ? '' : inWords(words.slice(0, MAX_STEP));
    } else if (open !== null && (isCode || isFence || belongs(line, before, kind)))
      open.lines.push(line.replace(/^(\s*)~~~/u, '$1```'));
    else if (!isFence) close();
    if (isFence) isCode = !isCode;
    before = line;
  }
  close();
  return steps;
}

function beginning(
  line: string,
  kind: 'numbered' | 'headings' | 'bullets',
): { number: string; text: string } | null {
  const pattern = { numbered: NUMBERED, headings: STEP_HEADING, bullets: BULLET }[kind];
  const { number = '', text } = pattern.exec(line)?.groups ?? {};
  return text === undefined ? null : { number, text };
}

/** An item includes what is indented, and what is not up to the next empty line; a section includes all of its content. */
function belongs(line: string, before: string, kind: 'numbered' | 'headings' | 'bullets'): boolean {
  return kind === 'headings' || line.trim() === '' || before.trim() !== '' || /^(?: {2,}|\t)/u.test(line);
}

function textOf(lines: readonly string[]): string {
  const [first = '', ...others] = lines;
  const indents = others
    .filter((line) => line.trim() !== '')
    .map((line) => /^ */u.exec(line)?.[0].length ?? 0);
  const indent = Math.min(...indents, 4);
  const text = [first, ...others.map((line) => line.slice(Math.min(indent, line.length)))].join('\n');
  return inWords(text.trim()).slice(0, MAX_STEP).toWellFormed();
}

/** Markdown outside of code as plain text: a link is its words and its address, which is the one that people see. */
function inWords(markdown: string): string {
  return markdown
    .split(/(```[\s\S]*?(?:```|$)|`[^`\n]*`)/u)
    .map((part, at) =>
      at % 2 === 1
        ? part.replace(/^```[\w-]*\n/u, '```\n')
        : part
            .replace(/\n{2,}/gu, '\n')
            .replace(/!\[(?<alt>[^[\]\n]{0,300})\]\([^()\n]{0,2000}\)/gu, '$<alt>')
            .replace(
              /\[(?<words>[^[\]\n]{1,300})\]\((?<url>[^()\s]{1,2000})(?: "[^"\n]{0,300}")?\)/gu,
              '$<words> ($<url>)',
            )
            .replace(/(?<mark>\*\*|__)(?=\S)(?<words>[^\n]{0,300}?\S)\k<mark>/gu, '$<words>'),
    )
    .join('')
    .trim();
}
