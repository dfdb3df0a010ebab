import { describe, expect, it } from 'vitest';
import { parseVoteKey, voteKey, voteKeyPrefix } from '../../../src/bot/shared/vote-subject.ts';

const RESULTS = { issueId: 'i1', version: 2 };
const ANSWER = { questionId: 'C1:1.0' };

describe('the key of votes', () => {
  it('is about one version of results, or one answer', () => {
    expect([voteKey(RESULTS), voteKey(ANSWER)]).toEqual(['result:i1:2', 'answer:C1:1.0']);
  });

  it('is read as what it was written for', () => {
    expect([RESULTS, ANSWER].map((subject) => parseVoteKey(voteKey(subject)))).toEqual([RESULTS, ANSWER]);
  });

  it('is nothing that a button does not carry', () => {
    expect(['', 'answer:', 'result:i1', 'result:i1:x', 'card:i1'].map(parseVoteKey)).toEqual(
      Array.from({ length: 5 }, () => null),
    );
  });

  it('begins alike for all versions of an issue', () => {
    expect(voteKey(RESULTS).startsWith(voteKeyPrefix('i1'))).toBe(true);
    expect(voteKey({ ...RESULTS, issueId: 'i11' }).startsWith(voteKeyPrefix('i1'))).toBe(false);
  });
});
