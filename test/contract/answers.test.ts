import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import * as answers from '../../src/contract/answers.ts';
import { decode } from '../../src/contract/client/decode.ts';
import * as schema from '../../src/contract/schema.ts';
import { section } from './document.ts';
import { FULL_ISSUE, sampleAnswers } from './sample-answers.ts';

const samples = sampleAnswers();

it.each([
  ['2.1', schema.IssueSummary],
  ['2.2', schema.IssueDetail],
  ['2.5', schema.IssueCreate],
  ['2.8', schema.MetricData],
  ['4.9', schema.QueryRequest],
  ['7', schema.ErrorBody],
] satisfies [string, z.ZodObject][])('the schema of %s has every row of the table', (number, { shape }) => {
  expect(Object.keys(shape).toSorted()).toEqual(section(number).rows.toSorted());
});

describe('the reading of the client', () => {
  it('takes every answer of the embedded service whole', () => {
    const { created, list, detail, byNumber, updated, results, artifacts, answer, failure } = samples();
    const readings: [z.ZodType, unknown][] = [
      [answers.IssueCreated, created],
      [answers.IssuePage, list],
      [answers.IssueDetail, detail],
      [answers.IssueDetail, byNumber],
      [answers.IssueDetail, updated],
      [answers.InvestigationResults, results],
      [answers.QueryResponse, answer],
      [answers.ErrorBody, failure],
      ...artifacts.map((artifact): [z.ZodType, unknown] => [answers.Artifact, artifact]),
    ];
    expect(readings.map(([reading, input]) => decode(reading, input))).toEqual(
      readings.map(([, value]) => ({ ok: true, value, dropped: [] })),
    );
  });

  it('needs an identity of an issue, all of an element of the list, and nothing of any other answer', () => {
    const issue = { uuid: 'any form', number: 1, status: 'paused' };
    const accepted = (reading: z.ZodType, input: object): boolean => reading.safeParse(input).success;
    expect(
      [answers.InvestigationResults, answers.Artifact, answers.QueryResponse, answers.ErrorBody].map((one) =>
        accepted(one, {}),
      ),
    ).toEqual([true, true, true, true]);
    expect([
      accepted(answers.IssueDetail, issue),
      accepted(answers.IssueCreated, issue),
      accepted(answers.IssueSummary, issue),
    ]).toEqual([true, true, false]);
    for (const field of Object.keys(issue)) {
      expect(accepted(answers.IssueDetail, { ...issue, [field]: undefined })).toBe(false);
    }
    const required = Object.keys(schema.IssueSummary.shape);
    const summary = { ...samples().detail, seedCount: 1 };
    expect(
      required.filter((field) => accepted(answers.IssueSummary, { ...summary, [field]: undefined })),
    ).toEqual([]);
  });

  it.each([
    ['2026-03-17T12:30Z', true],
    ['2026-03-17T12:30:15.123456789Z', true],
    ['2026-03-17T12:30:15+00:00', true],
    ['2026-03-17', false],
    ['2026-03-17T12:30', false],
    ['yesterday', false],
    [1742212800, false],
  ])('takes %s for a timestamp: %s', (createdAt, isOne) => {
    const issue = { uuid: 'a', number: 1, status: 'muted' };
    expect(answers.IssueDetail.safeParse({ ...issue, createdAt }).success).toBe(isOne);
  });

  it('takes integers up to 9007199254740991, numbers from 1 and counts from 0', () => {
    const issue = { uuid: 'a', number: 1, status: 'muted' };
    const accepted = (fields: object): boolean =>
      answers.IssueDetail.safeParse({ ...issue, ...fields }).success;
    expect(
      [-1, 0, 1, 1.5, 9007199254740991, 9007199254740992].map((value) => [
        accepted({ number: value }),
        accepted({ seedCount: value }),
      ]),
    ).toEqual([
      [false, false],
      [false, true],
      [true, true],
      [false, false],
      [true, true],
      [false, false],
    ]);
  });
});

it('what is sent keeps to the bounds of the contract', () => {
  const accepted = (fields: object): boolean =>
    schema.IssueCreate.safeParse({ ...FULL_ISSUE, ...fields }).success;
  expect(accepted({ title: '𝄞'.repeat(500), triggeredAt: '2026-03-17T12:00Z' })).toBe(true);
  expect(
    [
      { title: 'x'.repeat(501) },
      { title: '' },
      { description: '' },
      { environment: '' },
      { severity: 'critical' },
      { triggeredAt: '2026-03-17T12:00+01:00' },
    ].map(accepted),
  ).toEqual([false, false, false, false, false, false]);
});
