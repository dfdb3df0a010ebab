import type { PageState } from '../../src/page-api.ts';

/** Who and what can be mentioned in a message: `@name` and `#name`, with their ids. */
export interface Names {
  users: readonly { id: string; name: string }[];
  channels: readonly { id: string; name: string }[];
}

/** The names of a workspace; the app's own is among the users whether or not the server lists it. */
export function namesOf(workspace: PageState): Names {
  const { bot } = workspace;
  const isListed = workspace.users.some((user) => user.id === bot.user_id);
  const users = isListed ? workspace.users : [...workspace.users, { id: bot.user_id, name: bot.name }];
  return { users, channels: workspace.channels.filter((channel) => !channel.is_im) };
}

/** Typed text as Slack's clients send it: `& < >` escaped, `@name` and `#name` as tokens. */
export function encodeText(typed: string, names: Names): string {
  const escaped = typed.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const users = tokens('@', names.users, (id) => `<@${id}>`);
  const channels = tokens('#', names.channels, (id) => `<#${id}>`);
  return escaped.replaceAll(/(?<![\w@#])[@#][\w.-]+/g, (name) => tokenFor(name, users, channels));
}

/** A slash command and its argument, as typed; `null` if `typed` does not start with a command. */
export function splitCommand(typed: string): { command: string; text: string } | null {
  const match = /^(\/[\w-]+)(?:\s+([\s\S]*))?$/.exec(typed.trim());
  return match?.[1] ? { command: match[1], text: match[2] ?? '' } : null;
}

function tokens(
  sign: string,
  named: readonly { id: string; name: string }[],
  token: (id: string) => string,
): ReadonlyMap<string, string> {
  return new Map(named.map(({ id, name }) => [`${sign}${name}`.toLowerCase(), token(id)]));
}

/** A full stop or a dash after a name may belong to the sentence. */
function tokenFor(name: string, ...known: ReadonlyMap<string, string>[]): string {
  for (let end = name.length; end > 1; end -= 1) {
    const rest = name.slice(end);
    if (rest !== '' && !/^[.-]/.test(rest)) continue;
    const head = name.slice(0, end).toLowerCase();
    const token = known.map((map) => map.get(head)).find((found) => found !== undefined);
    if (token) return `${token}${rest}`;
  }
  return name;
}
