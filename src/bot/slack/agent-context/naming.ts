import type { SlackUser } from '../access/people.ts';

/** A person who is named to the agent. */
export interface Participant {
  id: string;
  /** What the agent reads instead of their names and their id. */
  called: string;
  /** What is replaced by it. */
  names: readonly string[];
}

/** How people are named to the agent in one conversation. */
export interface Naming {
  /** By a person's id: `Person A`, a name, or `@someone`. */
  of(userId: string): string;
  /** Plain words without anything that identifies a person. */
  scrub(words: string): string;
  /** Whether people stay nameless: then addresses of theirs go too. */
  nameless: boolean;
}

const SOMEONE = '@someone';
const EDGE = String.raw`[\p{L}\p{N}]`;
// It begins only where a word does: the time stays linear in the text.
const EMAIL = String.raw`(?<![\p{L}\p{N}._%+'\-])[\p{L}\p{N}._%+'\-]+@[\p{L}\p{N}\-]+(?:\.[\p{L}\p{N}\-]+)+`;
const MENTION = String.raw`<@(?<mentioned>[UW]\w+)(?:\|[^<>\n]*)?>`;
const PROFILE = '(?<=/team/)(?-i:[UW][A-Z0-9]{7,})';

/**
 * Gives everybody what they are called, in the order given: `Person A`, `Person B`, …, or their names where those are
 * shared. People of other organizations are nobody in particular in any case. `known` keep what they are called.
 */
export function introduce(
  known: readonly Participant[],
  people: readonly { id: string; somebody: SlackUser }[],
  shareNames: boolean,
): Participant[] {
  const all = [...known];
  let letters = all.filter(({ called }) => called.startsWith('Person ')).length;
  for (const { id, somebody } of people) {
    if (all.some((one) => one.id === id)) continue;
    const { isExternal, name, names } = somebody;
    if (isExternal) all.push({ id, called: SOMEONE, names });
    else if (shareNames && name !== null) all.push({ id, called: name, names: [] });
    else all.push({ id, called: `Person ${letter(letters++)}`, names });
  }
  return all;
}

/** `A` … `Z`, then `AA`, `AB`, …; counted from 0. */
function letter(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letter(Math.floor(index / 26) - 1) + last;
}

/**
 * Replaces what identifies a person. Of each participant: the id, and the display name, real name, handle and first
 * name that Slack knows, as whole words in any case (the first name, and names of one or two letters, only as written).
 * Where people are nameless also every email address.
 *
 * What it does not catch: nicknames, misspelt names and last names alone; the names of people who are only spoken of,
 * typed as `@bob` too; what a person is known by otherwise (a job, a telephone number, an account elsewhere); and what
 * occurs in attached files, which are sent unchanged. A name that is an everyday word is replaced where the word is meant.
 */
export function namingOf(participants: readonly Participant[], nameless: boolean): Naming {
  const byId = new Map(participants.map(({ id, called }) => [id, called]));
  const asWritten = new Map<string, string>();
  const anyCase = new Map<string, string>();
  for (const { id, called, names } of participants) {
    for (const name of [id, ...names]) {
      if (!asWritten.has(name)) asWritten.set(name, called);
      if (name.length > 2 && !isFirstName(name, names)) anyCase.set(name.toLowerCase(), called);
    }
  }
  const words = wordsPattern([...asWritten.keys()]);
  const parts = [MENTION, PROFILE, ...(nameless ? [`(?<email>${EMAIL})`] : []), ...(words ? [words] : [])];
  const pattern = new RegExp(parts.join('|'), 'giu');

  const of = (userId: string) => byId.get(userId) ?? SOMEONE;
  return {
    of,
    nameless,
    scrub: (text) =>
      text.replace(pattern, (found, ...rest) => {
        const groups: Record<string, string | undefined> = rest.at(-1);
        if (groups.mentioned !== undefined) return of(groups.mentioned);
        if (groups.email !== undefined) return 'an email address';
        const name = groups.name ?? '';
        const called = asWritten.get(name) ?? anyCase.get(name.toLowerCase());
        if (called !== undefined) return called;
        return name === '' ? '…' : found;
      }),
  };
}

/** The first word of a longer name: it is often a word of the language too. */
function isFirstName(name: string, names: readonly string[]): boolean {
  return name !== names[0] && names.some((longer) => longer.startsWith(`${name} `));
}

function wordsPattern(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const longestFirst = [...names].sort((a, b) => b.length - a.length).map(escaped);
  return `(?<!${EDGE})@?(?<name>${longestFirst.join('|')})(?!${EDGE})`;
}

function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|/-]/gu, String.raw`\$&`);
}
