/** What questions turn on, as people mistype it. */
const VOCABULARY = `
  affected alert alerts between broken call calls cause caused change changed changes compare customer
  customers degraded depends deploy deployed deploys deployment endpoint endpoints error errors
  failing fails failed fixed happened happening healthy impact issue issues last latency memory
  rate reason recover recovered region release requests resolved restart rollback root route
  routes service should since slow still throughput traffic version what which yesterday
`
  .trim()
  .split(/\s+/u);
const KNOWN: ReadonlySet<string> = new Set(VOCABULARY);

/**
 * A question with what it turns on spelled as it should be. Only letters that were swapped, left out or doubled are
 * mended: a letter for another one makes too many other words (`that`, `what`).
 */
export function mended(question: string, names: readonly string[]): string {
  const parts = new Set(names.flatMap((name) => name.toLowerCase().split(/[^a-z]+/u)));
  const words = question.replaceAll(/\bwhats\b/giu, 'what is');
  return words.replaceAll(/(?<![\w.#/-])[a-z]{4,14}(?![\w./-])/giu, (word) => {
    const lower = word.toLowerCase();
    if (KNOWN.has(lower) || parts.has(lower)) return word;
    const mistyped = (known: string) => isMistyped(lower, known.toLowerCase());
    return VOCABULARY.find(mistyped) ?? names.find(mistyped) ?? word;
  });
}

function isMistyped(word: string, known: string): boolean {
  if (Math.abs(word.length - known.length) > 1 || word[0] !== known[0]) return false;
  let at = 0;
  while (at < word.length && word[at] === known[at]) at++;
  const [rest, wanted] = [word.slice(at), known.slice(at)];
  if (rest.length === wanted.length)
    return rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2);
  const [longer, shorter] = rest.length > wanted.length ? [rest, wanted] : [wanted, rest];
  if (longer.slice(1) !== shorter) return false;
  // A letter too many is one that was typed twice; else it is another word: `calls`, `recalls`.
  return rest.length < wanted.length || word[at] === word[at - 1];
}
