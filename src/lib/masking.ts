import { isSecretName, replaceCredentials } from './credentials.ts';

/** Masks what must not leave: credentials, and what belongs to a person. */
export interface Masking {
  text(text: string): string;
  /** All texts of a value, and what stands in a field, or beside a name, that says it is a secret. */
  value(value: unknown): unknown;
}

/** So many values keep their mask; after that, the oldest get a new one. */
const MOST_KEPT = 10_000;
/** Beyond this a text is cut before it is searched; nothing that leaves is as long. */
const LONGEST = 200_000;

/**
 * For every text that leaves for an agent, a ticket or a model. The same value has the same mask (`‹email-1›`), so that two
 * mentions of it stay one.
 */
export function createMasking(): Masking {
  const kept = new Map<string, string>();
  const counts = new Map<string, number>();
  const mask = (kind: string) => (value: string) => {
    const key = `${kind} ${value}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const [oldest] = kept.keys();
    if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    const shown = `‹${kind}-${count}›`;
    kept.set(key, shown);
    return shown;
  };

  const text = (whole: string): string => {
    let rest = replaceCredentials(whole.slice(0, LONGEST), (one) =>
      MASK.test(one) ? one : mask('secret')(one),
    );
    for (const { kind, pattern, is = () => true } of PERSONAL)
      rest = rest.replace(pattern, (one) => (is(one) ? mask(kind)(one) : one));
    return rest;
  };

  const value = (one: unknown): unknown => {
    if (typeof one === 'string') return text(one);
    if (Array.isArray(one)) return one.map(value);
    if (typeof one !== 'object' || one === null) return one;
    const named = 'name' in one && typeof one.name === 'string' && isSecretName(one.name);
    return Object.fromEntries(
      Object.entries(one).map(([name, inside]) => {
        const isSecret = isSecretName(name) || (named && name === 'value');
        return [
          name,
          isSecret && typeof inside === 'string' && inside !== '' ? mask('secret')(inside) : value(inside),
        ];
      }),
    );
  };
  return { text, value };
}

/** What is masked already. */
const MASK = /^‹[a-z]+-\d+›$/u;

interface Kind {
  kind: string;
  pattern: RegExp;
  is?: (text: string) => boolean;
}

const PERSONAL: readonly Kind[] = [
  {
    kind: 'email',
    pattern: /(?<![\w.+@-])[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}(?![\w@-])/giu,
  },
  {
    kind: 'iban',
    pattern: /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/gu,
    is: isIban,
  },
  { kind: 'card', pattern: /(?<![\w.+-])[2-6]\d{3}(?:[ -]?\d){9,15}(?![\w.-]\d|\w)/gu, is: isCard },
  {
    kind: 'phone',
    pattern: /(?<![\w+.:/-])(?:\+|00)[1-9]\d{0,2}(?:[ ./-]{0,2}\(?\d{1,5}\)?){2,6}(?![\w.:]?\d)/gu,
    is: (text) => digitsOf(text).length >= 9 && digitsOf(text).length <= 15,
  },
  { kind: 'phone', pattern: /(?<![\w.+-])(?:\(\d{3}\) ?|\d{3}-)\d{3}-\d{4}(?![\w-])/gu },
];

function digitsOf(text: string): string {
  return text.replace(/\D/gu, '');
}

/** By the digit that all card numbers end in (Luhn). */
function isCard(text: string): boolean {
  const digits = [...digitsOf(text)].reverse().map(Number);
  if (digits.length < 13 || digits.length > 19 || new Set(digits).size < 2) return false;
  const sum = digits.reduce((all, digit, at) => {
    const twice = at % 2 === 1 ? digit * 2 : digit;
    return all + (twice > 9 ? twice - 9 : twice);
  }, 0);
  return sum % 10 === 0;
}

/** By its check digits (ISO 7064). */
function isIban(text: string): boolean {
  const plain = text.replaceAll(' ', '');
  const moved = `${plain.slice(4)}${plain.slice(0, 4)}`;
  let rest = 0;
  for (const character of moved)
    for (const digit of Number.parseInt(character, 36).toString()) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}
