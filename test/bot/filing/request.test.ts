import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAlert } from '../../../src/bot/alerts/parse.ts';
import type { Alert } from '../../../src/bot/alerts/types.ts';
import { issueIdOf, referenceOf } from '../../../src/bot/filing/reference.ts';
import {
  type RequestDefaults,
  readInvestigate,
  requestForAlert,
  requestForWords,
  titleOf,
} from '../../../src/bot/filing/request.ts';
import { IssueCreate } from '../../../src/contract/schema.ts';
import { anAlert } from '../../support/an-alert.ts';
import { anyCodePoint } from '../../support/code-point.ts';
import { runs } from '../../support/property-runs.ts';
import { fixtures, messageOf, toolMessage } from '../alerts/fixtures.ts';

const PERMALINK = 'https://acme.slack.com/archives/C1/p1773748800000100';
const origin = { issueId: 'abc', channel: 'C1', ts: '1773748800.000100', permalink: PERMALINK };
const defaultsOf = (environment: string): RequestDefaults => ({
  environment,
  severity: 'medium',
  earlier: null,
  isTitleTaken: false,
});

describe('the create request for an alert', () => {
  it('says nothing that the message does not say, but where it stands and when', () => {
    expect(requestForAlert(anAlert(), origin, defaultsOf('prod'))).toEqual({
      title: 'CPU is high',
      description: `CPU is high\n\n- State: firing\n\n---\nSlack: ${PERMALINK}\nReference: gumshoe-abc`,
      environment: 'production',
      severity: 'medium',
      triggeredAt: '2026-03-17T12:00:00.000Z',
      context: {
        metadata: { source: 'alertmanager', fingerprint: 'cpu', channel: 'C1', slackTs: '1773748800.000100' },
      },
    });
  });

  it('carries everything that the message says', () => {
    const stated = {
      alertUrl: 'https://alerts.example/1',
      service: 'checkout',
      traceId: 't',
      spanId: 's',
      errorType: 'Timeout',
      errorMessage: 'no answer',
      host: 'web-1',
      region: 'eu-west-1',
      version: '1.2.3',
      tags: ['team:shop'],
    };
    const alert = anAlert({
      ...stated,
      description: '  The CPU of web-1\nis at 97 %  ',
      severity: 'high',
      environment: 'stg',
      triggeredAt: '2026-03-17T11:58:30Z',
    });
    expect(requestForAlert(alert, { ...origin, permalink: null }, defaultsOf('production'))).toEqual({
      title: 'CPU is high',
      description: `The CPU of web-1
is at 97 %

- State: firing
- Severity: high
- Environment: stg
- Service: checkout
- Host: web-1
- Region: eu-west-1
- Version: 1.2.3
- Trace: t
- Span: s
- Error: Timeout: no answer
- Alert: https://alerts.example/1

---
Reference: gumshoe-abc`,
      environment: 'staging',
      severity: 'high',
      triggeredAt: '2026-03-17T11:58:30Z',
      context: {
        ...stated,
        metadata: { source: 'alertmanager', fingerprint: 'cpu', channel: 'C1', slackTs: origin.ts },
      },
    });
  });

  it('has a title of one line and at most 500 characters, cut at a word; the whole is in the description', () => {
    const long = `${'disk full '.repeat(60)}\non web-1`;
    const { title, description } = requestForAlert(
      anAlert({ title: long, description: long }),
      origin,
      defaultsOf('prod'),
    );
    expect(title).toBe(`${'disk full '.repeat(49)}disk…`);
    expect(description).toContain('on web-1');
  });

  it('finds a title where the message has none', () => {
    const titleOf = (title: string | null, errorMessage: string | null) =>
      requestForAlert(anAlert({ title, errorMessage }), origin, defaultsOf('prod')).title;
    expect([
      titleOf(null, 'no answer'),
      titleOf(' \n', 'no answer'),
      titleOf(null, null),
      titleOf('', ' '),
    ]).toEqual(['no answer', 'no answer', 'Alert without a title', 'Alert without a title']);
  });

  it('takes the severity of the channel where the message states none', () => {
    const severityOf = (severity: Alert['severity']) =>
      requestForAlert(anAlert({ severity }), origin, { ...defaultsOf('prod'), severity: 'low' }).severity;
    expect([severityOf(null), severityOf('high')]).toEqual(['low', 'high']);
  });

  it('names the earlier issue of the same alert, with its root cause cut at 500 characters', () => {
    const describe = (rootCause: string | null) =>
      requestForAlert(anAlert(), origin, {
        ...defaultsOf('prod'),
        earlier: { number: 12, resolvedAt: Date.UTC(2026, 2, 16, 8, 30), rootCause },
      }).description.split('\n\n')[2];
    const earlier = 'Earlier: #12, resolved 2026-03-16T08:30:00.000Z';
    expect(describe('the pool\nwas empty')).toBe(`${earlier}: the pool was empty`);
    expect(describe('pool '.repeat(200))).toBe(`${earlier}: ${'pool '.repeat(98)}pool…`);
    expect(describe(null)).toBe(earlier);
  });

  it('keeps a description that people can read, however long the message', () => {
    const long = anAlert({ description: 'disk full '.repeat(10_000), errorMessage: 'x '.repeat(1_000) });
    const { description } = requestForAlert(long, origin, defaultsOf('prod'));
    expect(description.length).toBeLessThan(21_000);
    expect(description).toMatch(/disk…\n\n- State: firing\n- Error: (?:x ){248}x…\n\n---\nSlack: /);
  });

  it('is one that the contract takes, whatever the message says', () => {
    const words = fc.option(fc.string({ unit: anyCodePoint, maxLength: 700 }));
    fc.assert(
      fc.property(words, words, words, words, (title, description, environment, errorMessage) => {
        const alert = anAlert({ title, description, environment, errorMessage });
        const request = requestForAlert(alert, origin, defaultsOf('production'));
        expect(IssueCreate.safeParse(request).error).toBeUndefined();
        expect(request.description.endsWith('Reference: gumshoe-abc')).toBe(true);
      }),
    );
  });
});

