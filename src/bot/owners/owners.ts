import type { Entry, Owner } from './file.ts';

/** Labels that name a team, as Kubernetes writes them and as Prometheus does. */
const TEAM_LABELS = ['team', 'owner', 'app.kubernetes.io/part-of', 'app_kubernetes_io_part_of'];

/** The owner of a service: by the file, or else the team that the alert's labels name. */
export function ownerOf(
  { service, tags }: { service: string | null; tags: readonly string[] },
  entries: readonly Entry[],
): Owner | null {
  const entry = service === null ? undefined : entries.find(({ services }) => matches(services, service));
  if (entry !== undefined) return entry;
  const name = teamIn(tags);
  if (name === null) return null;
  const known = entries.find((other) => other.name.toLowerCase() === name.toLowerCase());
  return known ?? { name, channel: null, schedule: null, page: null };
}

function teamIn(tags: readonly string[]): string | null {
  for (const label of TEAM_LABELS) {
    const tag = tags.find((one) => one.toLowerCase().startsWith(`${label}:`));
    const name = tag?.slice(label.length + 1).trim() ?? '';
    if (name !== '') return name;
  }
  return null;
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

/** The services that a text names and an entry is about. */
export function namedIn(
  text: string,
  entries: readonly Entry[],
): readonly { service: string; owner: Owner }[] {
  return [...new Set(text.match(/[a-z0-9](?:[\w.-]*\w)?/giu))].flatMap((service) => {
    const owner = entries.find(({ services }) => matches(services, service));
    return owner !== undefined && hasWholeParts(service, owner.services) ? [{ service, owner }] : [];
  });
}

/**
 * In a sentence, a word is a service of a pattern only if what the pattern spells out are whole parts of it: with
 * `pay*`, *pay-api* is one and *pays* is not. What spells out nothing names none.
 */
function hasWholeParts(word: string, services: string): boolean {
  const parted = (text: string) => text.toLowerCase().replaceAll(/[\W_]+/gu, '-');
  const spelled = services
    .split('*')
    .flatMap((part) => parted(part).split('-'))
    .filter((part) => part !== '');
  const parts = parted(word).split('-');
  return spelled.length > 0 && spelled.every((part) => parts.includes(part));
}
