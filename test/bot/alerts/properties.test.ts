import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizedName } from '../../../src/bot/alerts/facts.ts';
import { senderOf } from '../../../src/bot/alerts/message.ts';
import { parseAlert, statusNote } from '../../../src/bot/alerts/parse.ts';
import { runs } from '../../support/property-runs.ts';
import { says, variant } from './fixtures.ts';

const KINDS = ['firing', 'resolved', 'not_an_alert'];

/** Words and marks that the formats look for, in any order. */
const scrap = fc.constantFrom(
  ...'<|>|*|`|_|:|: | = |\n|\n\n|  |[|]|(|)|-|•|{|}|,|#|&lt;|&amp;|->|→|🔥|:x:|\u0000|\ud800|1|9.5%|2026-11-18T05:30:11Z'.split(
    '|',
  ),
  ...'|,[FIRING:1],[RESOLVED],FIRING,Resolved,down,is up,OK,Labels:,Annotations:,Value:,Source: <https://x.io>, - a = b'.split(
    ',',
  ),
  ...'*Status:*,Triggered: ,Recovered: ,Page #1: x,on host:a,env:b,http://a/#/alerts?receiver=r,<https://a.b/c|d>,<@U1>,<!date^1^x>'.split(
    ',',
  ),
);
const text = fc.oneof(
  fc.array(scrap, { maxLength: 40 }).map((parts) => parts.join('')),
  fc.string(),
);
const textObject = fc.oneof(text, fc.record({ type: fc.constant('mrkdwn'), text }), fc.jsonValue());
const block = fc.record(
  {
    type: fc.constantFrom('section', 'header', 'context', 'actions', 'rich_text', 'markdown', 'unheard-of'),
    text: textObject,
    fields: fc.oneof(fc.array(textObject, { maxLength: 3 }), fc.jsonValue()),
    elements: fc.oneof(fc.array(textObject, { maxLength: 3 }), fc.jsonValue()),
  },
  { requiredKeys: [] },
);
const attachment = fc.record(
  {
    title: text,
    title_link: fc.oneof(text, fc.webUrl(), fc.constant('https://app.datadoghq.com/monitors/1?group=a%')),
    text,
    pretext: text,
    fallback: text,
    footer: fc.oneof(text, fc.constantFrom('Grafana v7.5.17', 'Grafana v11.3.0')),
    color: text,
    ts: fc.oneof(fc.double(), text),
    fields: fc.array(fc.record({ title: text, value: fc.oneof(text, fc.double(), fc.boolean()) }), {
      maxLength: 4,
    }),
    actions: fc.jsonValue(),
    blocks: fc.array(block, { maxLength: 3 }),
  },
  { requiredKeys: [] },
);
const message = fc.record(
  {
    text,
    subtype: fc.constantFrom('', 'bot_message', 'thread_broadcast'),
    username: fc.constantFrom('Alertmanager', 'Grafana', 'Datadog', 'x'),
    user: fc.constantFrom('U1', ''),
    bot_id: fc.constantFrom('B1', ''),
    thread_ts: fc.constantFrom('1', ''),
    attachments: fc.array(attachment, { maxLength: 3 }),
    blocks: fc.array(block, { maxLength: 3 }),
  },
  { requiredKeys: [] },
);

function holds(event: unknown): void {
  const alert = parseAlert(event);
  expect(KINDS).toContain(alert.kind);
  expect(alert.title === null || (alert.title.length > 0 && alert.title.length <= 500)).toBe(true);
  if (alert.kind !== 'not_an_alert') expect(alert.fingerprint).toMatch(/^[\da-f]{16}$/);
  expect(JSON.stringify(alert).isWellFormed()).toBe(true);
  expect(parseAlert(structuredClone(event))).toStrictEqual(alert);
  expect(statusNote(event) ?? 'nothing').toMatch(/^\S(?:.{0,148}\S)?$/u);
  expect(senderOf(event) ?? 'nobody').toMatch(/^\S(?:.*\S)?$/u);
}

