import type { PageState } from '../../src/page-api.ts';
import { emojiOf, SHORTCODE_NAMES } from '../../src/page-emoji.ts';
import { namesOf } from './compose-text.ts';

/** One line of the list above the composer. */
export interface Suggestion {
  /** What replaces the typed word. */
  insert: string;
  label: string;
  detail: string;
}

/** Suggestions for the word before the caret, which begins at `from`. */
export interface Completion {
  from: number;
  suggestions: Suggestion[];
}

const MOST = 8;

/**
 * Completes the word before the caret: a command at the very start, `@name`, `#channel` and `:emoji:` anywhere.
 * `null` if there is nothing to complete, or the word is already complete.
 */
export function complete(typed: string, caret: number, workspace: PageState): Completion | null {
  const before = typed.slice(0, caret);
  if (/^\/\S*$/.test(before)) return listed(0, before, commands(workspace));
  // For an emoji, at least two letters: a colon alone is punctuation.
  const word = /(?:^|\s)([@#][\w.-]*|:[a-z0-9_+-]{2,})$/i.exec(before)?.[1];
  if (!word) return null;
  return listed(caret - word.length, word, namedBy(word, workspace));
}

/** The usage hint of the command that `typed` starts with, once its name is complete. */
export function usageHint(typed: string, workspace: PageState): string | null {
  const name = /^(\/[\w-]+)\s/.exec(typed)?.[1];
  const command = workspace.commands.find((candidate) => candidate.command === name);
  if (!command) return null;
  return [command.command, command.usage_hint].filter(Boolean).join(' ');
}

function listed(from: number, word: string, candidates: Suggestion[]): Completion | null {
  const start = word.toLowerCase();
  const suggestions = candidates
    .filter(({ insert }) => insert.toLowerCase().startsWith(start))
    .slice(0, MOST);
  const isWhole = suggestions.some(({ insert }) => insert.trimEnd().toLowerCase() === start);
  return suggestions.length === 0 || isWhole ? null : { from, suggestions };
}

function namedBy(word: string, workspace: PageState): Suggestion[] {
  if (word.startsWith(':')) return SHORTCODE_NAMES.map(emoji);
  return word.startsWith('@') ? people(workspace) : channels(workspace);
}

function emoji(name: string): Suggestion {
  return { insert: `:${name}: `, label: `:${name}:`, detail: emojiOf(name) ?? '' };
}

function commands(workspace: PageState): Suggestion[] {
  return workspace.commands.map(({ command, description }) => ({
    insert: `${command} `,
    label: command,
    detail: description,
  }));
}

function people(workspace: PageState): Suggestion[] {
  const realNames = new Map(workspace.users.map((user) => [user.id, user.real_name]));
  return namesOf(workspace).users.map(({ id, name }) => ({
    insert: `@${name} `,
    label: `@${name}`,
    detail: id === workspace.bot.user_id ? 'App' : (realNames.get(id) ?? ''),
  }));
}

function channels(workspace: PageState): Suggestion[] {
  return namesOf(workspace).channels.map(({ name }) => ({
    insert: `#${name} `,
    label: `#${name}`,
    detail: '',
  }));
}
