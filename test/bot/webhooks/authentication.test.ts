import { createHmac, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createAuthentication, signedText } from '../../../src/bot/webhooks/authentication.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const clock = { now: () => NOW, sleep: () => Promise.resolve() };
const noFetch = () => Promise.reject(new Error('nothing is to be fetched'));

function authentication(
  settings: { token?: string; secrets?: Record<string, string[]>; topics?: string[] },
  fetchText: (url: string) => Promise<string> = noFetch,
) {
  const { token = null, secrets = {}, topics = [] } = settings;
  return createAuthentication({
    settings: { token, secrets: new Map(Object.entries(secrets)), topics },
    clock,
    fetchText,
  });
}

const body = Buffer.from('{"status":"firing"}');
const hmac = (secret: string, text = body.toString()) =>
  createHmac('sha256', secret).update(text).digest('hex');

describe('the token', () => {
  const { proofOf, canAuthenticate } = authentication({ token: 'the-token' });
  const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;

  it.each([
    ['Bearer the-token', true],
    ['bearer the-token', true],
    [basic('anybody:the-token'), true],
    [basic(':the-token'), true],
    ['Bearer the-toke', false],
    ['Bearer the-token2', false],
    [basic('the-token'), false],
    [basic('the-token:'), false],
    ['the-token', false],
    ['', false],
  ])('is a bearer token or a password: %s', async (authorization, expected) => {
    const headers = { authorization };
    expect(await proofOf('alertmanager', { headers, body })).toEqual(
      expected ? { signed: null, isTimed: false } : null,
    );
    expect(canAuthenticate('alertmanager', headers)).toBe(expected);
  });
});

describe('a signature', () => {
  const both = { secrets: { grafana: ['new', 'old'], pagerduty: ['p'], sentry: ['s'], statuspage: ['x'] } };
  const seconds = NOW / 1_000;
  const stamped = (at: number, secret = 'old') => ({
    'x-grafana-alerting-timestamp': String(at),
    'x-grafana-alerting-signature': hmac(secret, `${at}:${body}`),
  });

  it.each<[string, string, Record<string, string>, boolean]>([
    ['grafana', 'of the newer secret', { 'x-grafana-alerting-signature': hmac('new') }, true],
    ['grafana', 'of the older secret', { 'x-grafana-alerting-signature': hmac('old') }, true],
    ['grafana', 'of another secret', { 'x-grafana-alerting-signature': hmac('other') }, false],
    ['grafana', 'with a time', stamped(seconds), true],
    ['grafana', 'of five minutes ago', stamped(seconds - 300), true],
    ['grafana', 'that is too old', stamped(seconds - 301), false],
    ['grafana', 'of the future', stamped(seconds + 301), false],
    ['grafana', 'without its time', { ...stamped(seconds), 'x-grafana-alerting-timestamp': '' }, false],
    ['grafana', 'that is malformed', { 'x-grafana-alerting-signature': 'ab' }, false],
    ['grafana', 'that is absent', {}, false],
    ['pagerduty', 'among several', { 'x-pagerduty-signature': `v1=${hmac('q')},v1=${hmac('p')}` }, true],
    ['pagerduty', 'of another version', { 'x-pagerduty-signature': `v2=${hmac('p')}` }, false],
    ['sentry', 'that is right', { 'sentry-hook-signature': hmac('s') }, true],
    ['sentry', 'of another body', { 'sentry-hook-signature': hmac('s', '{}') }, false],
    ['statuspage', 'with its algorithm', { 'x-signature-256': `sha256=${hmac('x')}` }, true],
    ['statuspage', 'in bare digits', { 'x-signature': hmac('x') }, true],
    ['statuspage', 'of another secret', { 'x-signature': hmac('y') }, false],
  ])('of %s %s', async (source, _which, headers, expected) => {
    const proof = await authentication(both).proofOf(source, { headers, body });
    const time = headers['x-grafana-alerting-timestamp'];
    const signed = Buffer.from(time === undefined ? body : `${time}:${body}`);
    expect(proof).toEqual(expected ? { signed, isTimed: time !== undefined } : null);
  });

  it('of Grafana is none whose time was moved from its header into the body', async () => {
    const moved = Buffer.from(`${seconds}:${body}`);
    const { 'x-grafana-alerting-signature': signature } = stamped(seconds);
    const headers = { 'x-grafana-alerting-signature': signature };
    expect(await authentication(both).proofOf('grafana', { headers, body: moved })).toBeNull();
  });

  it('is required where there is a secret for it, whatever token is shown', async () => {
    const { proofOf } = authentication({ ...both, token: 'the-token' });
    const headers = { authorization: 'Bearer the-token' };
    expect(await proofOf('grafana', { headers, body })).toBeNull();
    expect(await proofOf('datadog', { headers, body })).toEqual({ signed: null, isTimed: false });
  });
});

