import { expect, it } from 'vitest';
import type { z } from 'zod';
import { MetricData } from '../../src/contract/schema/artifact.ts';
import { ErrorBody } from '../../src/contract/schema/error.ts';
import {
  IssueCreate,
  IssueDetail,
  IssueSummary,
  IssueVersion,
  Seed,
} from '../../src/contract/schema/issue.ts';
import { QueryRequest } from '../../src/contract/schema/query.ts';
import { section } from './document.ts';

const tables: [string, z.ZodObject][] = [
  ['2.1', IssueSummary],
  ['2.2', IssueDetail],
  ['2.3', Seed],
  ['2.4', IssueVersion],
  ['2.5', IssueCreate],
  ['2.8', MetricData],
  ['4.9', QueryRequest],
  ['7', ErrorBody],
];

it.each(tables)("the client's schema of %s has every row of the table, in order", (number, schema) => {
  expect(Object.keys(schema.shape)).toEqual(section(number).rows);
});

it.each([
  ['2.1', IssueSummary],
  ['2.5', IssueCreate],
  ['4.9', QueryRequest],
  ['7', ErrorBody],
] satisfies [string, z.ZodObject][])(
  "the client's schema of %s requires what the table requires",
  (number, schema) => {
    const required = Array.from(
      section(number).text.matchAll(/^\| (\w+) \| [^|]+ \| yes \|/gmu),
      ([, name]) => name,
    );
    const strict = Object.entries(schema.shape).filter(([, field]) => !field.safeParse(undefined).success);
    expect(required).not.toEqual([]);
    expect(strict.map(([name]) => name)).toEqual(required);
  },
);