describe('references', () => {
  it('come from the cause alone, so that the same cause is found again', () => {
    expect(referenceOf(issueIdOf('C1', '1.0'))).toBe(referenceOf(issueIdOf('C1', '1.0')));
    expect(referenceOf(issueIdOf('C1', '1.0'))).toMatch(/^gumshoe-[0-9a-f]{20}$/u);
  });

  it('do not mix up causes that look alike when written together', () => {
    expect(issueIdOf('C1', '11.0')).not.toBe(issueIdOf('C11', '1.0'));
  });
});

const MESSAGE_LINK = 'https://acme.slack.com/archives/C0ALERTS01/p1794993262000100';
const messageOrigin = {
  issueId: 'abc',
  channel: 'C0ALERTS01',
  ts: '1794993262.000100',
  permalink: MESSAGE_LINK,
};
const requestFor = (message: unknown) =>
  requestForAlert(parseAlert(message), messageOrigin, {
    environment: 'production',
    severity: 'medium',
    earlier: null,
    isTitleTaken: false,
  });

const FOOT = `\n\n---\nSlack: ${MESSAGE_LINK}\nReference: gumshoe-abc`;
/** What only Slack understands: `<https://…|label>`, `<@U…>`, `<!here>`, `<#C…>`, and its three entities, whole or cut. */
const SLACKS = /<(?:[a-z]+:[^<>\s]*[|>]|[@#][A-Z]|![a-z])|&(?:amp|lt|gt);|&(?:am?p?|lt?|gt?)(?=…|$)/mu;

function holds(message: unknown): void {
  const request = requestFor(message);
  expect(IssueCreate.safeParse(request).error).toBeUndefined();
  expect(request.title).toMatch(/^\S(?:.{0,498}\S)?$/u);
  expect(request.description.endsWith(FOOT)).toBe(true);
  expect(request.description).not.toMatch(SLACKS);
  expect(request.title).not.toMatch(SLACKS);
}

describe('the create request for a message', () => {
  const alerts = [...fixtures.values()].filter(({ expected }) => expected.kind !== 'not_an_alert');
  it.each(alerts.map(({ name, message }) => [name, message] as const))(
    '%s is within every bound of the contract, and plain Markdown',
    (_, message) => holds(message),
  );

  it.each(alerts.map(({ name, message }) => [name, message] as const))(
    '%s carries each field that the message yields',
    (_, message) => {
      const alert = parseAlert(message);
      const { title, environment, severity, triggeredAt, context, description } = requestFor(message);
      const { kind, format, fingerprint, description: words, ...rest } = alert;
      const {
        title: _title,
        environment: _env,
        severity: _sev,
        triggeredAt: _at,
        isNameless: _n,
        isContradicted: _c,
        basis: _b,
        // It stays with the bot: the contract has no field for it.
        runbookUrl: _r,
        ...fields
      } = rest;
      const stated = Object.entries(fields).filter(([, value]) => value !== null && value.length > 0);
      expect({ title, environment, severity, triggeredAt, context }).toStrictEqual({
        title: alert.title,
        environment: alert.environment?.replace(/^prod$/u, 'production') ?? 'production',
        severity: alert.severity ?? 'medium',
        triggeredAt: alert.triggeredAt ?? '2026-11-18T09:14:22.000Z',
        context: {
          ...Object.fromEntries(stated),
          metadata: { source: format, fingerprint, channel: 'C0ALERTS01', slackTs: '1794993262.000100' },
        },
      });
      expect(description.startsWith(words ?? '')).toBe(true);
      expect(description).toContain(`\n- State: ${kind}\n`);
    },
  );

  it('is whole for an alert of many facts', () => {
    expect(requestFor(messageOf('sentry-issue-new')).description).toBe(`POST /checkout

\`\`\`Cannot read properties of undefined (reading 'payload_transform')\`\`\`

environment: \`production\`  release: \`[1.42.0](https://acme.sentry.io/releases/checkout-api%401.42.0/)\`  server_name: \`web-14\`

State: **New**   First Seen: **Just now**

notes: @payments-oncall

Project: [checkout-api](https://acme.sentry.io/issues/?project=4511647571574784)    Alert: [Notify #alerts via Slack](https://sentry.io/organizations/acme/monitors/alerts/3657647/)    Short ID: CHECKOUT-API-4F

- State: firing
- Environment: production
- Service: checkout-api
- Host: web-14
- Version: 1.42.0
- Error: TypeError: Cannot read properties of undefined (reading 'payload_transform')
- Alert: https://acme.sentry.io/issues/7700748352/${FOOT}`);
  });

  it('is plain Markdown whatever marks of Slack the message has, wherever it is cut', () => {
    const mark = fc.constantFrom(
      ...['<https://a.example/b?c=1&amp;d=2|x &amp; y>', '<https://a.example>', '<@U0AB12CD3>', '<@W1|ada>'],
      ...[
        '<!here>',
        '<!subteam^S1|@sre>',
        '<!channel|@channel>',
        '<#C0AB12CD3|ops>',
        '<#C0AB12CD3>',
        '&lt; 7 ',
      ],
      ...[
        '<mailto:x@y.example|x@y.example>',
        '<!date^1794993262^{date}|then>',
        '<slack://open|tool>',
        '&amp;',
      ],
      ...['<!foo^bar|baz>', ' ', '\n', 'disk ', '*bold*', ':fire:', '&gt; 90 %', ' \n\n', '|', 'x'],
    );
    const text = fc.array(mark, { maxLength: 60 }).map((marks) => marks.join(''));
    const longer = fc
      .tuple(text, fc.integer({ min: 1, max: 3_000 }))
      .map(([one, times]) => one.repeat(times));
    fc.assert(
      fc.property(text, fc.oneof(text, longer), text, (title, words, value) => {
        const fields = [
          { title: 'Host', value },
          { title: 'Severity', value: 'high' },
        ];
        holds(toolMessage({ attachments: [{ title: `Triggered: ${title}`, text: words, fields }] }));
      }),
      { numRuns: runs(150) },
    );
  });
});

const nothing = { text: '', severity: null, environment: null, service: null, unknownSeverity: null };

describe('the words after /investigate', () => {
  it.each([
    ['checkout is slow', { text: 'checkout is slow' }],
    [
      'checkout is slow severity:high env:staging service:checkout',
      { text: 'checkout is slow', severity: 'high', environment: 'staging', service: 'checkout' },
    ],
    [
      'service:checkout checkout severity:HIGH is   env:staging slow',
      { text: 'checkout is slow', severity: 'high', environment: 'staging', service: 'checkout' },
    ],
    ['sev:low slow environment:prod', { text: 'slow', severity: 'low', environment: 'prod' }],
    [
      'slow service:"checkout api" env:“load test”',
      { text: 'slow', service: 'checkout api', environment: 'load test' },
    ],
    ['"checkout is slow"', { text: 'checkout is slow' }],
    ['“checkout is slow” sev:low', { text: 'checkout is slow', severity: 'low' }],
    ['say "hello" to checkout', { text: 'say "hello" to checkout' }],
    ['slow severity:urgent', { text: 'slow', unknownSeverity: 'urgent' }],
    ['slow env:"" service:""', { text: 'slow' }],
    ['slow severity = High env: „load test“', { text: 'slow', severity: 'high', environment: 'load test' }],
    ['the checkout service: timeouts', { text: 'the checkout service: timeouts' }],
    ['http://grafana/?service:x is slow', { text: 'http://grafana/?service:x is slow' }],
    ['severity:high', { severity: 'high' }],
    ['   ', {}],
  ])('%j', (input, read) => {
    expect(readInvestigate(input)).toEqual({ ...nothing, ...read });
  });
});

describe('the create request for a person’s words', () => {
  const origin = { issueId: 'abc', channel: 'C1', at: Date.parse('2026-03-17T12:00:00Z'), userId: 'U1' };

  it('has the defaults, the reference, and nobody’s name', () => {
    expect(requestForWords({ ...nothing, text: 'checkout is slow' }, origin, 'prod')).toEqual({
      title: 'checkout is slow',
      description: 'checkout is slow\n\n---\nReference: gumshoe-abc',
      environment: 'production',
      severity: 'medium',
      triggeredAt: '2026-03-17T12:00:00.000Z',
      context: { metadata: { source: 'slack', channel: 'C1' } },
    });
  });

  it('takes what the words state, and is one that the contract takes however long they are', () => {
    const text = 'checkout is slow '.repeat(100).trim();
    const words = { ...nothing, text, severity: 'high' as const, environment: 'stg', service: 'checkout' };
    const request = requestForWords(words, origin, 'prod');
    expect(request).toMatchObject({
      severity: 'high',
      environment: 'staging',
      context: { service: 'checkout' },
    });
    expect(request.description.startsWith(`${text}\n`)).toBe(true);
    expect(IssueCreate.safeParse(request).success).toBe(true);
  });
});

it('a title that another open issue has gets the identifier that tells the two apart', () => {
  const basis = {
    source: 'generic',
    of: [],
    by: [
      { key: 'title', text: 'backup-3 failed' },
      { key: 'note', text: 'the nightly backup' },
      { key: 'host', text: 'vault-1' },
      { key: 'job ref', text: 'nightly-b22' },
    ],
    left: [],
  };
  const alert = { ...anAlert(), title: 'Backup failed on vault-1', basis };
  expect(titleOf(alert, false)).toBe('Backup failed on vault-1');
  expect(titleOf(alert, true)).toBe('Backup failed on vault-1 (nightly-b22)');
  expect(titleOf({ ...alert, basis: { ...basis, by: basis.by.slice(0, 3) } }, true)).toBe(
    'Backup failed on vault-1',
  );
});
