import { redactor } from '../../../lib/redact.ts';
import type { Change } from '../model.ts';

/** What differs between the version that ran and the one that runs. Everything in it is untrusted. */
export interface Contents {
  /** Newest first. */
  commits: readonly { id: string; title: string; author: string | null }[];
  files: readonly ChangedFile[];
  /** Sentences about what these do not show. */
  notes: readonly string[];
}

export interface ChangedFile {
  path: string;
  /** The hunks, without a header; empty if the host leaves them out, as it does for binary and very large files. */
  diff: string;
}

const MOST_COMMITS = 50;
const MOST_FILES = 300;
/** Of all details together. */
const MOST_CHARACTERS = 60_000;
const LONGEST_LINE = 500;

/** A diff may set a password: whoever may read the result need not be allowed to read the repository. */
const withoutSecrets = redactor();

/** The contents of a change, bounded: commits, then the files one a line, then their diffs. */
export function described({
  commits,
  files,
  notes,
}: Contents): Pick<Change, 'details' | 'authors' | 'files'> {
  const authors = [...new Set(commits.flatMap(({ author }) => (author ? [oneLine(author)] : [])))];
  const lines = [
    ...commits
      .slice(0, MOST_COMMITS)
      .map(({ id, title, author }) =>
        oneLine(`${id.slice(0, 10)} ${title.split('\n', 1)[0] ?? ''}${author ? ` (${author})` : ''}`),
      ),
    ...more(commits.length - MOST_COMMITS, 'commits'),
    ...notes.map(oneLine),
    ...files.slice(0, MOST_FILES).map(({ path }) => oneLine(path)),
    ...more(files.length - MOST_FILES, 'files'),
    ...diffLines(files.slice(0, MOST_FILES)),
  ];
  return {
    details: lines.length === 0 ? null : bounded(withoutSecrets(lines.join('\n')).trimEnd()),
    ...(authors.length > 0 && { authors }),
    ...(files.length > 0 && { files: files.slice(0, MOST_FILES).map(({ path }) => oneLine(path)) }),
  };
}

/** Small diffs come first: what is generated is long, and would leave no room for what somebody wrote. */
function diffLines(files: readonly ChangedFile[]): string[] {
  return files
    .filter(({ diff }) => diff !== '')
    .toSorted((a, b) => a.diff.length - b.diff.length)
    .flatMap(({ path, diff }) => [
      `--- a/${oneLine(path)}`,
      `+++ b/${oneLine(path)}`,
      ...diff.trimEnd().split('\n').map(shortened),
    ]);
}

function more(count: number, what: string): string[] {
  return count > 0 ? [`… and ${count} more ${what}`] : [];
}

function oneLine(text: string): string {
  return shortened(text.replaceAll(/\s+/gu, ' ').trim());
}

function shortened(line: string): string {
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)}…`;
}

function bounded(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const kept = text.slice(0, text.lastIndexOf('\n', MOST_CHARACTERS));
  const left = text.slice(kept.length + 1).split('\n').length;
  return `${kept}\n… and ${left} more lines`;
}

/** What of a repository that others share is in some of its folders and files; all of it without any. */
export function below(contents: Contents, paths: readonly string[]): Contents {
  const parts = paths.map((path) => path.replace(/^\.?\/+/u, '').replace(/\/+$/u, ''));
  if (parts.some((part) => part === '' || part === '.') || parts.length === 0) return contents;
  const files = contents.files.filter(({ path }) =>
    parts.some((part) => path === part || path.startsWith(`${part}/`)),
  );
  const left = contents.files.length - files.length;
  const notes = left === 0 ? [] : [`Files outside of ${parts.join(', ')} that changed as well: ${left}.`];
  return { ...contents, files, notes: [...contents.notes, ...notes] };
}

/** What several sources of one deploy changed, as one. */
export function together(all: readonly Contents[]): Contents {
  return {
    commits: all.flatMap(({ commits }) => commits),
    files: all.flatMap(({ files }) => files),
    notes: all.flatMap(({ notes }) => notes),
  };
}

/** The same difference seen from the other side: what it added is removed. */
export function reversed({ commits, files, notes }: Contents): Contents {
  return { commits, files: files.map(({ path, diff }) => ({ path, diff: reversedDiff(diff) })), notes };
}

function reversedDiff(diff: string): string {
  const hunk = /^@@ -(\S+) \+(\S+) @@/u;
  return diff
    .split('\n')
    .map((line) =>
      line.startsWith('+')
        ? `-${line.slice(1)}`
        : line.startsWith('-')
          ? `+${line.slice(1)}`
          : line.replace(hunk, '@@ -$2 +$1 @@'),
    )
    .join('\n');
}

/** The files of a unified diff, as `git diff` or `diff -u` prints it. */
export function filesIn(diff: string): ChangedFile[] {
  const header = /^diff --git /mu.test(diff) ? /^(?=diff --git )/mu : /^(?=--- .*\n\+\+\+ )/mu;
  return diff.split(header).flatMap((part) => {
    const path =
      /^\+\+\+ (?:b\/)?([^\t\n]+)/mu.exec(part)?.[1] ?? /^diff --git a\/.+ b\/(.+)$/mu.exec(part)?.[1];
    const before = /^--- (?:a\/)?([^\t\n]+)/mu.exec(part)?.[1];
    const name = path === '/dev/null' ? before : path;
    const hunks = part.search(/^@@ /mu);
    return name === undefined ? [] : [{ path: name.trim(), diff: hunks < 0 ? '' : part.slice(hunks) }];
  });
}

/** Whether a text is the id of a commit, and so can go into an address as it is. */
export function isCommit(text: string | null | undefined): text is string {
  return text != null && /^[0-9a-f]{7,64}$/u.test(text);
}