describe('parseAlert, of any message', () => {
  it('never throws, and gives the same result again', () => {
    fc.assert(fc.property(message, holds), { numRuns: runs(250) });
  });

  it('never throws for what is not a message', () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 4 }), holds), { numRuns: runs(150) });
  });

  it('never throws for edits and deletions of any message', () => {
    const subtype = fc.constantFrom('message_changed', 'message_deleted');
    const edit = fc.record({ subtype, message: fc.option(message), previous_message: fc.option(message) });
    fc.assert(fc.property(edit, holds), { numRuns: runs(150) });
  });

  it('parses deeply nested rich text', () => {
    let element: unknown = { type: 'text', text: 'down' };
    for (let depth = 0; depth < 5_000; depth += 1)
      element = { type: 'rich_text_section', elements: [element] };
    expect(parseAlert({ blocks: [{ type: 'rich_text', elements: [element] }] }).kind).toBe('not_an_alert');
  });
});

describe('labels of an alert', () => {
  const name = fc.stringMatching(/^[a-z][a-z_]{2,12}x$/);
  const value = fc.stringMatching(/^[a-z][a-z\d-]{1,15}$/);
  const known = { env: 'qa', service: 'shop', region: 'eu-west-3', severity: 'warning' };
  const labels = fc.dictionary(name, value, { maxKeys: 6 }).chain((extra) => {
    // `j_x` and `j__x` are one label to a reader.
    const all = new Map(
      Object.entries({ ...extra, ...known }).map((pair) => [normalizedName(pair[0]), pair]),
    );
    const pairs = [...all.values()];
    return fc.shuffledSubarray(pairs, { minLength: pairs.length, maxLength: pairs.length });
  });
  const wanted = { environment: 'qa', service: 'shop', region: 'eu-west-3', severity: 'medium' };

  it('count in any order and beside any others in Alertmanager', () => {
    fc.assert(
      fc.property(labels, (pairs) => {
        const text = `*Details:*\n${pairs.map(([label, stated]) => ` • *${label}:* \`${stated}\``).join('\n')}`;
        const found = says(
          variant('alertmanager-custom-details-firing', { text }),
          'environment',
          'service',
          'region',
          'severity',
          'tags',
        );
        const tags = pairs.filter(([label]) => !(label in known)).map((pair) => pair.join(':'));
        expect(found).toStrictEqual({ ...wanted, tags });
      }),
    );
  });

  it('count in any order in Grafana, where they are the identity', () => {
    fc.assert(
      fc.property(labels, fc.double({ noNaN: true }), (pairs, measured) => {
        const write = (list: typeof pairs) =>
          `**Firing**\n\nValue: A=${measured}\nLabels:\n${list.map((pair) => ` - ${pair.join(' = ')}`).join('\n')}\nAnnotations:\n`;
        const read = (text: string) =>
          says(
            variant('grafana-unified-firing', { text }),
            'environment',
            'service',
            'region',
            'severity',
            'fingerprint',
          );
        const one = read(write(pairs));
        expect(one).toMatchObject(wanted);
        expect(read(write([...pairs].reverse()))).toStrictEqual(one);
        expect(read(write([...pairs, ['one_more', 'a']])).fingerprint).not.toBe(one.fingerprint);
      }),
    );
  });

  it('count in any order in a Datadog group, where they are the identity', () => {
    fc.assert(
      fc.property(labels, fc.nat(), (pairs, event) => {
        const read = (list: typeof pairs) => {
          const group = list.map((pair) => pair.join(':')).join(',');
          const title_link = `https://app.datadoghq.eu/monitors/5?group=${encodeURIComponent(group)}&event_id=${event}`;
          return says(
            variant('datadog-nodata', { title: 'Triggered: A', title_link }),
            'environment',
            'service',
            'region',
            'fingerprint',
          );
        };
        const { severity: _, ...scope } = { ...wanted, environment: 'qa' };
        const one = says(
          variant('datadog-nodata', {
            title: `Recovered: A on ${pairs.map(([key, stated]) => `${key}:${stated}`).join(',')}`,
            title_link: 'https://app.datadoghq.eu/monitors/5',
          }),
          'fingerprint',
        );
        expect(read(pairs)).toStrictEqual({
          environment: scope.environment,
          service: 'shop',
          region: 'eu-west-3',
          ...one,
        });
        expect(read([...pairs].reverse())).toStrictEqual(read(pairs));
      }),
    );
  });
});
