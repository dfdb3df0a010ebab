import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

/** Who owns a service; texts are what a file or a label says. */
export interface Owner {
  /** The team, or the people where no team is named. */
  name: string;
  /** The id of the channel to ask in. */
  channel: string | null;
  /** The schedule of who is on call, as its tool identifies it. */
  schedule: string | null;
  /** The integration that wakes them: its key or address, which is a secret. */
  page: string | null;
}

/** The services that an entry is about: a name in which `*` is any text. */
export interface Entry extends Owner {
  services: string;
}

export interface OwnersFile {
  entries: Entry[];
  /** What cannot be read, each with its line. */
  problems: string[];
}

interface Log {
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/** The entries of a file, none without one: what cannot be read keeps nobody from starting. */
export async function openEntries(path: string | null, log: Log): Promise<readonly Entry[]> {
  if (path === null) return [];
  try {
    const { entries, problems } = readOwners(await readFile(path, 'utf8'));
    for (const problem of problems) log.warn({ file: path, problem }, 'an entry of OWNERS is not understood');
    return entries;
  } catch (error) {
    log.error({ err: error, file: path }, 'could not read the file that OWNERS names; nobody owns anything');
    return [];
  }
}

/** Reads lines as in CODEOWNERS, or a catalog of Backstage's. What can be read counts, whatever else is in the file. */
export function readOwners(text: string): OwnersFile {
  const first = text.split('\n').find((line) => line.trim() !== '' && !line.trim().startsWith('#')) ?? '';
  return ['---', 'apiVersion:', 'kind:'].some((one) => first.startsWith(one))
    ? readCatalog(text)
    : readLines(text);
}

const CHANNEL = /^#?(?<id>[CG][A-Z0-9]{8,20})$/u;

/** `checkout*  payments  C0PAYMENTS  oncall:PABC123  page:R0UTING`: services, owners, a channel's id, a schedule, an integration. */
function readLines(text: string): OwnersFile {
  const file: OwnersFile = { entries: [], problems: [] };
  for (const [index, raw] of text.split('\n').entries()) {
    const [services = '', ...words] = raw
      .replace(/(?:^|\s)#(?:\s.*)?$/u, '')
      .trim()
      .split(/\s+/u);
    if (services === '' || services.startsWith('#')) continue;
    const entry: Entry = {
      services: services.split('/').filter(Boolean).join('/'),
      name: '',
      channel: null,
      schedule: null,
      page: null,
    };
    const names: string[] = [];
    for (const word of words) {
      const channel = CHANNEL.exec(word)?.groups?.id;
      if (channel !== undefined) entry.channel = channel;
      else if (word.startsWith('#'))
        file.problems.push(
          `line ${index + 1}: ${word} is a channel's name; write its ID, which is at the end of its details in Slack`,
        );
      else if (word.startsWith('page:')) entry.page = word.slice('page:'.length) || null;
      else if (word.startsWith('oncall:')) entry.schedule = word.slice('oncall:'.length) || null;
      // A team of GitHub's is `@organization/team`.
      else names.push(word.startsWith('@') ? word.slice(word.indexOf('/') + 1) : word);
    }
    entry.name = names.join(', ');
    if (entry.name === '') file.problems.push(`line ${index + 1}: no owner follows ${services}`);
    else file.entries.push(entry);
  }
  // As in CODEOWNERS, the last line that matches counts.
  file.entries.reverse();
  return file;
}

const Entity = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    annotations: z.record(z.string(), z.string()).optional().catch(undefined),
    links: z
      .array(z.looseObject({ url: z.string() }))
      .optional()
      .catch(undefined),
  }),
  spec: z
    .looseObject({
      owner: z.string().optional().catch(undefined),
      profile: z.looseObject({ displayName: z.string().optional() }).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});
type Entity = z.infer<typeof Entity>;

/** An annotation of a Group or a Component: the schedule of who is on call. */
const ON_CALL_ANNOTATION = 'gumshoe/on-call';
const PAGE_ANNOTATION = 'gumshoe/page';

function readCatalog(text: string): OwnersFile {
  const file: OwnersFile = { entries: [], problems: [] };
  const entities: Entity[] = [];
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  for (const document of parseAllDocuments(text)) {
    const [error] = document.errors ?? [];
    if (error !== undefined) {
      file.problems.push(
        `line ${error.linePos?.[0].line ?? 1}: ${error.message.split('\n')[0] ?? 'no YAML'}`,
      );
      continue;
    }
    const content: unknown = document.toJS({ maxAliasCount: 100 });
    if (content === null) continue;
    const entity = Entity.safeParse(content);
    if (entity.success) entities.push(entity.data);
    else file.problems.push(`line ${lineAt(document.range[0])}: an entity without kind or metadata.name`);
  }
  const groups = new Map(
    entities.filter(({ kind }) => kind === 'Group').map((group) => [group.metadata.name, group]),
  );
  for (const entity of entities) {
    const owner = entity.spec?.owner;
    if (entity.kind === 'Group' || owner === undefined) continue;
    // `group:default/payments`, `payments`, `user:ana`.
    const name = owner.slice(Math.max(owner.lastIndexOf(':'), owner.lastIndexOf('/')) + 1);
    const group = groups.get(name);
    file.entries.push({
      services: entity.metadata.name,
      name: group?.spec?.profile?.displayName ?? name,
      channel: channelOf(entity) ?? channelOf(group),
      schedule: annotated(ON_CALL_ANNOTATION, entity, group),
      page: annotated(PAGE_ANNOTATION, entity, group),
    });
  }
  return file;
}

/** The first link to a channel of Slack's. */
function channelOf(entity: Entity | undefined): string | null {
  const ids = (entity?.metadata.links ?? []).flatMap(
    ({ url }) => /\.slack\.com\/archives\/([CG][A-Z0-9]{8,20})\/?$/u.exec(url)?.[1] ?? [],
  );
  return ids[0] ?? null;
}

function annotated(name: string, ...entities: readonly (Entity | undefined)[]): string | null {
  return entities.flatMap((entity) => entity?.metadata.annotations?.[name] ?? [])[0] ?? null;
}

/** Whether a pattern names a service; `*` is any text. A path, as in CODEOWNERS, is about the service that its last part is called like. */
export function matches(services: string, service: string): boolean {
  const pattern = services.split('/').at(-1) ?? '';
  const parts = pattern.toLowerCase().split('*');
  const name = service.toLowerCase();
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

/**
 * In a sentence, a word is a service of a pattern only if what the pattern spells out are whole parts of it: with
 * `pay*`, *pay-api* is one and *pays* is not. What spells out nothing names none; with `pay-*`, *pay* is all of them.
 */
export function isNamed(services: string, word: string): boolean {
  const parted = (text: string) =>
    text
      .toLowerCase()
      .split(/[\W_]+/u)
      .filter((part) => part !== '');
  const [spelled, parts] = [parted(services.split('/').at(-1) ?? ''), parted(word)];
  const isPart = spelled.length > 0 && spelled.every((part) => parts.includes(part));
  return isPart && (matches(services, word) || spelled.length === parts.length);
}
