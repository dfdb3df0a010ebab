import { percentDecoded } from './text.ts';

/**
 * What credentials look like in a text: by the name before them, by the prefix of who issued them, or by their form. A
 * random text alone is none: identifiers, digests and names of pods are random too.
 */

/** Field names whose values are secrets, in lower case without hyphens and underscores. */
const SECRET_FIELDS = new Set(
  (
    'token bottoken apptoken usertoken accesstoken refreshtoken apikey xapikey secret clientsecret signingsecret ' +
    'password authorization proxyauthorization cookie setcookie xslacksignature responseurl triggerid ticket'
  ).split(' '),
);

/** Whether the value of a field of that name is a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_FIELDS.has(name.toLowerCase().replace(/[-_]/gu, '')) || PASSWORD.test(name);
}

const PASSWORD = /(?:password|passwd|passphrase|pwd|api_?key|(?:secret|private|access|account)_?key)$/iu;

/** What a name ends in whose value is a credential, as in `DB_PASSWORD=…`. */
const NAME = String.raw`[\w.-]{0,60}?(?:password|passwd|passphrase|pwd|secret|token|ticket|(?:api|access|account|private|signing|encryption|secret|auth)[_-]?key(?:[_-]?id)?|credentials?|signature|(?<![a-z])sig)`;
const VALUE = String.raw`(?:"(?<double>[^"\n]{1,2000})"|'(?<single>[^'\n]{1,2000})'|(?<bare>[^\s"'<>|\\&;,)\]}]{1,2000}))`;

/** What one of is in every name that `NAME` matches. */
const NAMES = 'passw passphrase pwd secret token ticket key credential sig'.split(' ');

/** How a credential is recognized; the groups whose name begins with a letter of a value are what is replaced. */
interface Shape {
  pattern: RegExp;
  /**
   * Of each list the pattern matches at least one, in lower case. Most texts have none, and to look for words is a
   * hundred times cheaper than to try the pattern at each character.
   */
  needs: readonly (readonly string[])[];
  /** Whether what was found is one after all. */
  is?: (value: string) => boolean;
}