it('a source without a secret is off', () => {
  const none = authentication({});
  expect(['alertmanager', 'cloudwatch', 'grafana'].map(none.isOn)).toEqual([false, false, false]);
  const some = authentication({ secrets: { grafana: ['key'] }, topics: ['arn:aws:sns:eu-west-1:1:a'] });
  expect(['alertmanager', 'cloudwatch', 'grafana'].map(some.isOn)).toEqual([false, true, true]);
  expect(authentication({ token: 't' }).isOn('alertmanager')).toBe(true);
});

describe('a message of SNS', () => {
  const topic = 'arn:aws:sns:eu-central-1:123456789012:alarms';
  const CERTIFICATE = 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-1.pem';
  // Made for these tests, and used nowhere else.
  const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8');
  const privateKey = fixture('self-signed-key.pem');
  const pem = fixture('self-signed-certificate.pem');

  const fields = {
    Type: 'Notification' as const,
    Message: '{"AlarmName":"cpu"}',
    MessageId: 'm-1',
    Subject: 'ALARM: cpu',
    Timestamp: '2026-11-23T11:30:00.000Z',
    TopicArn: topic,
  };

  function signed(changes: Partial<Omit<typeof fields, 'Type'>> = {}, version: '1' | '2' = '2') {
    const message = { ...fields, ...changes };
    const algorithm = version === '1' ? 'sha1' : 'sha256';
    const Signature = sign(algorithm, Buffer.from(signedText(message)), privateKey).toString('base64');
    return { ...message, Signature, SignatureVersion: version, SigningCertURL: CERTIFICATE };
  }

  const requestOf = (message: object, headers: Record<string, string> = {}) => ({
    headers,
    body: Buffer.from(JSON.stringify(message)),
  });

  /** What is made of a message that is sent again once its certificate could be fetched. */
  async function isGenuine(
    message: object,
    settings: Parameters<typeof authentication>[0] = { topics: [topic] },
  ) {
    const fetched: string[] = [];
    const { proofOf } = authentication(settings, async (url) => {
      fetched.push(url);
      return pem;
    });
    const ask = () =>
      proofOf('cloudwatch', requestOf(message)).then(
        (proof) => proof !== null,
        () => 'later',
      );
    const first = await ask();
    await setImmediate();
    return { genuine: [first, await ask()], fetched };
  }

  it.each(['1', '2'] as const)(
    'is signed with version %s; the certificate is fetched once, and the message is sent again meanwhile',
    async (version) => {
      expect(await isGenuine(signed({}, version))).toEqual({
        genuine: ['later', true],
        fetched: [CERTIFICATE],
      });
    },
  );

  it('with the token waits for the certificate', async () => {
    const { proofOf } = authentication({ token: 'the-token' }, async () => pem);
    const request = requestOf(signed(), { authorization: 'Bearer the-token' });
    expect(await proofOf('cloudwatch', request)).toEqual({ signed: signedText(fields), isTimed: true });
  });

  it('sent again with other words in what is not signed is the same', async () => {
    const { proofOf } = authentication({ token: 't' }, async () => pem);
    const request = requestOf({ ...signed(), UnsubscribeURL: 'x' }, { authorization: 'Bearer t' });
    expect(await proofOf('cloudwatch', request)).toEqual({ signed: signedText(fields), isTimed: true });
  });

  it('of strangers who name ever new certificates has few fetched, one at a time, and holds nothing', async () => {
    let [underWay, most] = [0, 0];
    const answers: (() => void)[] = [];
    const { proofOf } = authentication({ topics: [topic] }, async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise<void>((answer) => answers.push(answer));
      underWay -= 1;
      throw new Error('404');
    });
    const asked = Array.from({ length: 400 }, (_, at) => {
      const SigningCertURL = `https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-${at}.pem`;
      return proofOf('cloudwatch', requestOf({ ...signed(), SigningCertURL }));
    });
    // All are answered while the first certificate is still being fetched.
    const settled = await Promise.allSettled(asked);
    expect(new Set(settled.map(({ status }) => status))).toEqual(new Set(['rejected']));
    for (let at = 0; at < 20; at += 1) {
      answers.shift()?.();
      await setImmediate();
    }
    expect({ most, left: answers.length, underWay }).toEqual({ most: 1, left: 0, underWay: 0 });
  });

  it('keeps the certificate that has verified a message when strangers name others', async () => {
    const fetched: string[] = [];
    const { proofOf } = authentication({ topics: [topic] }, async (url) => {
      fetched.push(url);
      return pem;
    });
    const send = async (name: string, message: object = signed()) => {
      const SigningCertURL = `https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-${name}.pem`;
      const proof = proofOf('cloudwatch', requestOf({ ...message, SigningCertURL }));
      const isGenuine = await proof.then((found) => found !== null).catch(() => 'later');
      await setImmediate();
      return isGenuine;
    };
    await send('true');
    expect(await send('true')).toBe(true);
    for (let at = 0; at < 30; at += 1) await send(String(at));
    expect(await send('true')).toBe(true);
    expect(fetched.filter((url) => url.includes('true'))).toHaveLength(1);
  });

  it('of very many values is none, before it is parsed', async () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`k${at}`, at]));
    expect(await isGenuine({ ...signed(), ...many })).toEqual({ genuine: [false, false], fetched: [] });
  });

  it('covers the confirmation of a subscription', async () => {
    const confirmation = {
      ...fields,
      Type: 'SubscriptionConfirmation' as const,
      Token: 'token',
      SubscribeURL: 'https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription',
    };
    expect(signedText(confirmation)).toBe(
      `Message\n${fields.Message}\nMessageId\nm-1\nSubscribeURL\n${confirmation.SubscribeURL}\nTimestamp\n${fields.Timestamp}\nToken\ntoken\nTopicArn\n${topic}\nType\nSubscriptionConfirmation\n`,
    );
  });

  it('is refused if it was changed, is old, or its topic is not allowed', async () => {
    const refused = { genuine: [false, false], fetched: [] };
    expect(await isGenuine({ ...signed(), Message: '{}' })).toEqual({
      genuine: ['later', false],
      fetched: [CERTIFICATE],
    });
    expect(await isGenuine(signed({ Timestamp: '2026-11-23T10:59:59.000Z' }))).toEqual(refused);
    expect(await isGenuine(signed({ Timestamp: 'yesterday' }))).toEqual(refused);
    expect(await isGenuine(signed(), { topics: ['arn:aws:sns:eu-central-1:1:other'] })).toEqual(refused);
    expect(await isGenuine({ Message: 'no message' })).toEqual(refused);
  });

  it.each([
    'http://sns.eu-central-1.amazonaws.com/a.pem',
    'https://sns.eu-central-1.amazonaws.com.example.com/a.pem',
    'https://example.com/sns.eu-central-1.amazonaws.com/a.pem',
    'https://user@sns.eu-central-1.amazonaws.com/a.pem',
    'https://sns.eu-central-1.amazonaws.com:8443/a.pem',
    'https://sns.eu-central-1.amazonaws.com/a.txt',
    'https://s3.eu-central-1.amazonaws.com/a.pem',
    'https://sns.eu-central-1.amazonaws.com/a.pem',
    'https://sns.eu-central-1.amazonaws.com/x/SimpleNotificationService-1.pem',
    'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-%31.pem',
  ])('whose certificate is not of Amazon SNS has nothing fetched: %s', async (address) => {
    expect(await isGenuine({ ...signed(), SigningCertURL: address })).toEqual({
      genuine: [false, false],
      fetched: [],
    });
  });
});
