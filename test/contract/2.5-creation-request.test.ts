import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { described, ISSUE, testService } from '../service/support.ts';
import { anyCodePoint } from '../support/code-point.ts';
import { onPostgres } from '../support/postgres/databases.ts';
import { runs } from '../support/property-runs.ts';
import { section } from './document.ts';
import { FULL_ISSUE } from './sample-answers.ts';

const Detail = z.looseObject({
  uuid: z.string(),
  title: z.string(),
  triggeredAt: z.string(),
});
/** PostgreSQL's texts hold any character but U+0000. */
const kept = (sent: string) => (onPostgres ? sent.replaceAll('\0', '\uFFFD') : sent);
const text = fc.string({ unit: anyCodePoint, minLength: 1, maxLength: 60 });

describe('2.5 issue creation request body', () => {
  it('2.5 title, 2.5 description, 2.5 environment: any text comes back as it was sent', async () => {
    const { post, get } = await testService();
    await fc.assert(
      fc.asyncProperty(text, text, text, async (title, description, environment) => {
        const { status, body } = await post('/issues', { title, description, environment });
        const stored = { title: kept(title), description: kept(description), environment: kept(environment) };
        expect({ status, body }).toMatchObject({ status: 201, body: stored });
        const detail = (await get(`/issues/${Detail.parse(body).uuid}`)).body;
        expect(detail).toMatchObject(stored);
      }),
      { numRuns: runs(60), examples: [['a\0b', '\u2028', ' ']] },
    );
  });

  it.each(['title', 'description', 'environment'])('2.5 %s: required, a text, not empty', async (field) => {
    const { post } = await testService();
    for (const value of [undefined, '', null, 7, ['x'], { x: 1 }]) {
      const { status, body } = await post('/issues', { ...ISSUE, [field]: value });
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { details: { [field]: expect.any(String) } },
      });
    }
  });

  it('2.5 severity: low, medium, high, and medium where it is not said', async () => {
    const { post, create } = await testService();
    for (const severity of ['low', 'medium', 'high']) {
      expect(await create({ severity })).toMatchObject({ severity });
    }
    expect(await create()).toMatchObject({ severity: 'medium' });
    for (const severity of ['HIGH', 'critical', '', null, 1]) {
      expect((await post('/issues', { ...ISSUE, severity })).status).toBe(400);
    }
  });

  it('2.5 triggeredAt: any moment in UTC, with or without seconds and their fraction', async () => {
    const { create } = await testService();
    const moment = fc.date({
      min: new Date(0),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    const form = fc.constantFrom<(iso: string) => string>(
      (iso) => iso,
      (iso) => iso.replace(/\.\d+Z$/u, 'Z'),
      (iso) => iso.replace(/:\d\d\.\d+Z$/u, 'Z'),
      (iso) => iso.replace(/Z$/u, '999Z'),
    );
    await fc.assert(
      fc.asyncProperty(moment, form, async (date, write) => {
        const triggeredAt = write(date.toISOString());
        const answer = Detail.parse(await create({ triggeredAt }));
        expect(answer.triggeredAt).toBe(new Date(triggeredAt).toISOString());
      }),
      { numRuns: runs(40) },
    );
  });

  it('2.5 triggeredAt: now where it is not said; what is no moment in UTC is refused', async () => {
    const { create, post } = await testService();
    expect(await create()).toMatchObject({ triggeredAt: '2026-03-17T12:00:00.000Z' });
    const wrong = [
      '',
      'now',
      '2026-03-17',
      '2026-03-17T12:00',
      '2026-03-17T12:00+01:00',
      '2026-02-30T12:00Z',
      7,
    ];
    for (const triggeredAt of wrong) {
      expect((await post('/issues', { ...ISSUE, triggeredAt })).status).toBe(400);
    }
  });

  it('2.5 context: every field of it is kept, and those that the document does not name', async () => {
    const { post, get } = await testService();
    const { context } = FULL_ISSUE;
    const prose = section('2.5').text;
    expect(Object.keys(context).filter((field) => !prose.includes(`${field} (`))).toEqual([]);
    const created = await post('/issues', { ...FULL_ISSUE, context: { ...context, shift: 'night' } });
    const detail = await get(`/issues/${Detail.parse(created.body).uuid}`);
    expect(detail.body).toMatchObject({ seeds: [{ rawPayload: { ...context, shift: 'night' } }] });
  });

  it.each(Object.keys(FULL_ISSUE.context))(
    '2.5 context.%s: may be missing, not of another type',
    async (field) => {
      const { post } = await testService();
      const others = Object.fromEntries(
        Object.entries(FULL_ISSUE.context).filter(([name]) => name !== field),
      );
      expect((await post('/issues', { ...ISSUE, context: others })).status).toBe(201);
      const { status, body } = await post('/issues', { ...ISSUE, context: { ...others, [field]: 7 } });
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { details: { [`context.${field}`]: expect.any(String) } },
      });
    },
  );

  it('takes what openapi.json says that it takes, and nothing else', async () => {
    const { post, service } = await testService();
    const { takes } = await described(service().url);
    const odd = fc.constantFrom<unknown>(
      '',
      'x',
      '2026-03-17T12:00Z',
      7,
      null,
      true,
      [],
      ['x'],
      {},
      { tags: ['x', 1] },
    );
    const body = fc.record(
      {
        title: fc.oneof(text, fc.constantFrom('🔥'.repeat(500), '🔥'.repeat(501)), odd),
        description: fc.oneof(text, odd),
        environment: fc.oneof(text, odd),
        severity: fc.oneof(fc.constantFrom<unknown>('low', 'medium', 'high'), odd),
        triggeredAt: fc.oneof(fc.constantFrom<unknown>('2026-03-17T12:00:00Z', '2026-03-17'), odd),
        context: fc.oneof(fc.constant<unknown>(FULL_ISSUE.context), odd),
      },
      { requiredKeys: ['title', 'description', 'environment'] },
    );
    await fc.assert(
      fc.asyncProperty(body, async (fields) => {
        expect((await post('/issues', fields)).status).toBe(takes('post', '/issues', fields) ? 201 : 400);
      }),
      { numRuns: runs(150) },
    );
  });
});