const SHAPES: readonly Shape[] = [
  {
    pattern: /-----BEGIN [A-Z0-9 ]{1,40}-----[\s\S]*?(?:-----END [A-Z0-9 ]{1,40}-----|$)/gu,
    needs: [['-----begin ']],
  },
  // Slack tokens, rotating ones included (xoxe.xoxb-…); not the documents' `xoxb-your-…`.
  {
    pattern: /(?<![A-Za-z0-9])(?:xox[a-z](?:\.xox[a-z])?|xapp)-(?!your-)[\w-]{4,}/giu,
    needs: [['xox', 'xapp-']],
  },
  // JSON web tokens.
  { pattern: /(?<![\w-])eyJ[\w-]{8,8000}\.[\w-]{2,8000}(?:\.[\w-]{0,8000}){0,3}/gu, needs: [['eyj']] },
  {
    pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA|AGPA|AROA|AIDA|ANPA)[A-Z0-9]{16}(?![A-Za-z0-9])/gu,
    needs: [['akia', 'asia', 'agpa', 'aroa', 'aida', 'anpa']],
  },
  {
    pattern: /(?<![\w-])(?:AIza[\w-]{30,}|ya29\.[\w-]{10,}|1\/\/0[\w-]{20,}|SG\.[\w-]{10,}\.[\w-]{10,})/gu,
    needs: [['aiza', 'ya29.', '1//0', 'sg.']],
  },
  // As most issue them now: a short name, a separator, and a random text.
  {
    pattern:
      /(?<![\w-])(?:gh[a-z]_|github_pat_|gl[a-z]{2,8}-|sk[-_]|rk[-_]|pk_live_|whsec_|npm_|pypi-|hf_|hv[sbr]\.|dop_v1_|shp[a-z]{2}_|lin_api_|glsa_|xkeysib-)[\w.-]{16,2000}/gu,
    needs: [
      'gh gl github_pat_ sk- sk_ rk- rk_ pk_live_ whsec_ npm_ pypi- hf_ hv dop_v1_ shp lin_api_ glsa_ xkeysib-'.split(
        ' ',
      ),
    ],
    is: (value) => /\d/u.test(value),
  },
  {
    pattern: /(?<![\w-])[A-Za-z]{2,12}(?:[_-][a-z]{2,12}){0,2}[_-](?<value>[A-Za-z0-9]{24,512})(?![\w-])/gu,
    needs: [['-', '_']],
    is: isRandom,
  },
  // URLs of incoming webhooks, workflows and responses: anyone who has one may post there.
  {
    pattern: /(?<=hooks\.slack(?:-gov)?\.com(?::\d+)?(?:\/|%2f))[^\s"'<>|\\)\]}&]+/giu,
    needs: [['hooks.slack']],
  },
  // User and password in a URL, unless it is an example's.
  {
    pattern: /(?<=:\/\/)[^\s"'<>|\\/?#@]{0,200}:(?!password@)[^\s"'<>|\\/?#]{1,500}(?=@)/gu,
    needs: [['://'], ['@']],
  },
  // Headers.
  {
    pattern:
      /\b(?:proxy-)?authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:[A-Za-z][\w-]{1,20}\s{1,4}(?=\S{6}))?(?<value>[^\s"',;]{4,4000})/giu,
    needs: [['authorization']],
    is: isNoWord,
  },
  {
    pattern:
      /(?<=authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:Bearer|Basic)\s{1,4})(?!\$[A-Z][A-Z_]*["'\s])[^\s"',;]{1,4000}/giu,
    needs: [['authorization']],
  },
  {
    pattern: /(?<=\b(?:Bearer|Basic)(?:\s|\+|%20)+)[\w.~+/=%-]{6,4000}/giu,
    needs: [['bearer', 'basic']],
    is: isNoWord,
  },
  {
    pattern:
      /\b(?:set-)?cookie["']?\s{0,4}[:=]\s{0,4}["']?(?<value>[^\s;"']{1,4000}(?:;\s{0,2}[^\s;"']{1,4000}){0,50})/giu,
    needs: [['cookie']],
  },
  // Commands: `curl -u user:password`, `mysql -ppassword`.
  {
    pattern: /(?<=\b(?:curl|wget)\b[^\n]{0,100}?\s(?:-u|--user)[ =]["']?[\w.@-]{1,80}:)[^\s"']{1,500}/gu,
    needs: [['curl', 'wget']],
  },
  { pattern: /(?<=\bmysql(?:dump|admin)?\b[^\n]{0,100}?\s-p)[^\s"'=-][^\s"']{3,500}/gu, needs: [['mysql']] },
  // The value is on a line of its own, as in a block of YAML or a part of a form.
  {
    pattern:
      /(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key)(?:["']?\s{0,4}:\s{0,4}[|>][+-]?[^\S\n]{0,4}\r?\n\s{1,40}|"\r?\n\r?\n)(?<value>\S{4,4000})/giu,
    needs: [NAMES, ['\n']],
  },
  // A name and its value, also as Kubernetes writes them.
  {
    pattern: new RegExp(
      String.raw`\bname["']?\s{0,4}[:=]\s{0,4}["']?(?:${NAME})["']?\s{0,4},?\s{1,40}["']?value["']?\s{0,4}[:=]\s{0,4}${VALUE}`,
      'giu',
    ),
    needs: [NAMES, ['name'], ['value']],
  },
  {
    pattern: new RegExp(String.raw`\bname["']?:["']?(?:${NAME})["']?,["']?value["']?:${VALUE}`, 'giu'),
    needs: [NAMES, ['name'], ['value']],
  },
  // Parameters in a URL, a form or a log line, but not what a problem of the configuration names.
  {
    pattern: new RegExp(
      String.raw`(?<!; for example \w{0,80})(?<![A-Za-z0-9])(?:${NAME})["']?(?:=|%3d)${VALUE}`,
      'giu',
    ),
    needs: [NAMES, ['=', '%3d']],
  },
  {
    pattern:
      /(?<![A-Za-z0-9])[\w.-]{0,60}?(?:password|passwd|passphrase|pwd|secret)["']?:\s{0,4}(?:"(?<double>[^"\n]{1,2000})"|'(?<single>[^'\n]{1,2000})'|(?<bare>[^\s"'<>|\\&;,)\]}]{1,2000}))/giu,
    needs: [NAMES, [':']],
  },
  {
    pattern: new RegExp(String.raw`(?<![A-Za-z0-9])(?:${NAME})["']?:\s{0,4}${VALUE}`, 'giu'),
    needs: [NAMES, [':']],
    is: isNoWord,
  },
  // What a parser quotes of a body that is not JSON, which may begin or end in the middle of a secret.
  {
    pattern: /(?<=Unexpected token .{1,8}, )(?:\.\.\.)?"[\s\S]{0,80}?"(?:\.\.\.)?(?= is not valid JSON)/gu,
    needs: [['unexpected token ']],
  },
];

/** A random text in a line that speaks of a key or a secret. */
const SPEAKS = /key|secret|token|passw|credential/iu;
const LONG = /(?<![\w/+=.:@-])[A-Za-z0-9+/_-]{20,200}={0,2}(?![\w/+=])/gu;

/** A path from the root of a file system: its folders may have names that chance has made. */
const FILE = /^\/(?:tmp|var|run|etc|usr|opt|home|srv|dev|mnt|data|private|Users)\//u;

/** Most texts hold none of what every shape has. */
const SUSPICIOUS = (
  '-----begin xox xapp- eyj aiza hooks.slack :// authorization bearer basic cookie pass pwd secret token ticket key ' +
  'credential %3a sig= curl wget mysql'
).split(' ');
const LONG_WORD = /[A-Za-z0-9_.-]{20}/iu;

/** The text in which `needs` are looked for: in lower case as `/iu` compares, to which `ſ` is an `s`. */
function folded(text: string): string {
  return text.toLowerCase().replaceAll('\u017f', 's');
}

/** Words in an encoding that hides what is in them: of a URL, or base64. */
const ENCODED = /[\w.~%+/=-]{12,8000}/gu;
const BASE64 = /^[A-Za-z0-9+/_-]{16,8000}={0,2}$/u;
/** What base64 stands for by chance is not printable. */
const PRINTABLE = /^[\t\n\r -~]{12,}$/u;
/** As in `Authorization: Basic` and in the credentials of a registry of images. */
const USER_AND_PASSWORD = /^[\w.@-]{1,100}:[^\s:/]{4,500}$/u;

/** What a word stands for; `null` where it is in no encoding. */
function decoded(word: string): string | null {
  if (/%[\da-f]{2}/iu.test(word)) return percentDecoded(word);
  if (!BASE64.test(word)) return null;
  const text = Buffer.from(word, 'base64').toString('latin1');
  return PRINTABLE.test(text) ? text : null;
}

/** Whether an encoded word holds a credential. */
function hidesOne(word: string): boolean {
  const plain = decoded(word);
  if (plain === null) return false;
  return USER_AND_PASSWORD.test(plain) || inPlainText(plain, () => '') !== plain;
}

/** The text with each credential replaced by what `mask` returns for it, also those that are encoded. */
export function replaceCredentials(text: string, mask: (secret: string) => string): string {
  const lower = folded(text);
  if (!SUSPICIOUS.some((word) => lower.includes(word)) && !LONG_WORD.test(text)) return text;
  return inPlainText(text, mask).replace(ENCODED, (word) => (hidesOne(word) ? mask(word) : word));
}

function inPlainText(text: string, mask: (secret: string) => string): string {
  const masked = new Set<string>();
  const put = (secret: string) => {
    const shown = mask(secret);
    masked.add(shown);
    return shown;
  };
  let rest = text;
  let lower = folded(rest);
  for (const { pattern, needs, is = () => true } of SHAPES) {
    if (!needs.every((words) => words.some((word) => lower.includes(word)))) continue;
    rest = rest.replace(pattern, (whole: string, ...more: unknown[]) => {
      const value = valueIn(more.at(-1)) ?? whole;
      if (masked.has(value) || !is(value)) return whole;
      const at = whole.lastIndexOf(value);
      return `${whole.slice(0, at)}${put(value)}${whole.slice(at + value.length)}`;
    });
    lower = folded(rest);
  }
  if (!SPEAKS.test(rest)) return rest;
  return rest
    .split('\n')
    .map((line) =>
      SPEAKS.test(line)
        ? line.replace(LONG, (one) => (isRandom(one) && !FILE.test(one) ? put(one) : one))
        : line,
    )
    .join('\n');
}

/** The part of a match that is the secret; `null` where all of it is. */
function valueIn(groups: unknown): string | null {
  if (typeof groups !== 'object' || groups === null) return null;
  const found: unknown = Object.values(groups).find((one) => one !== undefined);
  return typeof found === 'string' ? found : null;
}

/** Whether a value is more than a word of a sentence, as in *invalid token: expired*. */
function isNoWord(value: string): boolean {
  return /\d/u.test(value) || /\p{Ll}\p{Lu}/u.test(value) || value.length > 20;
}

/** Whether a text is random: of several kinds of characters, none of which is frequent. */
function isRandom(text: string): boolean {
  if (![/\p{Ll}/u, /\p{Lu}/u, /\d/u].every((kind) => kind.test(text))) return false;
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const bits = [...counts.values()].reduce(
    (sum, n) => sum - (n / text.length) * Math.log2(n / text.length),
    0,
  );
  return bits > 3.5;
}
