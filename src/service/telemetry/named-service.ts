/** What may name the service of a thing that people made and named in another tool. */
interface Names {
  tags: readonly string[];
  project?: string | null;
  name: string;
}

/**
 * The service that a flag or an objective is about, among those that there are: a tag is its name, else the project, else
 * its own name begins with it (of several the longest). `null` where nothing names one, or two tags name two.
 */
export function serviceNamed(
  { tags, project, name: own }: Names,
  services: readonly string[],
): string | null {
  const known = services
    .map((service) => ({ service, words: wordsOf(service) }))
    .filter(({ words }) => words);
  const called = (names: readonly string[]) => {
    const all = names.map((name) => wordsOf(name.replace(/^service[:=]/iu, '')));
    return known.filter(({ words }) => all.includes(words));
  };
  const begun = known.filter(({ words }) => `${wordsOf(own)}-`.startsWith(`${words}-`));
  const longest = Math.max(...begun.map(({ words }) => words.length));
  const levels = [
    called(tags),
    called([project ?? '']),
    begun.filter(({ words }) => words.length === longest),
  ];
  const [first, second] = levels.find((level) => level.length > 0) ?? [];
  return first === undefined || second !== undefined ? null : first.service;
}

/** `CheckoutApi`, `checkout_api` and `checkout.api` are `checkout-api`. */
function wordsOf(name: string): string {
  return name
    .replace(/(?<=[a-z\d])(?=[A-Z])/gu, '-')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/gu, '');
}
