import { matches } from '../../lib/owners.ts';
import { oneLine } from '../../lib/text.ts';
import { type Runbook, stemOf } from './page.ts';

/** What is known of an issue; texts are untrusted. */
export interface Subject {
  /** Of the issue and of its alert. */
  titles: readonly string[];
  service: string | null;
  /** Kind and place of the cause, as `issues/cause.ts` writes them: `bad deploy of payments`. */
  cause: string | null;
}

/** More would not be read. */
const MOST = 2;

/** The runbooks about an issue, those that say more of it first. One that leaves it in doubt is not among them. */
export function runbooksFor(subject: Subject, runbooks: readonly Runbook[]): Runbook[] {
  return runbooks
    .map((runbook) => ({ runbook, score: scoreOf(runbook, subject) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.runbook.path < b.runbook.path ? -1 : 1))
    .slice(0, MOST)
    .map(({ runbook }) => runbook);
}

/** Which of the services of an issue a runbook about it is about: all, if it names none. */
export function servicesOf(runbook: Runbook, subject: Subject): string[] {
  const { services, isCause } = claimsOf(runbook, subject);
  const place = placeOf(subject.cause);
  const own = [...new Set([subject.service, place])].filter((name) => name !== null);
  if (services.length === 0) return own;
  return own.filter(
    (name) => (name === subject.service || isCause) && services.some((service) => matches(service, name)),
  );
}

/** All that a page's front matter states must hold for the issue. 0 if it does not, or if it states nothing. */
function scoreOf(runbook: Runbook, subject: Subject): number {
  const { said: claims, services, isCause } = claimsOf(runbook, subject);
  const isAlert = claims.alerts.some((name) => subject.titles.some((title) => isAlertNamed(name, title)));
  const isService = services.includes('*') || servicesOf(runbook, subject).length > 0;
  if (
    claims.alerts.length + claims.services.length + claims.causes.length === 0 ||
    (claims.alerts.length > 0 && !isAlert) ||
    (services.length > 0 && !isService) ||
    (claims.causes.length > 0 && !isCause)
  )
    return 0;
  return (isAlert ? 4 : 0) + (services.length > 0 ? 2 : 0) + (isCause ? 1 : 0);
}

/** What a page is about, by its front matter, or else by its name. */
function claimsOf({ path, about }: Runbook, subject: Subject) {
  const claims = isEmpty(about) ? fromName(path, subject) : about;
  const folder = folderOf(path);
  // A page in a folder is about the service that the folder is called like, unless it says otherwise.
  const services = about.services.length > 0 || folder.length === 0 ? claims.services : folder;
  return { said: claims, services, isCause: claims.causes.some((cause) => isOfKind(cause, subject.cause)) };
}

function isEmpty({ alerts, services, causes }: Runbook['about']): boolean {
  return alerts.length + services.length + causes.length === 0;
}

/** A file without front matter is about the alert, the service or the kind of cause that it is called like. */
function fromName(path: string, { titles, service, cause }: Subject): Runbook['about'] {
  const stem = stemOf(path);
  const nothing = { alerts: [], services: [], causes: [] };
  if (titles.some((title) => isAlertNamed(stem, title))) return { ...nothing, alerts: [stem] };
  if (service !== null && stem.toLowerCase() === service.toLowerCase())
    return { ...nothing, services: [stem] };
  if (isOfKind(stem, cause)) return { ...nothing, causes: [stem] };
  // The first page of a folder is about what the folder is about.
  return /^(?:readme|index)$/iu.test(stem) ? { ...nothing, services: folderOf(path) } : nothing;
}

/** Folders that sort pages by the three things that they can be about. */
const BY_KIND = /^(?:alert|service|cause)s?$/iu;

function folderOf(path: string): string[] {
  return path
    .split('/')
    .slice(0, -1)
    .filter((folder) => !BY_KIND.test(folder))
    .slice(-1);
}

/** `HighErrorRate`, `high-error-rate` and `High error rate` are one name. */
function spaced(name: string): string {
  return oneLine(
    name
      .slice(0, 300)
      .replace(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
      .replace(/[_\s-]+/gu, ' '),
  ).toLowerCase();
}

/** Whether a title is the name, or begins with it as tools write it: `HighErrorRate: …`, `HighErrorRate payments (…)`. */
function isAlertNamed(name: string, title: string): boolean {
  const words = spaced(name);
  const line = oneLine(title);
  if (words === '') return false;
  const [first = ''] = line.split(/\s/u);
  const [head = ''] = line.split(/: | - | – | · | \(/u);
  // A single plain word may begin any sentence; the name of a rule does not.
  return (
    [line, head].some((text) => spaced(text) === words) || (words.includes(' ') && spaced(first) === words)
  );
}

const AT = '(?:in|of|on|at|to|for|from|by)';

/** `bad-deploy` is the kind of `bad deploy of payments`. */
function isOfKind(kind: string, cause: string | null): boolean {
  const words = spaced(kind);
  if (cause === null || words === '') return false;
  const whole = spaced(cause);
  return (
    whole === words ||
    (whole.startsWith(`${words} `) && new RegExp(`^ ${AT} `, 'u').test(whole.slice(words.length)))
  );
}

const PLACE = new RegExp(` ${AT} (?<place>\\S+)$`, 'u');

/** `payments`, of `bad deploy of payments`. */
function placeOf(cause: string | null): string | null {
  return cause === null ? null : (PLACE.exec(cause)?.groups?.place ?? null);
}
