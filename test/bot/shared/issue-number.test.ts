import { describe, expect, it } from 'vitest';
import {
  atService,
  byIssueNumber,
  type IssueNumber,
  issueNumber,
  mayBeNamedIn,
  parseIssueNumber,
  StoredIssueNumber,
} from '../../../src/bot/shared/issue-number.ts';

describe('the number of an issue', () => {
  it.each([
    ['12', 12],
    ['#12', 12],
    [' #12 ', 12],
    ['P12', 'P12'],
    ['p12', 'P12'],
    ['#P12', 'P12'],
    ['#p12', 'P12'],
    ['12p', null],
    ['PP12', null],
    ['P', null],
    ['#', null],
    ['', null],
    ['P-1', null],
    ['1.5', null],
    ['9999999999999999', null],
  ])('written %j is %j', (text, number) => {
    expect(parseIssueNumber(text)).toBe(number);
  });

  it('says where the service has it, and is written as it is read', () => {
    const issues = [
      { organization: 'default', number: 12 },
      { organization: 'private', number: 12 },
    ] as const;
    for (const issue of issues) {
      const number = issueNumber(issue);
      expect(atService(number)).toEqual(issue);
      expect(parseIssueNumber(`#${number}`)).toBe(number);
      expect(StoredIssueNumber.parse(JSON.parse(JSON.stringify(number)))).toBe(number);
    }
    expect(issues.map(issueNumber)).toEqual([12, 'P12']);
    expect(issueNumber({ organization: 'private', number: null })).toBeNull();
  });

  it('is not read from what is none', () => {
    for (const value of ['12', 'P', 'Px', 'P1.5', null]) {
      expect(StoredIssueNumber.safeParse(value).success).toBe(false);
    }
  });

  it('sorts by what is counted, the default organization first', () => {
    const numbers: IssueNumber[] = ['P2', 10, 'P1', 2, 1];
    expect(numbers.sort(byIssueNumber)).toEqual([1, 'P1', 2, 'P2', 10]);
  });
});

it('nothing of the private organization may be told to the default one', () => {
  expect(mayBeNamedIn('private', 'default')).toBe(false);
  expect(mayBeNamedIn('private', 'private')).toBe(true);
  expect(mayBeNamedIn('default', 'private')).toBe(true);
});
