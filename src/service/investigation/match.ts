/** Words common to many names count little, so `checkout` finds `checkout-api`. */
const COMMON: Readonly<Record<string, number>> = { api: 0.3, db: 0.7, service: 0.2, queue: 0.6, worker: 0.6 };

/** Other names of common components, used by people and products. */
const SYNONYMS: Readonly<Record<string, string>> = {
  postgres: 'db',
  postgresql: 'db',
  mysql: 'db',
  database: 'db',
  redis: 'cache',
  memcached: 'cache',
  kafka: 'queue',
  rabbitmq: 'queue',
  sqs: 'queue',
  frontend: 'web',
  storefront: 'web',
  ingress: 'gateway',
  nginx: 'gateway',
  billing: 'payments',
  basket: 'cart',
  catalog: 'catalogue',
  product: 'catalogue',
  stock: 'inventory',
  search: 'indexer',
};

/** Everyday words that resemble part of a name: a failed check is not about the checkout. */
const EVERYDAY: ReadonlySet<string> = new Set(['check', 'work']);

/** How well a text names each of the given services, best first, without those it does not name. */
export function namedIn(text: string, services: readonly string[]): { service: string; score: number }[] {
  const words = text
    .replaceAll(/([a-z])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/u)
    .filter((word) => word.length > 1 && !EVERYDAY.has(word));
  const found = services
    .map((service) => ({ service, score: nearness(words, service) }))
    .filter(({ score }) => score >= 0.5);
  return found
    .filter(
      ({ service, score }) => !found.some((other) => other.score >= score && holds(other.service, service)),
    )
    .sort((a, b) => b.score - a.score || positionOf(words, a.service) - positionOf(words, b.service));
}

/** The service that the fields name best; earlier fields weigh more. `null` if none is named. */
export function bestNamed(fields: readonly (string | null)[], services: readonly string[]): string | null {
  let best: { service: string; score: number } | null = null;
  for (const [index, text] of fields.entries()) {
    const first = text ? namedIn(text, services)[0] : undefined;
    const score = first ? first.score * 0.8 ** index : 0;
    if (first && score > (best?.score ?? 0)) best = { service: first.service, score };
  }
  return best?.service ?? null;
}

function nearness(words: readonly string[], service: string): number {
  let found = 0;
  let all = 0;
  for (const part of service.toLowerCase().split(/[^a-z]+/u)) {
    const weight = COMMON[part] ?? 1;
    all += weight;
    found += weight * Math.max(0, ...words.map((word) => alike(word, part)));
  }
  return found / all;
}

function alike(word: string, part: string): number {
  if (word === part) return 1;
  if (SYNONYMS[word] === part) return 0.8;
  const [short, long] = word.length < part.length ? [word, part] : [part, word];
  return short.length >= 3 && part !== 'web' && long.startsWith(short) && long.length - short.length <= 5
    ? 0.85
    : 0;
}

/** Whether a name contains all parts of another, and more: `payments-db` does not mean `payments`. */
function holds(longer: string, shorter: string): boolean {
  const parts = longer.split('-');
  return longer !== shorter && shorter.split('-').every((part) => parts.includes(part));
}

function positionOf(words: readonly string[], service: string): number {
  const parts = service.toLowerCase().split(/[^a-z]+/u);
  const at = words.findIndex((word) => parts.some((part) => alike(word, part) > 0));
  return at < 0 ? words.length : at;
}
