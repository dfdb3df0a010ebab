import { describe, expect, test } from 'vitest';
import { InvestigationResults, IssueDetail, IssuePage } from '../../../src/contract/answers.ts';
import { decode } from '../../../src/contract/client/decode.ts';
import { summary, UUID } from './harness.ts';

const DETAIL = { uuid: UUID, number: 12, status: 'investigating' };

describe('decoding', () => {
  test('keeps fields and values that the contract does not name', () => {
    const input = { ...DETAIL, status: 'paused', severity: 'critical', owner: { team: 'web' } };
    expect(decode(IssueDetail, input)).toEqual({ ok: true, value: input, dropped: [] });
  });

  test('counts null as missing, wherever something may be missing', () => {
    const input = { ...DETAIL, title: null, seeds: [{ link: null, title: 'A' }], versions: null };
    expect(decode(IssueDetail, input)).toEqual({
      ok: true,
      value: { ...DETAIL, seeds: [{ title: 'A' }] },
      dropped: [],
    });
  });

  test('keeps null inside what it does not know', () => {
    const input = { ...DETAIL, title: null, seeds: [{ rawPayload: { a: null } }], extra: null };
    expect(decode(IssueDetail, input)).toMatchObject({
      value: { seeds: [{ rawPayload: { a: null } }], extra: null },
    });
  });

  test('leaves out an optional field of the wrong kind, and says which', () => {
    expect(decode(IssueDetail, { ...DETAIL, createdAt: 1742212800, title: 'A' })).toEqual({
      ok: true,
      value: { ...DETAIL, title: 'A' },
      dropped: ['createdAt'],
    });
  });

  test('leaves out bad elements of a list, and keeps the others in order', () => {
    const { number: _, ...unnumbered } = summary(2);
    const bad = { ...summary(4), uuid: 7 };
    const input = {
      object: 'list',
      data: [summary(1), unnumbered, summary(3), bad, null, 'x', summary(5)],
      has_more: false,
    };
    expect(decode(IssuePage, input)).toEqual({
      ok: true,
      value: { object: 'list', data: [summary(1), summary(3), summary(5)], has_more: false },
      dropped: ['data.1', 'data.3', 'data.5'],
    });
  });

  test('leaves out bad elements deep inside the results', () => {
    const input = {
      rootCause: { relevantEvidence: [{ title: 'A', artifacts: ['x', { documentId: 'd' }] }, 3] },
      causalTreeV2: { nodes: [{ id: 'n', confidence: 0.5 }], edges: ['n'] },
      remediation: { actions: [{ steps: [{ title: 'S', required: 'yes' }] }] },
    };
    expect(decode(InvestigationResults, input)).toEqual({
      ok: true,
      value: {
        rootCause: { relevantEvidence: [{ title: 'A', artifacts: [{ documentId: 'd' }] }] },
        causalTreeV2: { nodes: [{ id: 'n' }], edges: [] },
        remediation: { actions: [{ steps: [{ title: 'S' }] }] },
      },
      dropped: expect.arrayContaining([
        'rootCause.relevantEvidence.0.artifacts.0',
        'rootCause.relevantEvidence.1',
        'causalTreeV2.nodes.0.confidence',
        'causalTreeV2.edges.0',
        'remediation.actions.0.steps.0.required',
      ]),
    });
  });

  test.each([
    ['is missing', { number: 12, status: 'muted' }, 'uuid'],
    ['is null', { ...DETAIL, status: null }, 'status'],
    ['is of the wrong kind', { ...DETAIL, number: '12' }, 'number'],
    ['is out of bounds', { ...DETAIL, number: 0 }, 'number'],
    ['is beyond what a number can hold', { ...DETAIL, number: 2 ** 53 }, 'number'],
  ])('fails with the name of the required field that %s', (_, input, field) => {
    expect(decode(IssueDetail, input)).toMatchObject({ ok: false, field });
  });

  test('says what was wrong with a required field, not that it was taken out', () => {
    expect(decode(IssueDetail, { ...DETAIL, number: '12' })).toMatchObject({
      problem: 'must be a number, not text',
    });
  });

  test.each([[[]], ['text'], [7], [null]])('fails where %j stands in place of an object', (input) => {
    expect(decode(IssueDetail, input)).toMatchObject({ ok: false, field: '(the whole answer)' });
  });

  test('names a few of what it leaves out, and counts the others', () => {
    const data = [...Array.from({ length: 30 }, () => ({})), summary(1)];
    const decoded = decode(IssuePage, { object: 'list', data, has_more: false });
    expect(decoded).toEqual({
      ok: true,
      value: { object: 'list', data: [summary(1)], has_more: false },
      dropped: [...Array.from({ length: 10 }, (_, n) => `data.${n}`), '… and 20 more'],
    });
  });

  test('gives an answer up in which very much is wrong, and looks at no more of it', () => {
    let looked = 0;
    const element = {
      get uuid() {
        looked += 1;
        return 7;
      },
    };
    const data = Array.from({ length: 100_000 }, () => element);
    expect(decode(IssuePage, { object: 'list', data, has_more: false })).toEqual({
      ok: false,
      field: 'data.1000',
      problem: 'more than 1000 parts of it are unusable',
    });
    expect(looked).toBeLessThan(10_000);
  });

  test('does not change what it reads', () => {
    const input = { ...DETAIL, title: null };
    decode(IssueDetail, input);
    expect(input).toEqual({ ...DETAIL, title: null });
  });
});
