import { describe, expect, it } from 'vitest';
import { createMasking } from '../../src/lib/masking.ts';

/** Put together here, so that no scanner of this repository takes them for real ones. */
const of = (...parts: string[]) => parts.join('');

const CREDENTIALS: Record<string, [text: string, secret: string]> = {
  'a JSON web token': [of('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxMjM0In0', '.abc-DEF_123'), 'eyJzdWIi'],
  'a PEM block': [
    of('-----BEGIN RSA PRIVATE', ' KEY-----\nMIIEow\nabc\n-----END RSA PRIVATE KEY-----'),
    'MIIEow',
  ],
  'a token of GitHub': [of('ghp', '_16C7e42F292c6912E7710c838347Ae178B4a'), '16C7e42F'],
  'a fine token of GitHub': [of('github', '_pat_11ABCDEFG0123456789_abcdefghijklmnop'), '11ABCDEFG'],
  'a token of GitLab': [of('glpat', '-a1B2c3D4e5F6g7H8i9J0'), 'a1B2c3'],
  'an id of AWS': [of('AKIA', 'IOSFODNN7EXAMPLE'), 'IOSFODNN7'],
  'a secret of AWS': ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'wJalr'],
  'a key of Google': [of('AIza', 'SyA1234567890abcdefghijklmnopqrstuvw'), 'SyA123'],
  'a key of Stripe': [of('sk', '_live_4eC39HqLyjWDarjtT1zdp7dc'), '4eC39'],
  'a key of OpenAI': [of('sk', '-proj-abcdEFGH1234567890abcdEFGH'), 'abcdEFGH'],
  'a key of Anthropic': [of('sk', '-ant-api03-abcDEF1234567890'), 'abcDEF'],
  'a token of npm': [of('npm', '_abcdefghijklmnopqrstuvwxyz0123456789'), 'abcdefgh'],
  'a token of Slack': [of('xoxb', '-123456789012-abcdefABCDEF'), 'abcdefAB'],
  'a token of somebody else': [of('acme', '_prod_4eC39HqLyjWDarjtT1zdp7dcQ'), '4eC39'],
  'an authorization': ['Authorization: Bearer abcdef', 'abcdef'],
  'a cookie': ['Cookie: session=abc123; theme=dark', 'abc123'],
  'a password of a sentence': ['password: hunter', 'hunter'],
  'a password of a setting': ['pwd=abc', 'abc'],
  'a secret of a setting': ['client_secret=xyz', 'xyz'],
  'a connection string': ['postgres://app:p4ss@db:5432/x', 'p4ss'],
  'another connection string': ['Server=db;User Id=sa;Password=P@ss;', 'P@ss'],
  'a variable of a container': ['- name: DB_PASSWORD\n  value: hunter', 'hunter'],
  'the same as JSON': ['{"name":"API_TOKEN","value":"abc"}', 'abc'],
  'a password of an encoded address': ['postgres%3A%2F%2Fapp%3Ahunterhunter%40db', 'hunterhunter'],
  'an encoded authorization': ['Authorization%3A%20Bearer%20abcdef12', 'abcdef12'],
  'a password in base64': [Buffer.from('{"password":"hunter"}').toString('base64'), 'eyJwYXNzd29yZCI6'],
  'what a registry of images is asked with': ['"auth":"YXBwOmh1bnRlcmh1bnRlcg=="', 'YXBwOmh1bnRl'],
  'a signed address': ['https://x.example/a?sv=1&sig=abcDEF%3D&se=2026', 'abcDEF'],
  'a password of a command': ['curl -s -u admin:hunter https://x', 'hunter'],
  'another password of a command': ['mysqldump -h db -uroot -phunter shop', 'hunter'],
  'a password in a block of YAML': ['password: |\n  hunter', 'hunter'],
  'a password in a part of a form': ['name="password"\r\n\r\nhunter', 'hunter'],
  'a token of a log line': ['token: ab12cd', 'ab12cd'],
  'a word that only looks like one': ['pa\u017f\u017fword=hunter', 'hunter'],
  'what a parser quotes': [`Unexpected token 'h', "hunter" is not valid JSON`, 'hunter'],
  'a random text beside such a word': ['the key is 8fK2lQ9xZ7pR4tY1uW3v', '8fK2lQ'],
};

describe('what leaves', () => {
  it.each(Object.entries(CREDENTIALS))('is without %s', (_what, [text, secret]) => {
    const masked = createMasking().text(`it said ${text}`);
    expect(masked).not.toContain(secret);
    expect(masked).toMatch(/‹secret-1›/u);
  });

  it.each([
    ['an address', 'bob@example.com wrote to bob@example.com', '‹email-1› wrote to ‹email-1›'],
    ['a card', 'paid with 4111 1111 1111 1111', 'paid with ‹card-1›'],
    ['an account', 'from DE89 3704 0044 0532 0130 00', 'from ‹iban-1›'],
    ['a telephone', 'call +49 171 1234567', 'call ‹phone-1›'],
  ])('is without %s of a person, which has the same mask each time', (_what, text, masked) => {
    expect(createMasking().text(text)).toBe(masked);
  });

  it('is without what stands in a field, or beside a name, that says it is a secret', () => {
    const env = [{ name: 'DB_PASSWORD', value: 'hunter' }];
    expect(createMasking().value({ env, token: 'hunter', at: 3 })).toEqual({
      env: [{ name: 'DB_PASSWORD', value: '‹secret-1›' }],
      token: '‹secret-1›',
      at: 3,
    });
  });

  it.each([
    'FATAL: password authentication failed for user "app"',
    'secret "db-credentials" not found',
    'PostgreSQL at /tmp/gumshoe-pg-8fK2lQ9x/.s.PGSQL.5432 refused the user: password authentication failed',
    'invalid token: expired, authorization: policy denied',
    'payments-7d9f8b6c5d-x2x4z at 10.0.0.1:8080, v1.2.3-rc.1',
    'image sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'trace 4bf92f3577b34da6a3ce929d0e0e4736, commit 3f2504e0 at 2026-03-17T12:00:00Z or 1795221000000',
    'primary key violation: orders_pkey; cache key: user:1234:profile',
    'memory +15.3 %, 18446744073709551615 bytes',
    'MountVolume.SetUp failed for volume "v" : secret "db" not found',
    'curl -H "Authorization: Bearer $CHANGES_TOKEN" -d @change.json',
  ])('has what is neither: %s', (text) => {
    expect(createMasking().text(text)).toBe(text);
  });
});
